import { Type } from 'typebox'

import { FILE_KINDS } from './attachment-schemas.ts'
import type { Endpoint } from './endpoint.ts'
import { CursorPage, CursorQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'

const byte_count = Type.Integer({ description: 'Bytes that the files take. Each content counts once in a project.' })
const file_count = Type.Integer({ description: 'Number of files.' })
const kinds = Type.Array(
  Type.Object({ kind: OneOf(FILE_KINDS, { description: 'What the contents are.' }), byte_count, file_count }),
  { description: 'The files by kind, those that take most first. Kinds without files are left out.' },
)
const waiting_file_count = Type.Integer({ description: 'Number of attachments whose content has not arrived.' })

const usageExample = {
  byte_count: 48_213_400,
  file_count: 210,
  kinds: [
    { kind: 'video', byte_count: 40_000_000, file_count: 10 },
    { kind: 'image', byte_count: 8_213_400, file_count: 200 },
  ],
} as const

/** What the files of a project take, and how long they are kept. */
export const ProjectStorage = Type.Object({
  byte_count,
  file_count,
  kinds,
  max_file_bytes: Nullable(Type.Integer({ description: 'Most bytes that they may take; null for no limit.' })),
  max_run_files_days: Nullable(
    Type.Integer({
      description: 'Days that this server keeps files of completed runs at most; null for as long as the run.',
    }),
  ),
})
export type ProjectStorage = Static<typeof ProjectStorage>

const storageExample = { ...usageExample, max_file_bytes: null, max_run_files_days: 365 }

export const getProjectStorage = {
  method: 'GET',
  url: '/v1/projects/:project_id/storage',
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'getProjectStorage',
    tags: ['Projects'],
    summary: 'Get what the files take',
    description: 'Returns what the files of the project take, by kind, and how long the server keeps those of runs.',
    params: ProjectParams,
    response: {
      200: { ...Data(ProjectStorage), examples: [{ data: storageExample }] },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

/** What the files of one project take, in a list of all. */
export const StorageItem = Type.Object({
  project_id: Type.String({ description: 'Project id.' }),
  project_name: Type.String({ description: 'Name of the project.' }),
  byte_count,
  file_count,
  waiting_file_count,
  kinds,
})
export type StorageItem = Static<typeof StorageItem>

const itemExample = {
  project_id: '019aa5b4-0000-7000-8000-0b1c2d3e4f50',
  project_name: 'Web shop',
  waiting_file_count: 0,
  ...usageExample,
}

const tags = ['Administration'] as const

export const listStorage = {
  method: 'GET',
  url: '/v1/admin/storage',
  config: { permission: 'instance:manage', rateLimit: 'other' },
  schema: {
    operationId: 'listStorage',
    tags,
    summary: 'List what the files of each project take',
    description: 'Returns the projects that have files, by project id.',
    querystring: Type.Object(CursorQuery),
    response: {
      200: { ...CursorPage(StorageItem), examples: [{ data: [itemExample], meta: { next_after: null } }] },
      ...problems(400, 401, 403, 429),
    },
  },
} as const satisfies Endpoint

/** What the deletion of a content has deleted. */
export const DeletedContent = Type.Object({
  project_count: Type.Integer({ description: 'Number of projects that had the content.' }),
  attachment_count: Type.Integer({ description: 'Number of attachments that had it.' }),
  is_removed: Type.Boolean({
    description:
      'Whether it is gone from the file store; `false` while the store is unavailable: the server removes it as soon as it is back.',
  }),
})
export type DeletedContent = Static<typeof DeletedContent>

const deletedExample = { project_count: 2, attachment_count: 7, is_removed: true }

export const deleteContent = {
  method: 'DELETE',
  url: '/v1/admin/files/:sha256',
  config: { permission: 'instance:manage', rateLimit: 'other' },
  schema: {
    operationId: 'deleteContent',
    tags,
    summary: 'Delete a content everywhere',
    description:
      'For a content that must not be on this server: deletes it from the file store at once, in all projects. Attachments of runs and results stay with the state `removed`; those of test cases are deleted. Each project gets an entry in its audit log. Backups keep the content, and it can be attached again.',
    params: Type.Object({
      sha256: Type.String({ description: 'SHA-256 of the content in hexadecimal.' }),
    }),
    response: {
      200: { ...Data(DeletedContent), examples: [{ data: deletedExample }] },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
