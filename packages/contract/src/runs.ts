import { Type } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { FieldValues, IgnoredFields, ReportedFieldValues } from './field-values.ts'
import { AfterQuery, Page, PageQuery } from './pagination.ts'
import { ExtendedProblem, problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { RunParams } from './results.ts'
import { NewRunConfigurations } from './run-configurations.ts'
import { Run, RUN_STATUSES, runExample, RunStatus } from './run-schemas.ts'
import { caseIds } from './run-test-cases.ts'
import { CleanedName, Data, Id, Key, LongText, Message, Nullable, OneOf, StringMap, TimestampInput } from './schemas.ts'
import { MAX_SHARDS } from './shards.ts'
import type { Static } from './static.ts'

const milestone_id = Type.Optional(Nullable(Id('Milestone of the run; null for none.')))
const metadata = Type.Optional(
  StringMap('Metadata such as branch and commit: up to 50 strings of up to 1,000 characters.'),
)

export const CreateRunBody = Type.Object(
  {
    name: CleanedName('Display name. Control characters and invisible characters are removed.'),
    description: Type.Optional(LongText('Description.')),
    milestone_id,
    test_case_ids: Type.Optional(caseIds('Test cases of the run.')),
    folder_ids: Type.Optional(
      Type.Array(Id('Folder id.'), {
        maxItems: 10_000,
        description: 'Use the test cases in these folders and their subfolders.',
      }),
    ),
    run_key: Type.Optional(
      Key(
        'Key that identifies one run of the project, such as the id of a CI build. A request with the same key returns the same run.',
      ),
    ),
    adds_test_cases: Type.Optional(
      Type.Boolean({
        description:
          'Add test cases that match uploaded tests to the run. The default is true for a run with a `run_key` and without `test_case_ids` and `folder_ids`, otherwise false.',
      }),
    ),
    metadata,
    fields: Type.Optional(
      ReportedFieldValues(
        'Values of the custom fields of runs by their keys. Fields that are not sent get their defaults. All values can be sent as text, with labels or keys of options and several options separated by `;`. Of a CI token, what is no value is listed in `ignored_fields` and refuses nothing.',
      ),
    ),
    configurations: Type.Optional(NewRunConfigurations),
    expected_shards: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_SHARDS,
        description: 'Number of shards after which the run is completed, or the CI job in `job` is done.',
      }),
    ),
    job: Type.Optional(
      Type.String({
        format: 'text',
        description:
          'With `run_key`: name of the CI job that begins to report. Its shards are counted apart from those of other jobs. Truncated to 255 characters.',
      }),
    ),
  },
  {
    examples: [
      { name: 'Nightly', test_case_ids: ['WEB-12', 'WEB-13'] },
      { name: 'Nightly', run_key: 'github-19482736512', metadata: { branch: 'main' }, expected_shards: 4 },
      { name: 'Release 2.4', configurations: { groups: { browser: ['chrome', 'firefox'], system: ['windows'] } } },
    ],
  },
)

export const UpdateRunBody = Type.Object(
  {
    name: Type.Optional(CleanedName('Display name. Control characters and invisible characters are removed.')),
    description: Type.Optional(LongText('Description.')),
    milestone_id,
    status: Type.Optional(RunStatus),
    metadata,
    adds_test_cases: Type.Optional(
      Type.Boolean({ description: 'Whether test cases that match uploaded tests are added to the run.' }),
    ),
    fields: Type.Optional(
      FieldValues(
        'Values of the custom fields of runs by their keys. Only the fields that are sent change; null removes a value.',
      ),
    ),
    excluded: Type.Optional(
      Type.Boolean({
        description:
          'Whether the run is no base for the evaluation of others and makes no test flaky, as after an outage. Wins over what the evaluation finds by itself.',
      }),
    ),
    force: Type.Optional(
      Type.Boolean({
        description:
          'With the status `completed`: complete the run although results lack values that their statuses need. Only for admins of the project.',
      }),
    ),
  },
  { examples: [{ status: 'completed' }, { metadata: { branch: 'main', commit: '8a006ed' } }] },
)

const tags = ['Runs'] as const
const runResponse = { ...Data(Run), examples: [{ data: runExample }] }
const createdResponse = {
  ...Type.Object({ data: Run, ignored_fields: Type.Optional(IgnoredFields) }),
  examples: [{ data: runExample }],
}

/** How many results the problem of missing values lists. */
export const MAX_LISTED_MISSING = 100

