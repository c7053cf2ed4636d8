import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { ROLES } from './members.ts'
import { problems } from './problem.ts'
import { RunSettings } from './run-settings.ts'
import { Run, testStatsExample } from './run-schemas.ts'
import { Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'
import { TEMPLATES } from './test-case-fields.ts'
import { DefaultView } from './views.ts'

/** The permissions in a project that a role can have. */
export const PROJECT_PERMISSIONS = [
  'project:view',
  'test-cases:edit',
  'runs:open-and-close',
  'runs:execute',
  'files:upload',
  'comments:write',
  'views:keep',
  'members:view',
  'members:manage',
  'members:change-role',
  'milestones:manage',
  'quarantine:manage',
  'project:settings',
  'project:delete',
] as const

/** Most projects of one response. */
export const MAX_MY_PROJECTS = 1000
/** Most pass rates of one project. */
export const MAX_PASS_RATES = 20

const { id, name, status, stats, pass_rate, test_stats, created_at } = Run.properties

const LastRun = Type.Object(
  { id, name, status, stats, pass_rate, test_stats, created_at },
  { description: 'The run that was created last; null if there is none.' },
)

const example = {
  id: '019aa5b4-6f3e-7c11-9a52-0f6f3d1c8e77',
  name: 'Web shop',
  prefix: 'WEB',
  role: 'viewer',
  permissions: ['project:view', 'members:view'],
  test_case_count: 320,
  run_count: 41,
  member_count: 6,
  last_run: {
    id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
    name: 'Nightly',
    status: 'completed',
    stats: { passed: 3, failed: 1, blocked: 0, retest: 0, not_tested: 0 },
    pass_rate: 75,
    test_stats: testStatsExample,
    created_at: '2026-11-21T09:30:00.000Z',
  },
  pass_rates: [100, 50, 75],
  steps_decide: 'suggest',
}

export const MyProject = Type.Object(
  {
    id: Type.String({ description: 'Project id.' }),
    name: Type.String({ description: 'Display name.' }),
    prefix: Type.String({ description: 'Prefix of test case ids.' }),
    role: OneOf(ROLES, { description: 'Your role in the project.' }),
    permissions: Type.Array(OneOf(PROJECT_PERMISSIONS, { description: 'A permission.' }), {
      description: 'What your role permits. A read-only token cannot use those that change data.',
    }),
    test_case_count: Type.Integer({ description: 'Number of test cases.' }),
    run_count: Type.Integer({ description: 'Number of test runs.' }),
    member_count: Type.Integer({ description: 'Number of members.' }),
    last_run: Nullable(LastRun),
    pass_rates: Type.Array(Type.Number(), {
      description: `Pass rates of those of the last ${MAX_PASS_RATES} runs in which something was tested, oldest first.`,
    }),
    steps_decide: RunSettings.properties.steps_decide,
    fields_version: Type.Optional(
      Type.Integer({ description: 'Counts changes of the custom fields; absent if the project never had one.' }),
    ),
    default_template: Type.Optional(
      OneOf(TEMPLATES, { description: 'The template of new test cases; absent for `steps`.' }),
    ),
    has_configurations: Type.Optional(
      Type.Boolean({
        description: 'Whether test cases can be tested with configurations; absent if there are none in use.',
      }),
    ),
    has_aliases: Type.Optional(
      Type.Boolean({ description: 'Whether test cases have ids of other tools; absent if none has.' }),
    ),
    default_views: Type.Optional(
      Type.Array(
        Type.Object({
          page: DefaultView.properties.page,
          view_id: Type.String({ description: 'The view that the page opens with.' }),
        }),
        { description: 'The pages that open with a view for you; absent if there are none.' },
      ),
    ),
  },
  { examples: [example] },
)
export type MyProject = Static<typeof MyProject>

export const listMyProjects = {
  method: 'GET',
  url: '/v1/me/projects',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'listMyProjects',
    tags: ['Projects'],
    summary: 'List your projects',
    description: `Returns all your projects with your role and permissions, most recently updated first: at most ${MAX_MY_PROJECTS.toLocaleString('en')}, of the \`total\` in \`meta\`. \`GET /v1/projects\` lists any number in pages.`,
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(MyProject),
          meta: Type.Object({ total: Type.Integer({ description: 'Number of your projects.' }) }),
        }),
        examples: [{ data: [example], meta: { total: 1 } }],
      },
      ...problems(401, 403, 429),
    },
  },
} as const satisfies Endpoint
