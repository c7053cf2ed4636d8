import * as generated from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import * as endpoints from './shared-step-endpoints.ts'

describe('the endpoints of shared steps', () => {
  it('are those of the client', () => {
    expect(generated).toMatchObject(endpoints)
  })
})
