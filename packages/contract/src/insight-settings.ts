import { Type } from 'typebox'

import { type Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Id, Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'

/** What a template of an address may have in braces; it must have the title. */
export const ISSUE_PLACES = ['title', 'body', 'labels', 'url'] as const
export const MAX_ISSUE_TEMPLATE = 2000

/** What failures are compared with, what happens by itself, and where issues are created. */
export const InsightSettings = Type.Object({
  default_branch: Nullable(
    Type.String({ description: 'Default branch that a user set; null to take what CI reports.' }),
  ),
  effective_default_branch: Nullable(
    Type.String({
      description:
        'Default branch that is used: the setting, else what CI reported last, else `main` or `master` if a run has it. Null if it is unknown: failures cannot be compared then.',
    }),
  ),
  auto_quarantine: Type.Object(
    {
      enabled: Type.Boolean({ description: 'Whether tests that become flaky are quarantined.' }),
      owner_id: Nullable(
        Type.String({ description: 'User who looks after these tests; null for none, as after they left.' }),
      ),
    },
    { description: 'Automatic quarantine.' },
  ),
  issue_template: Nullable(
    Type.String({
      description: 'Address of the page of the issue tracker that creates an issue, with places; null for none.',
    }),
  ),
  has_repetitions: Type.Optional(
    Type.Boolean({
      description:
        'With `fields=repetitions`: whether in the last 30 days a test was attempted again after a failure, or a commit was run twice. Without that, flaky tests cannot be told from failures.',
    }),
  ),
})
export type InsightSettings = Static<typeof InsightSettings>

export const UpdateInsightSettingsBody = Type.Object(
  {
    default_branch: Type.Optional(
      Nullable(
        Type.String({
          format: 'text',
          'x-trim': true,
          minLength: 1,
          maxLength: 255,
          description: 'Default branch; null to take what CI reports.',
        }),
      ),
    ),
    auto_quarantine: Type.Optional(
      Type.Object(
        {
          enabled: Type.Optional(Type.Boolean({ description: 'Whether tests that become flaky are quarantined.' })),
          owner_id: Type.Optional(
            Nullable(Id('Member of the project who looks after these tests; required if it is enabled.')),
          ),
        },
        { description: 'Automatic quarantine. Only the fields that are sent change.' },
      ),
    ),
    issue_template: Type.Optional(
      Nullable(
        Type.String({
          format: 'text',
          'x-trim': true,
          minLength: 1,
          maxLength: MAX_ISSUE_TEMPLATE,
          description:
            'Address of the page of the issue tracker that creates an issue: `http` or `https`, with `{title}`, and perhaps `{body}`, `{labels}` and `{url}`, behind the host. Browsers open it; the server never does. Null for none.',
        }),
      ),
    ),
  },
  { examples: [{ default_branch: 'develop' }] },
)

const example = {
  default_branch: null,
  effective_default_branch: 'main',
  auto_quarantine: { enabled: false, owner_id: null },
  issue_template: 'https://tracker.example.com/new?summary={title}&description={body}',
}
const response = { 200: { ...Data(InsightSettings), examples: [{ data: example }] } }

export const getInsightSettings = {
  method: 'GET',
  url: '/v1/projects/:project_id/insight-settings',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getInsightSettings',
    tags: ['Insight'],
    summary: 'Get what failures are compared with',
    description: 'Returns the default branch of the project, its automatic quarantine, and where issues are created.',
    params: ProjectParams,
    querystring: Type.Object({
      fields: Type.Optional(OneOf(['repetitions'], { description: '`repetitions`: also return `has_repetitions`.' })),
    }),
    response: { ...response, ...problems(400, 401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const updateInsightSettings = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/insight-settings',
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'updateInsightSettings',
    tags: ['Insight'],
    summary: 'Change what failures are compared with',
    description:
      'Changes only the fields in the request. With another default branch, runs that are not settled are evaluated again.',
    params: ProjectParams,
    body: UpdateInsightSettingsBody,
    response: { ...response, ...problems(400, 401, 403, 404, 413, 415, 429) },
  },
} as const satisfies Endpoint
