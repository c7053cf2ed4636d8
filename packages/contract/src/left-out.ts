import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { RunParams } from './results.ts'
import { Data, Nullable, OneOf, Timestamp } from './schemas.ts'
import { RunTestParams } from './run-tests.ts'
import type { Static } from './static.ts'
import { ATTEMPT_STATUSES } from './test-fields.ts'

/** What a user has left out of a run. */
export const LeftOut = Type.Object({
  id: Type.String({ description: 'Id of the test, or of the error.' }),
  kind: OneOf(['test', 'suite_error'], { description: 'An outcome of a test, or an error outside of tests.' }),
  name: Type.String({ description: 'Suite and name of the test, or the place of the error.' }),
  outcome: Nullable(OneOf(ATTEMPT_STATUSES, { description: 'The outcome of the test; null for an error.' })),
  left_out_by: Nullable(Type.String({ description: 'User id; null if the account was deleted.' })),
  left_out_at: Timestamp('When it was left out.'),
})
export type LeftOut = Static<typeof LeftOut>

const example = {
  id: '019aa5b9-0b1c-7d2e-8f3a-4b5c6d7e8f90',
  kind: 'test',
  name: 'src/checkout.spec.ts > Checkout > pays by check',
  outcome: 'failed',
  left_out_by: '019aa5b4-1c0d-7e3f-9a5b-6c7d8e9f0a12',
  left_out_at: '2026-11-21T10:30:00.000Z',
} as const
const tags = ['Tests'] as const
const leftOutResponse = {
  200: { ...Data(LeftOut), examples: [{ data: example }] },
  ...problems(401, 403, 404, 409, 429),
}

export const leaveOutTest = {
  method: 'POST',
  url: '/v1/runs/:run_id/tests/:test_id/leave-out',
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'leaveOutTest',
    tags,
    summary: 'Leave a test out of a run',
    description:
      'Sets the outcome of a test in the run aside, such as that of a test that was deleted or renamed (`is_in_newest_report`). The run no longer counts it, and the results of its test cases are derived from their other tests; without one, they are not tested. Results that a user has set stay. An upload that contains the test brings it back.',
    params: RunTestParams,
    response: leftOutResponse,
  },
} as const satisfies Endpoint

export const leaveOutSuiteError = {
  method: 'POST',
  url: '/v1/runs/:run_id/suite-errors/:error_id/leave-out',
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'leaveOutSuiteError',
    tags,
    summary: 'Leave an error outside of tests out of a run',
    description:
      'Sets an error outside of tests aside, which the run no longer counts. It comes back if it is reported again.',
    params: Type.Object({ ...RunParams.properties, error_id: Type.String({ description: 'Error id.' }) }),
    response: leftOutResponse,
  },
} as const satisfies Endpoint

export const listLeftOut = {
  method: 'GET',
  url: '/v1/runs/:run_id/left-out',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listLeftOut',
    tags,
    summary: 'List what was left out of a run',
    description:
      'Returns up to 1,000 outcomes of tests and errors outside of tests that users have left out of the run and that were not reported again, the newest first.',
    params: RunParams,
    response: {
      200: { ...Type.Object({ data: Type.Array(LeftOut) }), examples: [{ data: [example] }] },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const putBackLeftOut = {
  method: 'DELETE',
  url: '/v1/runs/:run_id/left-out/:id',
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'putBackLeftOut',
    tags,
    summary: 'Put back what was left out of a run',
    description:
      'Puts an outcome or an error back that was left out. If it was reported again meanwhile, the newer report stays.',
    params: Type.Object({
      ...RunParams.properties,
      id: Type.String({ description: 'Id of the test, or of the error.' }),
    }),
    response: leftOutResponse,
  },
} as const satisfies Endpoint
