import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, OneOf } from './schemas.ts'
import type { Static } from './static.ts'
import { TEMPLATES } from './test-case-fields.ts'

/** How the test cases of a project are written. */
export const CaseSettings = Type.Object({
  default_template: OneOf(TEMPLATES, {
    description:
      'The template of new test cases that do not say theirs: a list of `steps`, or one `text`. Those with more steps than fit into one text get `steps`.',
  }),
  aliases_first: Type.Boolean({
    description:
      'Whether an id of another tool decides where a test names one of this project in the same place, and they belong to two test cases. By default, such a test is an error (`ambiguous`). Of use after a move from a tool whose ids have the same prefix.',
  }),
})
export type CaseSettings = Static<typeof CaseSettings>

const response = {
  200: { ...Data(CaseSettings), examples: [{ data: { default_template: 'steps', aliases_first: false } }] },
}

export const getCaseSettings = {
  method: 'GET',
  url: '/v1/projects/:project_id/case-settings',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getCaseSettings',
    tags: ['Projects'],
    summary: 'Get how test cases are written',
    description: 'Returns the settings of the project for its test cases.',
    params: ProjectParams,
    response: { ...response, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const updateCaseSettings = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/case-settings',
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'updateCaseSettings',
    tags: ['Projects'],
    summary: 'Change how test cases are written',
    description: 'Changes only the fields in the request. Test cases that exist stay as they are.',
    params: ProjectParams,
    body: Type.Partial(CaseSettings, { examples: [{ default_template: 'text' }] }),
    response: { ...response, ...problems(400, 401, 403, 404, 413, 415, 429) },
  },
} as const satisfies Endpoint
