import { Type } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { MAX_ROWS_PER_PAGE } from './pagination.ts'
import { problems } from './problem.ts'
import {
  listResults,
  NewerResultProblem,
  RESULT_STATUSES,
  ResultParams,
  ResultStatus,
  RunParams,
  TestResult,
  updateResult,
} from './results.ts'
import { NewRunConfigurations } from './run-configurations.ts'
import { Run } from './run-schemas.ts'
import { Data, Id, Message, Nullable, OneOf, Timestamp, Uuid } from './schemas.ts'
import type { Static } from './static.ts'
import { StepResult, stepResultExample } from './step-results.ts'

const combinationExample = {
  result_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a02',
  test_case_id: 'WEB-12',
  place: 1,
  configuration: 1,
  name: 'Chrome, Windows',
  status: 'failed',
  note: 'AssertionError: expected 200, got 500',
  elapsed: 3,
  tested_by: null,
  tested_at: '2026-11-21T09:30:00.000Z',
  assigned_to: null,
  step_state: 'failed',
  steps: [stepResultExample],
}

const { note, elapsed, tested_by, tested_at } = TestResult.properties

/** What one test case was tested with in a run, and what came of it. */
export const Combination = Type.Object(
  {
    result_id: Type.String({ description: 'Result that it belongs to.' }),
    test_case_id: Nullable(Type.String({ description: 'Test case id; null if the test case was deleted.' })),
    place: Type.Integer({ description: 'Place within the result, which never changes.' }),
    configuration: Type.Integer({ description: 'Place of the configuration in the run.' }),
    name: Type.String({ description: 'Name of the configuration.' }),
    status: ResultStatus,
    note,
    elapsed,
    tested_by,
    tested_at,
    assigned_to: Nullable(
      Type.String({ description: 'User id of the person who is to test it; null if it is nobody in particular.' }),
    ),
    step_state: Nullable(
      OneOf(RESULT_STATUSES, { description: 'Status that follows from its steps; null without results of steps.' }),
    ),
    steps: Type.Optional(
      Type.Array(StepResult, {
        description:
          'Results of its steps, by position: in the list of a result, and when one is set. Absent in lists of a run.',
      }),
    ),
    tested_steps: Type.Optional(
      Type.Array(StepResult, {
        description:
          'The same by position in `tested_case`, which the result has when the test case says something else now. Absent without.',
      }),
    ),
  },
  { examples: [combinationExample] },
)
export type Combination = Static<typeof Combination>

const CombinationParams = Type.Object({
  ...ResultParams.properties,
  place: Type.String({ description: 'Place of the combination.' }),
})

const { status, ...optional } = updateResult.schema.body.properties
const { note: newNote, elapsed: newElapsed, steps, base_tested_at, case_version } = optional
const tags = listResults.schema.tags

export const listResultCombinations = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id/combinations',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listResultCombinations',
    tags,
    summary: 'List the combinations of a result',
    description:
      'Returns what the test case is tested with in the run, in the order of the configurations; empty without any.',
    params: ResultParams,
    response: {
      200: { ...Type.Object({ data: Type.Array(Combination) }), examples: [{ data: [combinationExample] }] },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const setCombination = {
  method: 'PUT',
  url: '/v1/runs/:run_id/results/:result_id/combinations/:place',
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'setCombination',
    tags,
    summary: 'Set a combination of a result',
    description:
      'Sets one combination. The status of the result follows from all of them: `failed` if any failed, else `blocked` or `retest` if any is, else `not_tested` if any is, else `passed`. The caller becomes `tested_by`. Fields that are not in the request keep their value. `steps` are those of this combination, and keep its status if none is sent, unless the project derives statuses from steps (`steps_decide`).',
    params: CombinationParams,
    body: Type.Object(
      { status: Type.Optional(status), note: newNote, elapsed: newElapsed, steps, base_tested_at, case_version },
      {
        examples: [
          { status: 'failed', note: 'The total is wrong' },
          { steps: [{ position: 2, status: 'failed', actual: 'Error 500' }] },
        ],
      },
    ),
    response: {
      200: { ...Data(Combination), examples: [{ data: combinationExample }] },
      ...problems(400, 401, 403, 404, 413, 415, 422, 429),
      409: {
        ...NewerResultProblem,
        description: 'The run is completed, or the combination is newer than `base_tested_at`.',
      },
    },
  },
} as const satisfies Endpoint

export const deleteCombination = {
  method: 'DELETE',
  url: setCombination.url,
  config: setCombination.config,
  schema: {
    operationId: 'deleteCombination',
    tags,
    summary: 'Delete a combination of a result',
    description:
      'Deletes this combination only, with the results of its steps and its files. The status of the result follows from the others; without any, it keeps its status.',
    params: CombinationParams,
    response: { 200: Message, ...problems(401, 403, 404, 409, 429) },
  },
} as const satisfies Endpoint

