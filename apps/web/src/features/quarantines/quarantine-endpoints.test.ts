import * as generated from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import * as insight from '../insight/insight-endpoints.ts'
import * as endpoints from './quarantine-endpoints.ts'

describe('the endpoints of quarantines and insight', () => {
  it('are those of the client', () => {
    expect(generated).toMatchObject(endpoints)
    expect(generated).toMatchObject(insight)
  })
})
