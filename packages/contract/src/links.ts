import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { Link, LINK_KINDS, linkExample, MAX_LINKS, MAX_URL_LENGTH } from './link-schemas.ts'
import { problems } from './problem.ts'
import { ResultParams } from './results.ts'
import { CleanedName, Data, OneOf } from './schemas.ts'
import { getTestCase } from './test-cases.ts'

export const CreateLinkBody = Type.Object(
  {
    url: Type.String({
      format: 'text',
      'x-trim': true,
      minLength: 1,
      maxLength: MAX_URL_LENGTH,
      description:
        'An address that begins with `http://` or `https://`, without a user name or password. The server never opens it.',
    }),
    kind: Type.Optional(
      OneOf(LINK_KINDS, {
        description: 'What the address is of. By default `defect` at a result and `requirement` at a test case.',
      }),
    ),
    label: Type.Optional(CleanedName('What to show instead of the address.')),
  },
  { examples: [{ url: linkExample.url, kind: 'defect' }] },
)

const tags = ['Links'] as const
const list = { ...Type.Object({ data: Type.Array(Link) }), examples: [{ data: [linkExample] }] }
const created = { ...Data(Link), examples: [{ data: linkExample }] }
const existing = { ...created, description: 'The place has a link to this address already, which is returned.' }

const linkId = { link_id: Type.String({ description: 'Link id.' }) }
const { params: caseParams } = getTestCase.schema
const caseUrl = `${getTestCase.url}/links` as const
const resultUrl = '/v1/runs/:run_id/results/:result_id/links'
const ADDITION = `Adds a link, up to ${MAX_LINKS}. Equal addresses are one link: an address that is already there is returned with 200 and does not change.`

export const listTestCaseLinks = {
  method: 'GET',
  url: caseUrl,
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listTestCaseLinks',
    tags,
    summary: 'List the links of a test case',
    description: 'Returns all links of the test case, in the order in which they were added.',
    params: caseParams,
    response: { 200: list, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const createTestCaseLink = {
  method: 'POST',
  url: caseUrl,
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'createTestCaseLink',
    tags,
    summary: 'Add a link to a test case',
    description: ADDITION,
    params: caseParams,
    body: CreateLinkBody,
    response: { 200: existing, 201: created, ...problems(400, 401, 403, 404, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const deleteTestCaseLink = {
  method: 'DELETE',
  url: `${caseUrl}/:link_id`,
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'deleteTestCaseLink',
    tags,
    summary: 'Remove a link from a test case',
    description: 'Removes the link. Nothing changes at its address.',
    params: Type.Object({ ...caseParams.properties, ...linkId }),
    response: { 204: { ...Type.Null(), description: 'The link was removed.' }, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const listResultLinks = {
  method: 'GET',
  url: resultUrl,
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listResultLinks',
    tags,
    summary: 'List the links of a result',
    description: 'Returns all links of the result, in the order in which they were added.',
    params: ResultParams,
    response: { 200: list, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const createResultLink = {
  method: 'POST',
  url: resultUrl,
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'createResultLink',
    tags,
    summary: 'Add a link to a result',
    description: `${ADDITION} Links can be added after the run was completed: defects are often filed later.`,
    params: ResultParams,
    body: CreateLinkBody,
    response: { 200: existing, 201: created, ...problems(400, 401, 403, 404, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const deleteResultLink = {
  method: 'DELETE',
  url: `${resultUrl}/:link_id`,
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'deleteResultLink',
    tags,
    summary: 'Remove a link from a result',
    description: 'Removes the link. Nothing changes at its address.',
    params: Type.Object({ ...ResultParams.properties, ...linkId }),
    response: { 204: { ...Type.Null(), description: 'The link was removed.' }, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
