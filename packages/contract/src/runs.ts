import { Type, type Static } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { Page, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { RunParams } from './results.ts'
import { Data, Id, LongText, Message, Name, Nullable, OneOf, StringMap, Timestamp } from './schemas.ts'

export const RUN_STATUSES = ['in_progress', 'completed'] as const
const RunStatus = OneOf(RUN_STATUSES, {
  description: 'A completed run is a record: it takes no results until reopened.',
})

const count = (what: string) => Type.Integer({ description: `Results that are ${what}.` })
export const StatusCounts = Type.Object({
  passed: count('passed'),
  failed: count('failed'),
  blocked: count('blocked'),
  retest: count('to be retested'),
  not_tested: count('not tested'),
})
export type StatusCounts = Static<typeof StatusCounts>

/** How many shards may report to a run. */
export const MAX_SHARDS = 1000

const example = {
  id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
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
}

export const Run = Type.Object(
  {
    id: Type.String({ description: 'Run id.' }),
    name: Type.String({ description: 'Display name.' }),
    description: Type.String({ description: 'What the run is for.' }),
    status: RunStatus,
    milestone_id: Nullable(Type.String({ description: 'The milestone it counts towards.' })),
    pass_rate: Type.Number({
      description: 'passed ÷ (all but not_tested) × 100, one decimal; 0 when nothing was tested.',
    }),
    stats: StatusCounts,
    result_count: Type.Integer({ description: 'Test cases in the run.' }),
    created_by: Nullable(Type.String({ description: 'User id; null when a CI token created it.' })),
    created_at: Timestamp('When it was created.'),
    updated_at: Timestamp('When it or one of its results last changed.'),
    completed_at: Nullable(Timestamp('When it was completed.')),
    run_key: Nullable(Type.String({ description: 'The key that it was asked for by; null when there was none.' })),
    metadata: StringMap('What is known of where it comes from: branch, commit, the address of the build.'),
    expected_shards: Nullable(
      Type.Integer({ description: 'After how many shards it is complete; null when unknown.' }),
    ),
    shards_done: Type.Array(Type.String(), { description: 'The shards that have reported, in that order.' }),
  },
  { examples: [example] },
)
export type Run = Static<typeof Run>

const milestone_id = Type.Optional(Nullable(Id('The milestone it counts towards.')))
const metadata = Type.Optional(
  StringMap(
    'What is known of where it comes from: up to 50 texts of up to 1,000 characters, such as branch and commit.',
  ),
)
const caseIds = (description: string) => Type.Array(Id('Test case id.'), { maxItems: 100_000, description })

export const CreateRunBody = Type.Object(
  {
    name: Name('Display name.'),
    description: Type.Optional(LongText('What the run is for.')),
    milestone_id,
    test_case_ids: Type.Optional(caseIds('The test cases to run.')),
    folder_ids: Type.Optional(
      Type.Array(Id('Folder id.'), { maxItems: 10_000, description: 'Run what lies in these folders and below them.' }),
    ),
    run_key: Type.Optional(
      Name('Names one run of the project, such as the id of a CI build: whoever sends it again gets that run.'),
    ),
    metadata,
    expected_shards: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_SHARDS,
        description: 'The run is completed when so many shards have reported.',
      }),
    ),
  },
  {
    examples: [
      { name: 'Nightly', test_case_ids: ['WEB-12', 'WEB-13'] },
      { name: 'Nightly', run_key: 'github-19482736512', metadata: { branch: 'main' }, expected_shards: 4 },
    ],
  },
)

export const UpdateRunBody = Type.Object(
  {
    name: Type.Optional(Name('Display name.')),
    description: Type.Optional(LongText('What the run is for.')),
    milestone_id,
    status: Type.Optional(RunStatus),
    metadata,
  },
  { examples: [{ status: 'completed' }, { metadata: { branch: 'main', commit: '8a006ed' } }] },
)

const tags = ['Runs'] as const
const one = { ...Data(Run), examples: [{ data: example }] }

export const listRuns = {
  method: 'GET',
  url: '/v1/projects/:project_id/runs',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listRuns',
    tags,
    summary: 'List runs',
    description: 'Test runs, the newest first.',
    params: ProjectParams,
    querystring: Type.Object({
      status: Type.Optional(OneOf(RUN_STATUSES, { description: 'Only those of this status.' })),
      milestone_id: Type.Optional(Id('Only those of this milestone.')),
      run_key: Type.Optional(Name('Only the one of this key.')),
      search: Type.Optional(
        Type.String({ format: 'text', maxLength: 255, description: 'Part of the name, in upper or lower case.' }),
      ),
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
  config: { permission: 'runs:open-and-close', rateLimit: 'other' },
  schema: {
    operationId: 'createRun',
    tags,
    summary: 'Create a run',
    description:
      'Over the test cases named, or over those in the folders named and below them, or over all of the project when neither is sent. With a `run_key` that a run of the project has, it answers that run with 200 and creates none: its name, cases and metadata stay as they are, and only `expected_shards` is filled in where the run has none. However many ask for the same key at once, one run is made.',
    params: ProjectParams,
    body: CreateRunBody,
    response: {
      200: { ...one, description: 'The run that has this `run_key` already.' },
      201: { ...one, description: 'The run that was made.' },
      ...problems(400, 401, 403, 404, 413, 415, 429),
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
    summary: 'Read a run',
    description: 'One run with its counts by status and its pass rate.',
    params: RunParams,
    response: { 200: one, ...problems(401, 403, 404, 429) },
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
    description: 'Changes only the fields sent.',
    params: RunParams,
    body: UpdateRunBody,
    response: { 200: one, ...problems(400, 401, 403, 404, 413, 415, 429) },
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
    description: 'Deletes the run with its results.',
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
    description: 'They join at the end, untested. Those already in the run stay as they are.',
    params: RunParams,
    body: Type.Object(
      { test_case_ids: caseIds('The test cases to add.') },
      { examples: [{ test_case_ids: ['WEB-14'] }] },
    ),
    response: { 200: one, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
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
      'Remembers that a shard of the suite has reported; once is as good as often. When `expected_shards` different ones have, the run is completed with that. A completed run stays as it is, but for the name; one that was reopened after its last shard is completed again by the next report. Takes no body.',
    params: Type.Object({
      ...RunParams.properties,
      name: Name('What the shard calls itself, such as `2` or `chromium-2`.'),
    }),
    response: { 200: one, ...problems(400, 401, 403, 404, 409, 429) },
  },
} as const satisfies Endpoint
