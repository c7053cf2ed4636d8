import * as generated from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import * as endpoints from './import-endpoints.ts'

describe('the endpoints of imports', () => {
  it('are those of the client', () => {
    expect(generated).toMatchObject({ ...endpoints })
  })
})
