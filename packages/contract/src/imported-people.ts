import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Id, Nullable } from './schemas.ts'
import type { Static } from './static.ts'

/** The most that a response has. */
export const MAX_IMPORTED_PEOPLE = 10_000

export const ImportedPerson = Type.Object({
  id: Type.String({ description: 'Id, which results and runs have where they name a user.' }),
  name: Type.String({ description: 'Name in the source; `Former person` if it was forgotten.' }),
  source: Type.String({ description: 'Name of the source.' }),
  email: Nullable(
    Type.String({ description: 'Email address in the source; null if there is none, and for others than admins.' }),
  ),
  user_id: Nullable(Type.String({ description: 'The user that all they did becomes; null for none.' })),
  is_forgotten: Type.Boolean({ description: 'Whether name and email address were forgotten.' }),
})
export type ImportedPerson = Static<typeof ImportedPerson>

const example = {
  id: '019aa5d1-2b3c-7d4e-8f50-6b7c8d9e0f10',
  name: 'Ada Lovelace',
  source: 'TestRail',
  email: 'ada@example.com',
  user_id: null,
  is_forgotten: false,
}

const Params = Type.Object({
  project_id: ProjectParams.properties.project_id,
  person_id: Type.String({ description: 'Id of the imported person.' }),
})

const tags = ['Imports'] as const
const url = '/v1/projects/:project_id/imported-people'

export const listImportedPeople = {
  method: 'GET',
  url,
  config: { permission: 'members:view', rateLimit: 'other' },
  schema: {
    operationId: 'listImportedPeople',
    tags,
    summary: 'List people of imported history',
    description:
      'Returns those who tested in other tools and are no members, by name. Results and runs name them by their id. Without those who were joined to a member.',
    params: ProjectParams,
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(ImportedPerson, { description: `Up to ${MAX_IMPORTED_PEOPLE.toLocaleString('en')}.` }),
        }),
        examples: [{ data: [example] }],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const joinImportedPerson = {
  method: 'PATCH',
  url: `${url}/:person_id`,
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'joinImportedPerson',
    tags,
    summary: 'Join an imported person to a member',
    description:
      'All that the person did becomes that of the member, within minutes. This also happens by itself when someone with the email address becomes a member.',
    params: Params,
    body: Type.Object(
      { user_id: Id('User id of a member.') },
      { examples: [{ user_id: '019aa5c0-2b3c-7d4e-8f50-6b7c8d9e0f10' }] },
    ),
    response: {
      200: { ...Type.Object({ data: ImportedPerson }), examples: [{ data: { ...example, user_id: example.id } }] },
      ...problems(400, 401, 403, 404, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

export const forgetImportedPerson = {
  method: 'DELETE',
  url: `${url}/:person_id`,
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'forgetImportedPerson',
    tags,
    summary: 'Forget an imported person',
    description:
      'Removes name and email address: results and runs then name a `Former person`, also after another import of the source.',
    params: Params,
    response: { 204: Type.Null({ description: 'The person is forgotten.' }), ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
