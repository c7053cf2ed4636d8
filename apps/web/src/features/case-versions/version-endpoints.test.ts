import * as generated from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import * as endpoints from './version-endpoints.ts'

describe('the endpoints of versions of test cases', () => {
  it('are those of the client', () => {
    expect(generated).toMatchObject(endpoints)
  })
})
