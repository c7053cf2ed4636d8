import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { AfterQuery, Page, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { RUN_STATUSES, StatusCounts } from './run-schemas.ts'
import { Id, LongText, Name, Nullable, OneOf, Timestamp, TimestampInput } from './schemas.ts'
import type { Static } from './static.ts'

/** In this order, the status of a milestone with sub-milestones is the first one that a sub-milestone has. */
export const MILESTONE_STATUSES = ['active', 'completed', 'archived'] as const
export type MilestoneStatus = (typeof MILESTONE_STATUSES)[number]

const MILESTONE_PHASES = ['upcoming', 'started', 'past_due', 'completed'] as const
export type MilestonePhase = (typeof MILESTONE_PHASES)[number]

const DATE_MODES = ['auto', 'manual'] as const

const id = Type.String({ description: 'Milestone id.' })
const name = Type.String({ description: 'Display name.' })
const status = OneOf(MILESTONE_STATUSES, {
  description:
    'Status of the milestone. With sub-milestones, it is derived from them: `archived` if all are archived, `completed` if all are completed or archived, otherwise `active`.',
})
const progress = Type.Number({
  minimum: 0,
  maximum: 100,
  description:
    'Progress in percent, a whole number: 100 if the milestone is completed, otherwise the share of tested results in its linked runs. With sub-milestones, it is the mean of their progress.',
})

const itemFields = {
  id,
  name,
  description: Type.String({ description: 'Description; empty if not set.' }),
  start_date: Nullable(Timestamp('Start date.')),
  due_date: Nullable(Timestamp('Due date.')),
  status,
  parent_id: Nullable(Type.String({ description: 'Parent milestone; null at the top level.' })),
  progress,
  created_at: Timestamp('When the milestone was created.'),
  updated_at: Timestamp('When a field of the milestone last changed.'),
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

const phase = OneOf(MILESTONE_PHASES, {
  description:
    '`completed` if the status is completed or archived, otherwise `past_due` if the due date has passed, otherwise `upcoming` if the start date is in the future, otherwise `started`.',
})
const shownDateMode = OneOf(DATE_MODES, {
  description:
    '`auto`: the dates are derived from sub-milestones, if there are any. `manual`: the dates are set explicitly.',
})

/** What `fields=all` adds to each item of a list. Sub-milestones count, as in their readiness. */
const MilestoneOverview = Type.Object({
  phase,
  date_mode: shownDateMode,
  run_count: Type.Integer({
    minimum: 0,
    description: 'Number of runs linked to the milestone and to its sub-milestones.',
  }),
  stats: { ...StatusCounts, description: 'Results of these runs by status.' },
})
export type MilestoneOverview = Static<typeof MilestoneOverview>

export const MilestoneListItem = Type.Object({ ...itemFields, ...Type.Partial(MilestoneOverview).properties })
export type MilestoneListItem = Static<typeof MilestoneListItem>

const milestoneFields = { ...itemFields, phase, date_mode: shownDateMode }

export const Milestone = Type.Object(milestoneFields, { examples: [example] })
export type Milestone = Static<typeof Milestone>

const LinkedRun = Type.Object({
  id: Type.String({ description: 'Run id.' }),
  name: Type.String({ description: 'Display name of the run.' }),
  status: OneOf(RUN_STATUSES, { description: 'Status of the run.' }),
  pass_rate: Type.Number({
    description:
      'Share of passed results among all tested results in percent, with one decimal; 0 if nothing was tested.',
  }),
})

export const MilestoneDetail = Type.Object(
  {
    ...milestoneFields,
    linked_runs: Type.Array(LinkedRun, {
      description: 'Runs linked to this milestone, newest first, without those of sub-milestones.',
    }),
    sub_milestones: Type.Array(Type.Object({ id, name, status, progress }), {
      description: 'Sub-milestones in the order of their creation.',
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

const start_date = Type.Optional(Nullable(TimestampInput('Start date; null for none.')))
const due_date = Type.Optional(Nullable(TimestampInput('Due date, not before the start date; null for none.')))
const date_mode = Type.Optional(
  OneOf(DATE_MODES, {
    description: '`auto`: derive the dates from sub-milestones, if there are any. `manual`: set the dates explicitly.',
  }),
)

export const CreateMilestoneBody = Type.Object(
  {
    name: Name('Display name.'),
    description: Type.Optional(LongText('Description.')),
    start_date,
    due_date,
    parent_id: Type.Optional(
      Nullable(Id('Parent milestone, which must not be a sub-milestone itself; null for the top level.')),
    ),
    date_mode,
  },
  { examples: [{ name: 'Release 2.0', due_date: '2026-12-01' }] },
)

export const UpdateMilestoneBody = Type.Object(
  {
    name: Type.Optional(Name('Display name.')),
    description: Type.Optional(LongText('Description.')),
    start_date,
    due_date,
    date_mode,
    status: Type.Optional(
      OneOf(MILESTONE_STATUSES, { description: 'New status. Not allowed for a milestone with sub-milestones.' }),
    ),
  },
  { examples: [{ status: 'completed' }] },
)

export const MilestoneParams = Type.Object({
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
    description: 'Returns milestones and sub-milestones in one list, newest first.',
    params: ProjectParams,
    querystring: Type.Object({
      status: Type.Optional(
        OneOf(MILESTONE_STATUSES, { description: 'Return only milestones with this status, derived or not.' }),
      ),
      fields: Type.Optional(
        OneOf(['all'], {
          description:
            '`all` adds the phase, the date mode, the number of runs and their results by status to each item.',
        }),
      ),
      ...AfterQuery,
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
      'Creates an active milestone. With a `parent_id`, it is a sub-milestone: the parent then derives its status and progress from its sub-milestones and, with `date_mode: "auto"`, also its dates: the earliest start date and the latest due date. A date that no sub-milestone has keeps its own value.',
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
    summary: 'Get a milestone',
    description: 'Returns the milestone with its linked runs and its sub-milestones.',
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
      'Updates only the fields in the request. The status of a milestone with sub-milestones cannot be set (`status_is_derived`). Setting a date of such a milestone changes its `date_mode` to `manual`, and the other date keeps its derived value; `date_mode: "auto"` derives both again.',
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
      'Deletes the milestone. Its runs are kept without a milestone. Its sub-milestones move to the top level and keep their status, dates and runs. A milestone whose last sub-milestone is deleted has its own status, dates and runs again.',
    params: MilestoneParams,
    response: { 204: Type.Null({ description: 'The milestone was deleted.' }), ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