/** The problem of a run that cannot be completed because results lack values. */
export const MissingFieldsProblem = ExtendedProblem({
  missing_count: Type.Optional(
    Type.Integer({ description: 'Number of results that lack a value; only with the code `required_fields_missing`.' }),
  ),
  missing: Type.Optional(
    Type.Array(
      Type.Object({
        result_id: Type.String({ description: 'Result id.' }),
        test_case_id: Nullable(Type.String({ description: 'Test case id; null if the test case was deleted.' })),
        test_case_title: Type.String({ description: 'Title of the test case when it was added to the run.' }),
        fields: Type.Array(Type.String(), { description: 'Keys of the fields that lack a value.' }),
      }),
      { description: `The first ${MAX_LISTED_MISSING} of them.` },
    ),
  ),
})
export type MissingFieldsProblem = Static<typeof MissingFieldsProblem>

export const RUN_SORTS = ['name', 'tested', 'failed', 'created'] as const
export type RunSort = (typeof RUN_SORTS)[number]

export const listRuns = {
  method: 'GET',
  url: '/v1/projects/:project_id/runs',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listRuns',
    tags,
    summary: 'List runs',
    description: 'Returns the runs of the project, newest first.',
    params: ProjectParams,
    querystring: Type.Object({
      status: Type.Optional(OneOf(RUN_STATUSES, { description: 'Return only runs with this status.' })),
      milestone_id: Type.Optional(Id('Return only runs of this milestone.')),
      sub_milestones: Type.Optional(
        Type.Boolean({ description: 'With `milestone_id`: return the runs of its sub-milestones, too.' }),
      ),
      run_key: Type.Optional(Key('Return only the run with this key.')),
      search: Type.Optional(
        Type.String({
          format: 'text',
          maxLength: 255,
          description: 'Return only runs whose name contains this text, case-insensitive.',
        }),
      ),
      created_since: Type.Optional(TimestampInput('Return only runs that were created at this time or later.')),
      sort: Type.Optional(
        OneOf(RUN_SORTS, {
          description:
            'Sort by name, share of results that are tested, number of failed results, or time of creation. Without it, the newest come first. Not with `after`.',
        }),
      ),
      descending: Type.Optional(Type.Boolean({ description: 'With `sort`: the largest first.' })),
      fields: Type.Optional(
        OneOf(['evaluation'], {
          description: '`evaluation`: also return `evaluation` of each run whose tests were evaluated.',
        }),
      ),
      ...AfterQuery,
      ...PageQuery,
    }),
    response: {
      200: { ...Page(Run), examples: [{ data: [runExample], meta: { page: 1, per_page: 20, total: 1 } }] },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const createRun = {
  method: 'POST',
  url: '/v1/projects/:project_id/runs',
  // 100,000 test case ids exceed 1 MB.
  bodyLimit: BODY_LIMIT.upload,
  config: { permission: 'runs:open-and-close', rateLimit: 'other' },
  schema: {
    operationId: 'createRun',
    tags,
    summary: 'Create a run',
    description:
      'Creates a run with the test cases in `test_case_ids`, those in `folder_ids` and their subfolders, or all test cases of the project if neither is set. A run with a `run_key` and without these starts empty and takes what is reported (`adds_test_cases`). Its results are in the order of the folder tree: folder by folder, each by position. If a run of the project has the same `run_key`, that run is returned with 200 instead: its name, test cases and fields do not change, keys that its metadata lacks are added, and `expected_shards` is set only if the run has none. Concurrent requests with the same key create one run.',
    params: ProjectParams,
    body: CreateRunBody,
    response: {
      200: { ...createdResponse, description: 'The existing run with this `run_key`.' },
      201: { ...createdResponse, description: 'The run was created.' },
      ...problems(400, 401, 403, 404, 413, 415, 422, 429),
    },
  },
} as const satisfies Endpoint

export const getRun = {
  method: 'GET',
  url: '/v1/runs/:run_id',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getRun',
    tags,
    summary: 'Get a run',
    description: 'Returns the run with its number of results by status and its pass rate.',
    params: RunParams,
    response: { 200: runResponse, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const updateRun = {
  method: 'PATCH',
  url: '/v1/runs/:run_id',
  config: { permission: 'runs:open-and-close', rateLimit: 'other' },
  schema: {
    operationId: 'updateRun',
    tags,
    summary: 'Update, complete or reopen a run',
    description:
      'Updates only the fields in the request. Completing a run whose results lack custom fields that their statuses need (`required_on`) is 422 `required_fields_missing`, with the first results that do; with `force: true`, admins complete it all the same, and CI tokens always can.',
    params: RunParams,
    body: UpdateRunBody,
    response: {
      200: runResponse,
      ...problems(400, 401, 403, 404, 413, 415, 429),
      422: { ...MissingFieldsProblem, description: 'Results lack custom fields that their statuses need.' },
    },
  },
} as const satisfies Endpoint

export const deleteRun = {
  method: 'DELETE',
  url: '/v1/runs/:run_id',
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'deleteRun',
    tags,
    summary: 'Delete a run',
    description: 'Deletes the run and its results.',
    params: RunParams,
    response: { 200: Message, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
