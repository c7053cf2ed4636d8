import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { Page, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { Data, LongText, Message, Name, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

const id = Type.String({ description: 'Project id.' })
const name = Type.String({ description: 'Display name.' })
const prefix = Type.String({ description: '2 to 5 uppercase letters; test case ids are `<PREFIX>-<number>`.' })
const description = Type.String({ description: 'Description; empty if not set.' })
const test_case_count = Type.Integer({ description: 'Number of test cases.' })
const run_count = Type.Integer({ description: 'Number of test runs.' })
const member_count = Type.Integer({ description: 'Number of members.' })
const created_at = Timestamp('When the project was created.')
const updated_at = Timestamp('When a field of the project last changed.')

const example = {
  id: '019aa5b4-6f3e-7c11-9a52-0f6f3d1c8e77',
  name: 'Web shop',
  prefix: 'WEB',
  description: 'Everything a customer sees',
  test_case_count: 0,
  run_count: 0,
  member_count: 1,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
}
const { description: _description, member_count: _memberCount, ...itemExample } = example

export const ProjectListItem = Type.Object({ id, name, prefix, test_case_count, run_count, created_at, updated_at })
export type ProjectListItem = Static<typeof ProjectListItem>

export const Project = Type.Object(
  { id, name, prefix, description, test_case_count, run_count, member_count, created_at, updated_at },
  { examples: [example] },
)
export type Project = Static<typeof Project>

export const ProjectParams = Type.Object({ project_id: Type.String({ description: 'Project id.' }) })

export const CreateProjectBody = Type.Object(
  {
    name: Name('Display name.'),
    prefix: Type.String({ pattern: '^[A-Z]{2,5}$', description: '2 to 5 uppercase letters. Cannot be changed later.' }),
    description: Type.Optional(LongText('Description.')),
  },
  { examples: [{ name: 'Web shop', prefix: 'WEB' }] },
)

export const UpdateProjectBody = Type.Object(
  { name: Type.Optional(Name('Display name.')), description: Type.Optional(LongText('Description.')) },
  { examples: [{ name: 'Web shop 2' }] },
)

const tags = ['Projects'] as const

export const listProjects = {
  method: 'GET',
  url: '/v1/projects',
  config: { permission: 'signed-in', rateLimit: 'other' },
  schema: {
    operationId: 'listProjects',
    tags,
    summary: 'List projects',
    description: 'Returns the projects that the caller has access to, most recently updated first.',
    querystring: Type.Object(PageQuery),
    response: {
      200: { ...Page(ProjectListItem), examples: [{ data: [itemExample], meta: { page: 1, per_page: 20, total: 1 } }] },
      ...problems(400, 401, 429),
    },
  },
} as const satisfies Endpoint

export const getProject = {
  method: 'GET',
  url: '/v1/projects/:project_id',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getProject',
    tags,
    summary: 'Get a project',
    description: 'Returns the project with its description and counts.',
    params: ProjectParams,
    response: { 200: { ...Data(Project), examples: [{ data: example }] }, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const createProject = {
  method: 'POST',
  url: '/v1/projects',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'createProject',
    tags,
    summary: 'Create a project',
    description:
      'Creates a project, whose first admin is the caller. Every user can create projects, unless the instance administrators have restricted it to themselves (403 `project_creation_restricted`). Prefixes do not have to be unique.',
    body: CreateProjectBody,
    response: { 201: { ...Data(Project), examples: [{ data: example }] }, ...problems(400, 401, 403, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const updateProject = {
  method: 'PATCH',
  url: '/v1/projects/:project_id',
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'updateProject',
    tags,
    summary: 'Update a project',
    description: 'Updates only the fields in the request. The prefix cannot be changed.',
    params: ProjectParams,
    body: UpdateProjectBody,
    response: {
      200: {
        ...Data(Type.Object({ id, name, prefix, description, updated_at })),
        examples: [
          {
            data: {
              id: example.id,
              name: example.name,
              prefix: example.prefix,
              description: example.description,
              updated_at: example.updated_at,
            },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

export const deleteProject = {
  method: 'DELETE',
  url: '/v1/projects/:project_id',
  config: { permission: 'project:delete', rateLimit: 'other' },
  schema: {
    operationId: 'deleteProject',
    tags,
    summary: 'Delete a project',
    description: 'Permanently deletes the project with all of its test cases, runs and results.',
    params: ProjectParams,
    response: { 200: Message, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
