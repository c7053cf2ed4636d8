import * as generated from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import * as endpoints from './copy-endpoints.ts'

describe('the endpoints of copies', () => {
  it('are those of the client', () => {
    expect(generated).toMatchObject({ ...endpoints })
  })
})
