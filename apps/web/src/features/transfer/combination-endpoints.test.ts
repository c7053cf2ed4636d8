import * as generated from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import * as endpoints from './combination-endpoints.ts'

describe('the endpoint of the combinations of a run', () => {
  it('is that of the client', () => {
    expect(generated).toMatchObject(endpoints)
  })
})
