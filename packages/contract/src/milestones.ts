import { Type, type Static } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { Page, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { RUN_STATUSES } from './runs.ts'
import { Id, LongText, Name, Nullable, OneOf, Timestamp, TimestampInput } from './schemas.ts'

/** From the least to the most finished: the status of a milestone with sub-milestones is the least of theirs. */
export const MILESTONE_STATUSES = ['active', 'completed', 'archived'] as const
export type MilestoneStatus = (typeof MILESTONE_STATUSES)[number]

const MILESTONE_PHASES = ['upcoming', 'started', 'past_due', 'completed'] as const
export type MilestonePhase = (typeof MILESTONE_PHASES)[number]

const DATE_MODES = ['auto', 'manual'] as const

const id = Type.String({ description: 'Milestone id.' })
const name = Type.String({ description: 'Display name.' })
const status = OneOf(MILESTONE_STATUSES, {
  description:
    'Its own; with sub-milestones derived from them: `archived` when all are, `completed` when each is completed or archived, else `active`.',
})
const progress = Type.Number({
  minimum: 0,
  maximum: 100,
  description:
    'Percent, a whole number: 100 when completed, else the share of the results in its linked runs that are tested; with sub-milestones the mean of theirs.',
})

const itemFields = {
  id,
  name,
  description: Type.String({ description: 'What it is about; empty when not given.' }),
  start_date: Nullable(Timestamp('When work on it starts.')),
  due_date: Nullable(Timestamp('When it is due.')),
  status,
  parent_id: Nullable(Type.String({ description: 'The milestone that it is a part of; null at the top.' })),
  progress,
  created_at: Timestamp('When it was created.'),
  updated_at: Timestamp('When its own fields last changed.'),
}

const itemExample = {
  id: '019aa5b7-51d2-7b0f-8a3e-5c9d0e4f6b12',
  name: 'Release 2.0',
  description: '',
  start_date: null,
  due_date: '2026-12-01T00:00:00.000Z',
  status: 'active',
  parent_id: null,
  progress: 40,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
}
const example = { ...itemExample, phase: 'started', date_mode: 'auto' }

export const MilestoneListItem = Type.Object(itemFields)
export type MilestoneListItem = Static<typeof MilestoneListItem>

const milestoneFields = {
  ...itemFields,
  phase: OneOf(MILESTONE_PHASES, {
    description:
      '`completed` when the status is completed or archived, else `past_due` when the due date has gone by, else `upcoming` when the start date lies ahead, else `started`.',
  }),
  date_mode: OneOf(DATE_MODES, {
    description: '`auto`: with sub-milestones, dates are derived from them. `manual`: dates are set by hand.',
  }),
}

export const Milestone = Type.Object(milestoneFields, { examples: [example] })
export type Milestone = Static<typeof Milestone>

const LinkedRun = Type.Object({
  id: Type.String({ description: 'Run id.' }),
  name: Type.String({ description: "The run's name." }),
  status: OneOf(RUN_STATUSES, { description: 'Whether it is still open.' }),
  pass_rate: Type.Number({
    description: 'passed ÷ (all but not_tested) × 100, one decimal; 0 when nothing was tested.',
  }),
})

export const MilestoneDetail = Type.Object(
  {
    ...milestoneFields,
    linked_runs: Type.Array(LinkedRun, { description: 'The runs linked to this milestone itself, the newest first.' }),
    sub_milestones: Type.Array(Type.Object({ id, name, status, progress }), {
      description: 'Its sub-milestones in the order in which they were created.',
    }),
  },
  {
    examples: [
      {
        ...example,
        linked_runs: [
          { id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01', name: 'Nightly', status: 'in_progress', pass_rate: 75 },
        ],
        sub_milestones: [],
      },
    ],
  },
)
export type MilestoneDetail = Static<typeof MilestoneDetail>

const start_date = Type.Optional(Nullable(TimestampInput('When work on it starts; null for no date.')))
const due_date = Type.Optional(Nullable(TimestampInput('When it is due, not before it starts; null for no date.')))
const date_mode = Type.Optional(
  OneOf(DATE_MODES, { description: 'Whether dates are derived from sub-milestones, once there are any.' }),
)

export const CreateMilestoneBody = Type.Object(
  {
    name: Name('Display name.'),
    description: Type.Optional(LongText('What it is about.')),
    start_date,
    due_date,
    parent_id: Type.Optional(
      Nullable(Id('Makes it a sub-milestone of this one, which must not be a sub-milestone itself.')),
    ),
    date_mode,
  },
  { examples: [{ name: 'Release 2.0', due_date: '2026-12-01' }] },
)

export const UpdateMilestoneBody = Type.Object(
  {
    name: Type.Optional(Name('Display name.')),
    description: Type.Optional(LongText('What it is about.')),
    start_date,
    due_date,
    date_mode,
    status: Type.Optional(OneOf(MILESTONE_STATUSES, { description: 'Not for a milestone with sub-milestones.' })),
  },
  { examples: [{ status: 'completed' }] },
)

const MilestoneParams = Type.Object({
  project_id: Type.String({ description: 'Project id.' }),
  milestone_id: Type.String({ description: 'Milestone id.' }),
})

const tags = ['Milestones'] as const

export const listMilestones = {
  method: 'GET',
  url: '/v1/projects/:project_id/milestones',
  config: { permission: 'project:view', rateLimit: 'milestones' },
  schema: {
    operationId: 'listMilestones',
    tags,
    summary: 'List milestones',
    description: 'Milestones and sub-milestones in one list, the newest first. The filter goes by the status shown.',
    params: ProjectParams,
    querystring: Type.Object({
      status: Type.Optional(OneOf(MILESTONE_STATUSES, { description: 'Only those of this status.' })),
      ...PageQuery,
    }),
    response: {
      200: {
        ...Page(MilestoneListItem),
        examples: [{ data: [itemExample], meta: { page: 1, per_page: 20, total: 1 } }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const createMilestone = {
  method: 'POST',
  url: '/v1/projects/:project_id/milestones',
  config: { permission: 'milestones:manage', rateLimit: 'milestones' },
  schema: {
    operationId: 'createMilestone',
    tags,
    summary: 'Create a milestone',
    description:
      'A new milestone is active. With a `parent_id` it is a sub-milestone, from which the other then derives its status, its progress and, unless its dates are set by hand, its dates: the earliest start and the latest due. A date that no sub-milestone has stays as it was sent.',
    params: ProjectParams,
    body: CreateMilestoneBody,
    response: { 201: Milestone, ...problems(400, 401, 403, 404, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const getMilestone = {
  method: 'GET',
  url: '/v1/projects/:project_id/milestones/:milestone_id',
  config: { permission: 'project:view', rateLimit: 'milestones' },
  schema: {
    operationId: 'getMilestone',
    tags,
    summary: 'Read a milestone',
    description: 'One milestone with the runs linked to it and its sub-milestones.',
    params: MilestoneParams,
    response: { 200: MilestoneDetail, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const updateMilestone = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/milestones/:milestone_id',
  config: { permission: 'milestones:manage', rateLimit: 'milestones' },
  schema: {
    operationId: 'updateMilestone',
    tags,
    summary: 'Update, complete or archive a milestone',
    description:
      'Changes only the fields sent. A milestone with sub-milestones takes no status (`status_is_derived`). A date sent for one turns its `date_mode` to manual, and a date not sent then stays as it was shown; `date_mode: "auto"` derives them again.',
    params: MilestoneParams,
    body: UpdateMilestoneBody,
    response: { 200: Milestone, ...problems(400, 401, 403, 404, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const deleteMilestone = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/milestones/:milestone_id',
  config: { permission: 'milestones:manage', rateLimit: 'milestones' },
  schema: {
    operationId: 'deleteMilestone',
    tags,
    summary: 'Delete a milestone',
    description:
      'Its runs stay without a milestone. Its sub-milestones move to the top and keep their own status, dates and runs. A milestone that loses its last sub-milestone has its own status, dates and runs again.',
    params: MilestoneParams,
    response: { 204: Type.Null({ description: 'It was deleted.' }), ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
