import * as generated from '@caseward/client/endpoints'
import { expect, it } from 'vitest'

import * as endpoints from './imported-people-endpoints.ts'

it('the endpoints of imported people are those of the client', () => {
  expect(generated).toMatchObject(endpoints)
})
