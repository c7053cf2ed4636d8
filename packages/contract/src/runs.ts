import { Type, type Static } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { Page, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { RunParams } from './results.ts'
import { Data, Id, LongText, Message, Name, Nullable, OneOf, Timestamp } from './shapes.ts'

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
  },
  { examples: [example] },
)
export type Run = Static<typeof Run>

const milestone_id = Type.Optional(Nullable(Id('The milestone it counts towards.')))
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
  },
  { examples: [{ name: 'Nightly', test_case_ids: ['WEB-12', 'WEB-13'] }] },
)

export const UpdateRunBody = Type.Object(
  {
    name: Type.Optional(Name('Display name.')),
    description: Type.Optional(LongText('What the run is for.')),
    milestone_id,
    status: Type.Optional(RunStatus),
  },
  { examples: [{ status: 'completed' }] },
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
      'Over the test cases named, or over those in the folders named and below them, or over all of the project when neither is sent.',
    params: ProjectParams,
    body: CreateRunBody,
    response: { 201: one, ...problems(400, 401, 403, 404, 413, 415, 429) },
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
