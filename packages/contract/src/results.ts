import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { FieldValues, StoredFieldValues } from './field-values.ts'
import { Page, PageQuery } from './pagination.ts'
import { ExtendedProblem, problems } from './problem.ts'
import { Data, Id, Nullable, OneOf, Repeatable, Timestamp, TimestampInput } from './schemas.ts'
import type { Static } from './static.ts'
import { StepChanges } from './step-results.ts'

export const RESULT_STATUSES = ['passed', 'failed', 'blocked', 'retest', 'not_tested'] as const
export const ResultStatus = OneOf(RESULT_STATUSES, {
  description:
    '`passed`: all assertions were met. `failed`: an assertion was not met. `blocked`: the test could not be run. `retest`: to be tested again. `not_tested`: no result yet.',
})
export type ResultStatus = (typeof RESULT_STATUSES)[number]

/** The maximum of PostgreSQL's integer (68 years in seconds). */
const MAX_SECONDS = 2_147_483_647

export const resultExample = {
  id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a02',
  test_case_id: 'WEB-12',
  test_case_title: 'A customer pays by card',
  status: 'failed',
  note: 'AssertionError: expected 200, got 500',
  elapsed: 3,
  tested_by: null,
  tested_at: '2026-11-21T09:30:00.000Z',
}

/** Values of custom fields of a result. */
export const resultFieldValues = StoredFieldValues(
  'Values of the custom fields by their keys; absent if there are none.',
)

export const TestResult = Type.Object(
  {
    id: Type.String({ description: 'Result id.' }),
    test_case_id: Nullable(Type.String({ description: 'Test case id; null if the test case was deleted.' })),
    test_case_title: Type.String({ description: 'Title of the test case when it was added to the run.' }),
    status: ResultStatus,
    note: Nullable(Type.String({ description: 'Comment or error message.' })),
    elapsed: Nullable(Type.Integer({ description: 'Duration in seconds.' })),
    tested_by: Nullable(Type.String({ description: 'User id; null if the result was set with a CI token.' })),
    tested_at: Nullable(Timestamp('When the result was set, or the `finished_at` of its upload.')),
    fields: Type.Optional(resultFieldValues),
  },
  { examples: [resultExample] },
)
export type TestResult = Static<typeof TestResult>

const note = Type.Optional(
  Nullable(Type.String({ format: 'text', description: 'Comment or error message; truncated to 65,536 characters.' })),
)
const elapsed = Type.Optional(
  Nullable(Type.Integer({ minimum: 0, maximum: MAX_SECONDS, description: 'Duration in whole seconds.' })),
)

const base_tested_at = Type.Optional(
  Nullable(
    TimestampInput(
      '`tested_at` of the result that the caller has seen; null if it was not set. If the result is newer, it is kept. Without it, the result is overwritten. A request that is repeated with the same values is stored again.',
    ),
  ),
)

const fields = Type.Optional(
  FieldValues(
    'Values of the custom fields of results by their keys. Only the fields that are sent change; null removes a value.',
  ),
)

const case_version = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MAX_SECONDS,
    description:
      'The version of the test case that was tested. Without it, the first status is that of the current version, and later ones stay with the version of the first. `steps` are by their positions in it.',
  }),
)

/** What a request can change of a result beside its status and its steps. */
export const resultChanges = { note, elapsed, base_tested_at, case_version, fields }

/** One result: of a bulk update, and of an upload. */
export const ResultItem = Type.Object({
  test_case_id: Id('Test case id, such as `WEB-12`; it must be in the run.'),
  status: ResultStatus,
  note,
  elapsed,
})
export type ResultItem = Static<typeof ResultItem>

const RESULT_ERROR_CODES = [
  'not_in_run',
  'no_test_case_id',
  'ambiguous',
  'newer_result',
  'too_many_ids',
  'suite_error',
  'invalid_junit_xml',
  'unknown_step',
  'step_results_too_large',
  'no_such_combination',
] as const

/** A result that was not stored. */
export const ResultItemError = Type.Object({
  test_case_id: Type.String({ description: 'Test case id in the request, or the name of a test without an id.' }),
  error: Type.String({ description: 'Why the result was not stored.' }),
  code: OneOf(RESULT_ERROR_CODES, {
    description:
      'The reason as a stable code, for programs. `not_in_run`: the run does not contain the test case. `no_test_case_id`: no test case has this id or automation key. `ambiguous`: an automation key matches several tests, or a test without a file may be one of several. `newer_result`: a newer result was kept. `too_many_ids`: the test has more than 200 test case ids, and only the first 200 were used. `suite_error`: a suite failed outside of its tests. `invalid_junit_xml`: one of several reports cannot be read; `test_case_id` is its path. `unknown_step`: the test case has no step with a position that was sent. `step_results_too_large`: the results of the steps would take more than 256 KB. `no_such_combination`: the result has no combination at the `place`.',
  }),
})
export type ResultItemError = Static<typeof ResultItemError>

