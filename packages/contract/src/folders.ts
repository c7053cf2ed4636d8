import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Id, Message, Name, Nullable, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

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
    parent_id: Nullable(Type.String({ description: 'Parent folder; null at the top level.' })),
    position: Type.Integer({ description: 'Position among its siblings, from 0.' }),
    test_case_count: Type.Integer({ description: 'Number of test cases in the folder, without subfolders.' }),
    created_at: Timestamp('When the folder was created.'),
    updated_at: Timestamp('When a field of the folder last changed.'),
  },
  { examples: [example] },
)
export type Folder = Static<typeof Folder>

const FolderParams = Type.Object({
  project_id: Type.String({ description: 'Project id.' }),
  folder_id: Type.String({ description: 'Folder id.' }),
})

const parent = Nullable(Id('Parent folder; null for the top level.'))
const position = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'Position among its siblings, from 0. A position after the last sibling means the end.',
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
const folderResponse = { ...Data(Folder), examples: [{ data: example }] }

export const listFolders = {
  method: 'GET',
  url: '/v1/projects/:project_id/folders',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listFolders',
    tags,
    summary: 'List folders',
    description:
      'Returns all folders of the project as a flat list: parents before their subfolders, siblings by position.',
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
    description:
      'Creates a folder. Without a position, it is added after its siblings. Folders can be nested up to 10 levels deep.',
    params: ProjectParams,
    body: CreateFolderBody,
    response: { 201: folderResponse, ...problems(400, 401, 403, 404, 413, 415, 429) },
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
    description:
      'Updates only the fields in the request. A folder cannot be moved into itself or one of its subfolders.',
    params: FolderParams,
    body: UpdateFolderBody,
    response: { 200: folderResponse, ...problems(400, 401, 403, 404, 413, 415, 429) },
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
    description: 'Deletes the folder and moves its test cases and subfolders to its parent.',
    params: FolderParams,
    response: { 200: Message, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
