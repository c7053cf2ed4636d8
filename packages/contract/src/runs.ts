import { Type, type Static } from 'typebox'

import { BODY_LIMIT, type Endpoint } from './endpoint.ts'
import { EvaluationCounts, EXCLUSIONS } from './evaluation-fields.ts'
import { FieldValues, IgnoredFields, ReportedFieldValues, StoredFieldValues } from './field-values.ts'
import { AfterQuery, Page, PageQuery } from './pagination.ts'
import { ExtendedProblem, problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { RunParams } from './results.ts'
import { NewRunConfigurations } from './run-configurations.ts'
import {
  CleanedName,
  Data,
  Id,
  Key,
  LongText,
  Message,
  Nullable,
  OneOf,
  StringMap,
  Timestamp,
  TimestampInput,
} from './schemas.ts'

export const RUN_STATUSES = ['in_progress', 'completed'] as const
const RunStatus = OneOf(RUN_STATUSES, {
  description: 'A completed run does not accept results until it is reopened.',
})

const count = (status: string) => Type.Integer({ description: `Number of results with the status \`${status}\`.` })
export const StatusCounts = Type.Object({
  passed: count('passed'),
  failed: count('failed'),
  blocked: count('blocked'),
  retest: count('retest'),
  not_tested: count('not_tested'),
})
export type StatusCounts = Static<typeof StatusCounts>

/** What the test cases of a run are tested with. */
export const RunConfiguration = Type.Object({
  place: Type.Integer({
    description: 'Place in the run, which never changes. It names the configuration in other requests.',
  }),
  name: Type.String({ description: 'Names of its configurations, such as `Chrome, Windows`.' }),
  stats: StatusCounts,
})
export type RunConfiguration = Static<typeof RunConfiguration>

export const TestStats = Type.Object(
  {
    total: Type.Integer({ description: 'Number of tests that were uploaded to the run.' }),
    unmatched: Type.Integer({ description: 'Number of tests that match no test case.' }),
    passed: Type.Integer({ description: 'Number of tests that passed, flaky ones included.' }),
    failed: Type.Integer({ description: 'Number of tests that failed, or could not run because something failed.' }),
    flaky: Type.Integer({ description: 'Number of tests that passed after another attempt had failed.' }),
    skipped: Type.Integer({ description: 'Number of tests that were skipped or interrupted.' }),
    unmatched_stats: Nullable(
      Type.Object(
        {
          passed: Type.Integer({ description: 'Number that passed.' }),
          failed: Type.Integer({ description: 'Number that failed, or could not run because something failed.' }),
          skipped: Type.Integer({ description: 'Number that were skipped or interrupted.' }),
        },
        {
          description:
            'The tests that match no test case by their outcome; null in runs of earlier versions until the next upload.',
        },
      ),
    ),
    errors: Type.Integer({
      description:
        'Number of errors outside of tests, such as a file that did not load. A run with errors is not green, whatever its pass rate.',
    }),
  },
  { description: 'Automated tests of the run, counted by their outcome.' },
)
export type TestStats = Static<typeof TestStats>

export const testStatsExample = {
  total: 5,
  unmatched: 1,
  passed: 4,
  failed: 1,
  flaky: 1,
  skipped: 0,
  unmatched_stats: { passed: 1, failed: 0, skipped: 0 },
  errors: 0,
}

/** What the automated tests of a run mean for its change, as lists show it. */
export const RunEvaluation = Type.Object({
  is_current: Type.Boolean({ description: 'Whether it knows all uploads.' }),
  excluded: Nullable(OneOf(EXCLUSIONS, { description: 'Why the run is no base for others; null if it counts.' })),
  counts: EvaluationCounts,
  blocking_count: Type.Integer({
    description: 'Number of verdicts that block, and of errors outside of tests, which always do.',
  }),
})
export type RunEvaluation = Static<typeof RunEvaluation>

/** The maximum number of shards of a run. */
export const MAX_SHARDS = 1000

const example = {
  id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
  project_id: '019aa5b4-6f3e-7c11-9a52-0f6f3d1c8e77',
  name: 'Nightly',
  description: '',
  status: 'in_progress',
  milestone_id: null,
  pass_rate: 75,
  stats: { passed: 3, failed: 1, blocked: 0, retest: 0, not_tested: 8 },
  result_count: 12,
  created_by: '019aa5b0-11aa-7b7b-8c8c-9d9d0e0e1f1f',
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
  completed_at: null,
  run_key: 'github-19482736512',
  metadata: { branch: 'main', commit: '8a006ed', ci_url: 'https://ci.example.com/builds/19482736512' },
  expected_shards: 4,
  shards_done: ['1', '3'],
  adds_test_cases: true,
  test_stats: testStatsExample,
  suite_error_count: 0,
  attachment_count: 0,
  waiting_file_count: 0,
  comment_count: 0,
}

export const Run = Type.Object(
  {
    id: Type.String({ description: 'Run id.' }),
    project_id: Type.String({ description: 'Project of the run.' }),
    name: Type.String({ description: 'Display name.' }),
    description: Type.String({ description: 'Description.' }),
    status: RunStatus,
    milestone_id: Nullable(Type.String({ description: 'Milestone of the run; null for none.' })),
    pass_rate: Type.Number({
      description:
        'Share of passed results among all tested results in percent, with one decimal; 0 if nothing was tested.',
    }),
    stats: StatusCounts,
    result_count: Type.Integer({ description: 'Number of test cases in the run.' }),
    created_by: Nullable(Type.String({ description: 'User id; null if the run was created with a CI token.' })),
    created_at: Timestamp('When the run was created.'),
    updated_at: Timestamp('When the run or one of its results last changed.'),
    completed_at: Nullable(Timestamp('When the run was completed.')),
    run_key: Nullable(Type.String({ description: 'Run key; null for none.' })),
    metadata: StringMap('Metadata such as branch, commit and the URL of the CI build.'),
    expected_shards: Nullable(
      Type.Integer({ description: 'Number of shards after which the run is completed; null if unknown.' }),
    ),
    shards_done: Type.Array(Type.String(), {
      description: 'Names of the shards that are done, in the order of their reports.',
    }),
    adds_test_cases: Type.Boolean({
      description: 'Whether test cases that match uploaded tests are added to the run.',
    }),
    test_stats: TestStats,
    suite_error_count: Type.Integer({ description: 'Number of errors outside of tests.' }),
    attachment_count: Type.Integer({ description: 'Number of attachments of the run, its results and tests.' }),
    waiting_file_count: Type.Integer({
      description: 'Number of attachments that an upload declared and whose content has not arrived yet.',
    }),
    comment_count: Type.Integer({
      description: 'Number of comments on the run itself, without deleted ones and those on its results.',
    }),
    configurations: Type.Optional(
      Type.Array(RunConfiguration, {
        description:
          'What the test cases are tested with, with the number of combinations by status; absent without any.',
      }),
    ),
    combination_count: Type.Optional(
      Type.Integer({ description: 'Number of combinations of all results; absent without configurations.' }),
    ),
    fields: Type.Optional(
      StoredFieldValues('Values of the custom fields of runs by their keys; absent if there are none.'),
    ),
    evaluation: Type.Optional(RunEvaluation),
  },
  { examples: [example] },
)
export type Run = Static<typeof Run>

const milestone_id = Type.Optional(Nullable(Id('Milestone of the run; null for none.')))
const metadata = Type.Optional(
  StringMap('Metadata such as branch and commit: up to 50 strings of up to 1,000 characters.'),
)
const caseIds = (description: string) => Type.Array(Id('Test case id.'), { maxItems: 100_000, description })

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
const runResponse = { ...Data(Run), examples: [{ data: example }] }
const createdResponse = {
  ...Type.Object({ data: Run, ignored_fields: Type.Optional(IgnoredFields) }),
  examples: [{ data: example }],
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
      200: { ...Page(Run), examples: [{ data: [example], meta: { page: 1, per_page: 20, total: 1 } }] },
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

export const addTestCasesToRun = {
  method: 'POST',
  url: '/v1/runs/:run_id/test-cases',
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'addTestCasesToRun',
    tags,
    summary: 'Add test cases to a run',
    description:
      'Adds test cases to the end of the run with the status `not_tested`, in the order of the folder tree. Test cases that are in the run already do not change.',
    params: RunParams,
    body: Type.Object({ test_case_ids: caseIds('Test cases to add.') }, { examples: [{ test_case_ids: ['WEB-14'] }] }),
    response: { 200: runResponse, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const removeTestCasesFromRun = {
  method: 'DELETE',
  url: '/v1/runs/:run_id/test-cases',
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'removeTestCasesFromRun',
    tags,
    summary: 'Remove test cases from a run',
    description:
      'Removes test cases with their results from the run. Test cases that are not in the run are ignored, so that the request can be repeated.',
    params: RunParams,
    body: Type.Object(
      { test_case_ids: caseIds('Test cases to remove.') },
      { examples: [{ test_case_ids: ['WEB-14'] }] },
    ),
    response: { 200: runResponse, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const reportShardDone = {
  method: 'POST',
  url: '/v1/runs/:run_id/shards/:name/done',
  config: { permission: 'runs:open-and-close', rateLimit: 'other' },
  schema: {
    operationId: 'reportShardDone',
    tags,
    summary: 'Report that a shard is done',
    description:
      'Marks a shard of the run as done; repeating the request has no effect. When `expected_shards` different shards are done, the run is completed. For a completed run, only the name of the shard is added. If the run was reopened after its last shard, the next report completes it again. With `job`, the shards of each CI job are counted apart, and the run completes by itself once all jobs that have begun are done and no report has come for as long as the project says (`complete_after_minutes`). The body can be left out.',
    params: Type.Object({
      ...RunParams.properties,
      name: Key('Name of the shard, such as `2` or `chromium-2`.'),
    }),
    body: Nullable(
      Type.Object(
        {
          job: Type.Optional(
            Type.String({ format: 'text', description: 'Name of the CI job. Truncated to 255 characters.' }),
          ),
          expected_shards: Type.Optional(
            Type.Integer({ minimum: 1, maximum: MAX_SHARDS, description: 'Number of shards of the job.' }),
          ),
        },
        { examples: [{ job: 'CI / test', expected_shards: 4 }] },
      ),
    ),
    response: { 200: runResponse, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
  },
} as const satisfies Endpoint