/** The problem of a result that is newer than the one that the caller has seen. */
export const NewerResultProblem = ExtendedProblem({
  current: Type.Optional(
    Type.Object(TestResult.properties, {
      description: 'The newer result, which was kept; only with the code `newer_result`.',
    }),
  ),
})
export type NewerResultProblem = Static<typeof NewerResultProblem>

export const RunParams = Type.Object({ run_id: Type.String({ description: 'Run id.' }) })

export const ResultParams = Type.Object({
  run_id: Type.String({ description: 'Run id.' }),
  result_id: Type.String({ description: 'Result id, or test case id such as `WEB-12`.' }),
})

export const resultFilters = {
  status: Type.Optional(
    Repeatable(
      OneOf(RESULT_STATUSES, { description: 'Status.' }),
      'Return only results with this status, or with one of these statuses if the parameter is repeated.',
      RESULT_STATUSES.length,
    ),
  ),
  search: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 255,
      description: 'Return only results whose test case title contains this text, case-insensitive.',
    }),
  ),
  assigned_to: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 255,
      description:
        'Return only results that are assigned to this user: a user id, `me`, or `nobody` for those that are not assigned.',
    }),
  ),
  configuration: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 32_767,
      description: 'Return only results with a combination of this configuration of the run, by its place.',
    }),
  ),
  combination_status: Type.Optional(
    Repeatable(
      OneOf(RESULT_STATUSES, { description: 'Status.' }),
      'Return only results with a combination of this status, or of one of these; with `configuration`, one of that configuration.',
      RESULT_STATUSES.length,
    ),
  ),
  defect: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 255,
      description:
        'Return only results with a link of kind `defect` (`any`), without one (`none`), or with one whose label or address contains this text, case-insensitive.',
    }),
  ),
  changed_since: Type.Optional(
    TimestampInput(
      'Return only results that changed since this time (or up to ten seconds before). Removed results are not returned: if the number of results a client has differs from `result_count` of the run, it reads all again.',
    ),
  ),
}

const tags = ['Results'] as const

export const listResults = {
  method: 'GET',
  url: '/v1/runs/:run_id/results',
  config: { permission: 'project:view', rateLimit: 'other', hasFieldFilters: true },
  schema: {
    operationId: 'listResults',
    tags,
    summary: 'List the results of a run',
    description:
      'Returns one result for each test case of the run, in the order in which the test cases were added. Use `fields=all` for the values of custom fields. Up to ten filters are by custom fields of results: `field.severity=blocker` (repeatable; `none` for no value, `any` for some), `field.risk.min=3` and `field.risk.max=5` for numbers and dates, `field.cause.contains=timeout` for texts. An unknown key is 400 `unknown_field`.',
    params: RunParams,
    querystring: Type.Object({
      ...resultFilters,
      fields: Type.Optional(
        OneOf(['all'], { description: '`all` adds the values of custom fields to each result that has some.' }),
      ),
      ...PageQuery,
    }),
    response: {
      200: { ...Page(TestResult), examples: [{ data: [resultExample], meta: { page: 1, per_page: 20, total: 1 } }] },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const updateResult = {
  method: 'PUT',
  url: '/v1/runs/:run_id/results/:result_id',
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'updateResult',
    tags,
    summary: 'Set a result',
    description:
      'Sets a result, identified by its id or by the id of its test case. The caller becomes `tested_by`. Fields that are not in the request keep their value. The status counts, whatever the steps are. With `base_tested_at`, a result that someone else has set meanwhile is kept, and the response is 409 with the code `newer_result`.',
    params: ResultParams,
    body: Type.Object(
      { status: ResultStatus, steps: Type.Optional(StepChanges), ...resultChanges },
      { examples: [{ status: 'failed', note: 'The total is wrong', elapsed: 40 }] },
    ),
    response: {
      200: { ...Data(TestResult), examples: [{ data: resultExample }] },
      ...problems(400, 401, 403, 404, 413, 415, 422, 429),
      409: {
        ...NewerResultProblem,
        description: 'The run is completed, or the result is newer than `base_tested_at`.',
      },
    },
  },
} as const satisfies Endpoint

export const changeResult = {
  method: 'PATCH',
  url: updateResult.url,
  config: updateResult.config,
  schema: {
    operationId: 'changeResult',
    tags,
    summary: 'Change the steps, note, duration or fields of a result',
    description:
      'Changes a result without a status, identified by its id or by the id of its test case. The caller becomes `tested_by`, unless the request has only `fields`. Fields that are not in the request keep their value. If the project derives statuses from steps (`steps_decide`), `steps` set the status of the result, too.',
    params: ResultParams,
    body: Type.Object(
      { steps: Type.Optional(StepChanges), ...resultChanges },
      { examples: [{ steps: [{ position: 2, status: 'failed', actual: 'Error 500' }] }] },
    ),
    response: updateResult.schema.response,
  },
} as const satisfies Endpoint
