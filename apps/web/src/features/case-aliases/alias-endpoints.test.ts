import * as generated from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import * as endpoints from './alias-endpoints.ts'

describe('the endpoints of ids of other tools', () => {
  it('are those of the client', () => {
    expect(generated).toMatchObject(endpoints)
  })
})
