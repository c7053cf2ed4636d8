import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { getMilestone } from './milestones.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { RunParams } from './results.ts'
import { Data, Name, Nullable, OneOf, Timestamp, TimestampInput } from './schemas.ts'
import type { Static } from './static.ts'

/** What a shared report shows besides titles, statuses, durations and times. */
export const SHARE_PARTS = ['notes', 'steps', 'people', 'files', 'links', 'comments'] as const
export type SharePart = (typeof SHARE_PARTS)[number]

/** The most shared reports of a project that can be opened. */
export const MAX_SHARES = 100
export const DEFAULT_SHARE_DAYS = 30
export const MAX_SHARE_DAYS = 365

export const SHARE_SUBJECT_KINDS = ['run', 'milestone'] as const
export const SHARE_STATES = ['open', 'expired', 'revoked'] as const
export const SHARE_REVIEW_REASONS = ['creator_left'] as const

const SharePartSchema = OneOf(SHARE_PARTS, {
  description:
    '`notes`: of results. `steps`: their statuses and actual results. `people`: who tested; without it, no name and no email address of a user is shown. `files`: attached to results. `links`: to defects and requirements. `comments`: on results that did not pass and on runs, without their authors unless `people` is included.',
})

const shareFields = {
  id: Type.String({ description: 'Id of the shared report.' }),
  name: Type.String({ description: 'Name, which the report shows.' }),
  subject: Type.Object(
    {
      kind: OneOf(SHARE_SUBJECT_KINDS, { description: 'What the report is about.' }),
      id: Type.String({ description: 'Id of the run or milestone.' }),
      name: Type.String({ description: 'Name of the run or milestone.' }),
    },
    { description: 'The run or milestone. The report ends with it.' },
  ),
  include: Type.Array(SharePartSchema, { description: 'What the report shows besides.' }),
  state: OneOf(SHARE_STATES, { description: '`open`: the report can be opened.' }),
  created_by: Nullable(Type.String({ description: 'User id; null if the account is gone.' })),
  created_at: Timestamp('When it was created.'),
  expires_at: Timestamp('When it can no longer be opened.'),
  revoked_at: Nullable(Timestamp('When it was revoked; null if it was not.')),
  view_count: Type.Integer({ description: 'How often it was opened, a few seconds late.' }),
  viewed_at: Nullable(Timestamp('When it was last opened; null if never.')),
  review_reason: Nullable(
    OneOf(SHARE_REVIEW_REASONS, {
      description:
        'Why somebody should check whether it is still needed. `creator_left`: the user who created it may not do so any more. Null if it needs no review.',
    }),
  ),
}

export const Share = Type.Object(shareFields)
export type Share = Static<typeof Share>

export const NewShare = Type.Object({
  ...shareFields,
  url: Type.String({ description: 'The address of the report. It is returned only once.' }),
})
export type NewShare = Static<typeof NewShare>

export const CreateShareBody = Type.Object(
  {
    name: Name('Name, which the report shows.'),
    expires_at: Type.Optional(
      TimestampInput(
        `When the report can no longer be opened: at most ${MAX_SHARE_DAYS} days from now. ${DEFAULT_SHARE_DAYS} days by default.`,
      ),
    ),
    include: Type.Array(SharePartSchema, {
      maxItems: SHARE_PARTS.length,
      description: 'What the report shows besides titles, statuses, durations and times.',
    }),
  },
  { examples: [{ name: 'Release 2.4 for Acme', include: ['notes', 'files'] }] },
)
export type CreateShareBody = Static<typeof CreateShareBody>

const example: Share = {
  id: '019aa5c4-2b3c-7d4e-8f50-6b7c8d9e0f10',
  name: 'Release 2.4 for Acme',
  subject: { kind: 'run', id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01', name: 'Nightly' },
  include: ['notes', 'files'],
  state: 'open',
  created_by: '019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40',
  created_at: '2026-11-21T09:30:00.000Z',
  expires_at: '2026-12-21T09:30:00.000Z',
  revoked_at: null,
  view_count: 12,
  viewed_at: '2026-11-23T14:05:00.000Z',
  review_reason: null,
}
const newExample: NewShare = {
  ...example,
  view_count: 0,
  viewed_at: null,
  url: 'https://caseward.example.com/shared/cws_… (returned only once)',
}

const tags = ['Shared reports'] as const
const list = {
  ...Type.Object({
    data: Type.Array(Share),
    meta: Type.Object({
      can_create: Type.Boolean({ description: 'Whether you may share reports in this project now.' }),
      refusal: Nullable(Type.String({ description: 'Why not, as a sentence; null if you may.' })),
    }),
  }),
  examples: [{ data: [example], meta: { can_create: true, refusal: null } }],
}
const created = { ...Data(NewShare), examples: [{ data: newExample }] }
const LIST = 'Returns those that can be opened and the last ones that have ended, the newest first.'
const CREATION = `Creates an address at which anyone who has it reads the report, without an account, until it expires, is revoked, or what it is about is deleted. It shows the state of the moment in which it is opened. The address is returned only once. Returns 403 \`shares_disabled\` if the project or the instance does not allow it, and 422 \`too_many_shares\` if ${MAX_SHARES} reports of the project can be opened.`

const milestoneParams = getMilestone.schema.params
const runUrl = '/v1/runs/:run_id/shares'
const milestoneUrl = `${getMilestone.url}/shares` as const
const projectUrl = '/v1/projects/:project_id/shares'

export const listRunShares = {
  method: 'GET',
  url: runUrl,
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listRunShares',
    tags,
    summary: 'List the shared reports of a run',
    description: LIST,
    params: RunParams,
    response: { 200: list, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const createRunShare = {
  method: 'POST',
  url: runUrl,
  config: { permission: 'runs:execute', rateLimit: 'other', returnsSecret: true },
  schema: {
    operationId: 'createRunShare',
    tags,
    summary: 'Share a report of a run',
    description: `${CREATION} With its reruns, a test case counts once, with its newest result.`,
    params: RunParams,
    body: CreateShareBody,
    response: { 201: created, ...problems(400, 401, 403, 404, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const listMilestoneShares = {
  method: 'GET',
  url: milestoneUrl,
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listMilestoneShares',
    tags,
    summary: 'List the shared reports of a milestone',
    description: LIST,
    params: milestoneParams,
    response: { 200: list, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const createMilestoneShare = {
  method: 'POST',
  url: milestoneUrl,
  config: { permission: 'milestones:manage', rateLimit: 'other', returnsSecret: true },
  schema: {
    operationId: 'createMilestoneShare',
    tags,
    summary: 'Share a report of a milestone',
    description: `${CREATION} It is about the runs of the milestone and of its sub-milestones.`,
    params: milestoneParams,
    body: CreateShareBody,
    response: { 201: created, ...problems(400, 401, 403, 404, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const listShares = {
  method: 'GET',
  url: projectUrl,
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listShares',
    tags,
    summary: 'List the shared reports of a project',
    description: LIST,
    params: ProjectParams,
    response: { 200: list, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const revokeShare = {
  method: 'DELETE',
  url: `${projectUrl}/:share_id`,
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'revokeShare',
    tags,
    summary: 'Revoke a shared report',
    description:
      'From then on, the report can no longer be opened. Every member may revoke a report, whoever has shared it, also when sharing was turned off since.',
    params: Type.Object({
      ...ProjectParams.properties,
      share_id: Type.String({ description: 'Id of the shared report.' }),
    }),
    response: { 204: { ...Type.Null(), description: 'The report was revoked.' }, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
