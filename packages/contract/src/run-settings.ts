import { Type, type Static } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Nullable, OneOf } from './schemas.ts'
import { EQUAL_NAMES } from './upload-body.ts'

/** How the runs of a project take reports from CI. */
export const RunSettings = Type.Object({
  complete_after_minutes: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 10_080,
      description:
        'Minutes without a report after which a run of CI completes by itself, once its CI jobs are done: up to a week, 0 for at once, null for never.',
    }),
  ),
  equal_names: OneOf(EQUAL_NAMES, {
    description:
      'What several elements with the same class name and name in one `<testsuite>` are, unless an upload says so: several `tests`, or `attempts` at one.',
  }),
})
export type RunSettings = Static<typeof RunSettings>

const example = { complete_after_minutes: 30, equal_names: 'tests' } as const
const response = { 200: { ...Data(RunSettings), examples: [{ data: example }] } }

export const getRunSettings = {
  method: 'GET',
  url: '/v1/projects/:project_id/run-settings',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getRunSettings',
    tags: ['Projects'],
    summary: 'Get how runs take reports from CI',
    description: 'Returns the settings of the project for runs of CI.',
    params: ProjectParams,
    response: { ...response, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const updateRunSettings = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/run-settings',
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'updateRunSettings',
    tags: ['Projects'],
    summary: 'Change how runs take reports from CI',
    description: 'Changes only the fields in the request.',
    params: ProjectParams,
    body: Type.Partial(RunSettings, { examples: [{ complete_after_minutes: 60 }] }),
    response: { ...response, ...problems(400, 401, 403, 404, 413, 415, 429) },
  },
} as const satisfies Endpoint
