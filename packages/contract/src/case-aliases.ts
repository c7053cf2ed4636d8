import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { OneOf } from './schemas.ts'
import type { Static } from './static.ts'
import { getTestCase } from './test-cases.ts'
import { ProjectParams } from './projects.ts'

/** Tools whose ids can go on finding test cases; what these look like says `packages/matching`. */
export const ALIAS_SYSTEMS = [
  'testrail',
  'qase',
  'xray',
  'zephyr-scale',
  'zephyr-squad',
  'testlink',
  'testomat',
  'azure',
  'kiwi',
  'practitest',
  'allure',
  'testmo',
  'testplanit',
  'qtest',
  'squash',
  'testcaselab',
  'sheet',
] as const

/** A test case has at most this many ids of other tools. */
export const MAX_ALIASES = 20
/** How many test cases a search by such an id returns. */
export const MAX_FOUND_ALIASES = 20

const aliasFields = {
  system: OneOf(ALIAS_SYSTEMS, { description: 'The tool.' }),
  source: Type.String({
    format: 'text',
    'x-trim': true,
    minLength: 1,
    maxLength: 255,
    description: 'The project of the tool, such as its code or name: two projects can have the same ids.',
  }),
  key: Type.String({
    format: 'text',
    'x-trim': true,
    minLength: 1,
    maxLength: 255,
    description: 'The id there, such as `C4711` or `EWB-T12`.',
  }),
}

export const CaseAlias = Type.Object(aliasFields)
export type CaseAlias = Static<typeof CaseAlias>

export const FoundAlias = Type.Object({
  test_case_id: Type.String({ description: 'Id of the test case.' }),
  ...aliasFields,
})
export type FoundAlias = Static<typeof FoundAlias>

const example = { system: 'testrail', source: 'Web shop', key: 'C4711' } as const
const tags = ['Test cases'] as const
const response = { ...Type.Object({ data: Type.Array(CaseAlias) }), examples: [{ data: [example] }] }
const url = `${getTestCase.url}/aliases` as const

export const listCaseAliases = {
  method: 'GET',
  url,
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listCaseAliases',
    tags,
    summary: 'List the ids of a test case in other tools',
    description: 'Returns the ids by which results find the test case besides its own.',
    params: getTestCase.schema.params,
    response: { 200: response, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const replaceCaseAliases = {
  method: 'PUT',
  url,
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'replaceCaseAliases',
    tags,
    summary: 'Replace the ids of a test case in other tools',
    description: `Replaces them by those that are sent, up to ${MAX_ALIASES}. Tests that name one of them in a property, their tags, their name or their suite belong to the test case, as if they named its own id: \`[C4711] pays\`. An id that another test case has is 409 \`alias_taken\`; one that no id of its tool looks like is 400. Links of tests that a removed id has made end.`,
    params: getTestCase.schema.params,
    body: Type.Object(
      { aliases: Type.Array(CaseAlias, { maxItems: MAX_ALIASES }) },
      { examples: [{ aliases: [example] }] },
    ),
    response: { 200: response, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const findCaseAliases = {
  method: 'GET',
  url: '/v1/projects/:project_id/case-aliases',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'findCaseAliases',
    tags,
    summary: 'Find test cases by an id of another tool',
    description: `Returns the test cases that have this id, in any tool, up to ${MAX_FOUND_ALIASES}.`,
    params: ProjectParams,
    querystring: Type.Object({
      key: Type.String({ format: 'text', minLength: 1, maxLength: 255, description: 'The id, such as `C4711`.' }),
    }),
    response: {
      200: {
        ...Type.Object({ data: Type.Array(FoundAlias) }),
        examples: [{ data: [{ test_case_id: 'WEB-12', ...example }] }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
