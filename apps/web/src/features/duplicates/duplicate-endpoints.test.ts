import * as generated from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import * as endpoints from './duplicate-endpoints.ts'
import * as mergeEndpoints from './merge-endpoints.ts'

describe('the endpoints of duplicates', () => {
  it('are those of the client', () => {
    expect(generated).toMatchObject({ ...endpoints, ...mergeEndpoints })
  })
})
