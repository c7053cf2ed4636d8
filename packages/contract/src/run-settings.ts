import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'
import { EQUAL_NAMES } from './upload-body.ts'

/** The most days that files of completed runs can be kept: ten years. */
export const MAX_RUN_FILES_DAYS = 3650

export const SHARE_SETTINGS = ['members', 'admins', 'off'] as const
export const STEPS_DECIDE = ['suggest', 'derive'] as const

/** How the runs of a project take reports from CI and results of steps, how long they keep files, and who may share them. */
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
  steps_decide: OneOf(STEPS_DECIDE, {
    description:
      'What the results of steps do with the status of their result. `suggest`: people decide, and the app suggests the status that follows. `derive`: it becomes the status, until somebody sets another.',
  }),
  keep_run_files_days: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: MAX_RUN_FILES_DAYS,
      description:
        'Days after which the files of completed runs are removed; their attachments stay and say so. Null for as long as the server keeps them, which it can limit.',
    }),
  ),
  shares: OneOf(SHARE_SETTINGS, {
    description:
      'Who may share reports of runs and milestones with people without an account: `members`, `admins`, or nobody. With `off`, reports that are shared already cannot be opened.',
  }),
})
export type RunSettings = Static<typeof RunSettings>

const example = {
  complete_after_minutes: 30,
  equal_names: 'tests',
  steps_decide: 'suggest',
  keep_run_files_days: null,
  shares: 'members',
} as const
const response = { 200: { ...Data(RunSettings), examples: [{ data: example }] } }

export const getRunSettings = {
  method: 'GET',
  url: '/v1/projects/:project_id/run-settings',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getRunSettings',
    tags: ['Projects'],
    summary: 'Get how runs take results',
    description: 'Returns the settings of the project for reports from CI, results of steps and files.',
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
    summary: 'Change how runs take results',
    description: 'Changes only the fields in the request.',
    params: ProjectParams,
    body: Type.Partial(RunSettings, { examples: [{ complete_after_minutes: 60 }] }),
    response: { ...response, ...problems(400, 401, 403, 404, 413, 415, 429) },
  },
} as const satisfies Endpoint