export const listCombinations = {
  method: 'GET',
  url: '/v1/runs/:run_id/combinations',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listCombinations',
    tags,
    summary: 'List the combinations of a run',
    description:
      'Returns combinations of all results in the order of the run, up to 500 at a time. `next_after` is the cursor of the next ones; null if there are no more.',
    params: RunParams,
    querystring: Type.Object({
      status: listResults.schema.querystring.properties.status,
      configuration: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 32_767,
          description: 'Return only those of this configuration of the run.',
        }),
      ),
      assigned_to: Type.Optional(
        Id('Return only those that are assigned to this user; `me` for the caller, `nobody` for no one.'),
      ),
      result_id: Type.Optional(Uuid('Return only those of this result.')),
      has_note: Type.Optional(OneOf(['true'], { description: 'Return only those with a note.' })),
      after: Type.Optional(
        Type.String({
          pattern: '^[0-9a-f-]{36}\\.[0-9]{1,5}$',
          description: 'Return what comes after this one: `next_after` of the page before.',
        }),
      ),
    }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(Combination),
          meta: Type.Object({ next_after: Nullable(Type.String({ description: 'Cursor of the next page.' })) }),
        }),
        examples: [{ data: [combinationExample], meta: { next_after: null } }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

const combinationRowExample = {
  id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a02',
  tested_at: '2026-11-21T09:30:00.000Z',
  places: [1, 2, 3],
  configurations: [1, 2, 3],
  statuses: ['failed', 'passed', 'not_tested'],
}

/** All combinations of a result, side by side: entry `n` of each list is about the same one. */
export const CombinationRow = Type.Object(
  {
    id: Type.String({ description: 'Result id.' }),
    tested_at: Nullable(Timestamp('When the newest of them was tested; null if none was.')),
    places: Type.Array(Type.Integer(), { description: 'Places within the result.' }),
    configurations: Type.Array(Type.Integer(), { description: 'Places of their configurations in the run.' }),
    statuses: Type.Array(ResultStatus, { description: 'Their statuses.' }),
    assigned_to: Type.Optional(
      Type.Array(Nullable(Type.String()), {
        description: 'User ids of the people who are to test them; absent if none is assigned.',
      }),
    ),
  },
  { examples: [combinationRowExample] },
)
export type CombinationRow = Static<typeof CombinationRow>

export const listCombinationRows = {
  method: 'GET',
  url: '/v1/runs/:run_id/combination-rows',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listCombinationRows',
    tags,
    summary: 'List the combinations of a run, a row per result',
    description: `Returns the statuses of all combinations of results that have some, up to ${MAX_ROWS_PER_PAGE.toLocaleString('en')} results at a time: what a table of test cases and configurations needs.`,
    params: RunParams,
    querystring: Type.Object({
      changed_since: listResults.schema.querystring.properties.changed_since,
      after: Type.Optional(Uuid('`next_after` of the previous page; the first page without it.')),
      per_page: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_ROWS_PER_PAGE,
          default: MAX_ROWS_PER_PAGE,
          description: 'Number of results per page.',
        }),
      ),
    }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(CombinationRow),
          meta: Type.Object({
            total: Type.Integer({ description: 'Number of results with combinations on all pages.' }),
            next_after: Nullable(Type.String({ description: 'Cursor of the next page; null on the last.' })),
          }),
        }),
        examples: [{ data: [combinationRowExample], meta: { total: 1, next_after: null } }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const changeRunConfigurations = {
  method: 'PATCH',
  url: '/v1/runs/:run_id/configurations',
  // Selections may have 100,000 ids.
  bodyLimit: BODY_LIMIT.upload,
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'changeRunConfigurations',
    tags: ['Runs'],
    summary: 'Add or remove configurations of a run',
    description:
      'Adds and removes configurations. The status of every result concerned follows from its combinations again. What a result was before it gets its first combinations stays as a combination `Other tests`. The results of a configuration that is removed are deleted, and kept as earlier values of their results.',
    params: RunParams,
    body: Type.Object(
      {
        add: Type.Optional(NewRunConfigurations),
        remove: Type.Optional(
          Type.Array(Type.Integer({ minimum: 1, maximum: 32_767 }), {
            maxItems: 101,
            description: 'Places of configurations of the run.',
          }),
        ),
      },
      { examples: [{ add: { groups: { browser: ['safari'] } } }, { remove: [2] }] },
    ),
    response: { 200: Data(Run), ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint
