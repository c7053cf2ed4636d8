import * as generated from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import * as endpoints from './instance-configuration-endpoints.ts'

describe('the endpoints of configurations of the instance', () => {
  it('are those of the client', () => {
    expect(generated).toMatchObject(endpoints)
  })
})
