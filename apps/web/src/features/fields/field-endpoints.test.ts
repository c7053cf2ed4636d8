import * as generated from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import * as endpoints from './field-endpoints.ts'
import * as instanceEndpoints from './instance-field-endpoints.ts'

describe('the endpoints of fields', () => {
  it('are those of the client', () => {
    expect(generated).toMatchObject({ ...endpoints, ...instanceEndpoints })
  })
})
