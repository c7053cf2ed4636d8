import { Type, type Static } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Id, Message, Name, Nullable, Timestamp } from './schemas.ts'

const example = {
  id: '019aa5b5-02aa-7d0e-b0a4-6c1d8b7f2a10',
  name: 'Checkout',
  parent_id: null,
  position: 0,
  test_case_count: 12,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
}

export const Folder = Type.Object(
  {
    id: Type.String({ description: 'Folder id.' }),
    name: Type.String({ description: 'Display name.' }),
    parent_id: Nullable(Type.String({ description: 'The folder it lies in; null at the top.' })),
    position: Type.Integer({ description: 'Its place among its siblings, from 0.' }),
    test_case_count: Type.Integer({ description: 'Test cases that lie in it directly.' }),
    created_at: Timestamp('When it was created.'),
    updated_at: Timestamp('When its own fields last changed.'),
  },
  { examples: [example] },
)
export type Folder = Static<typeof Folder>

const FolderParams = Type.Object({
  project_id: Type.String({ description: 'Project id.' }),
  folder_id: Type.String({ description: 'Folder id.' }),
})

const parent = Nullable(Id('The folder to put it in; null for the top.'))
const position = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'Its place among its siblings, from 0; past the last of them it goes last.',
})

export const CreateFolderBody = Type.Object(
  { name: Name('Display name.'), parent_id: Type.Optional(parent), position: Type.Optional(position) },
  { examples: [{ name: 'Checkout' }] },
)
export const UpdateFolderBody = Type.Object(
  { name: Type.Optional(Name('Display name.')), parent_id: Type.Optional(parent), position: Type.Optional(position) },
  { examples: [{ name: 'Checkout and payment', position: 2 }] },
)

const tags = ['Folders'] as const
const one = { ...Data(Folder), examples: [{ data: example }] }

export const listFolders = {
  method: 'GET',
  url: '/v1/projects/:project_id/folders',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listFolders',
    tags,
    summary: 'List folders',
    description: 'The whole tree, flat, each folder before what lies in it, siblings by position.',
    params: ProjectParams,
    response: {
      200: { ...Type.Object({ data: Type.Array(Folder) }), examples: [{ data: [example] }] },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const createFolder = {
  method: 'POST',
  url: '/v1/projects/:project_id/folders',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'createFolder',
    tags,
    summary: 'Create a folder',
    description: 'Without a position it goes last among its siblings. A tree is at most 10 levels deep.',
    params: ProjectParams,
    body: CreateFolderBody,
    response: { 201: one, ...problems(400, 401, 403, 404, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const updateFolder = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/folders/:folder_id',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'updateFolder',
    tags,
    summary: 'Rename or move a folder',
    description: 'Changes only the fields sent. A folder cannot be moved into itself or below itself.',
    params: FolderParams,
    body: UpdateFolderBody,
    response: { 200: one, ...problems(400, 401, 403, 404, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const deleteFolder = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/folders/:folder_id',
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'deleteFolder',
    tags,
    summary: 'Delete a folder',
    description: 'Its test cases and subfolders move up to its parent: nothing is lost.',
    params: FolderParams,
    response: { 200: Message, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
