import { Type } from 'typebox'

import { FILE_PART_BYTES, MAX_FILE_BYTES, type Endpoint } from './endpoint.ts'
import { CursorPage, PageQuery } from './pagination.ts'
import { ExtendedProblem, problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { RunParams } from './results.ts'
import { CleanedName, Data, Nullable } from './schemas.ts'
import { Sha256 } from './declared-attachments.ts'
import type { Static } from './static.ts'

const tags = ['Attachments'] as const

/** The response header that says how many bytes of a content were received. */
export const UPLOAD_RECEIVED_HEADER = 'upload-received'

const MEGABYTES = { body: MAX_FILE_BYTES / 1024 / 1024, part: FILE_PART_BYTES / 1024 / 1024 }

const ContentRangeHeaders = Type.Object({
  'content-range': Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 100,
      description: 'Of a part, its bytes and the size of the whole content: `bytes 0-8388607/104857600`.',
    }),
  ),
})

const PARTS = `Parts have ${MEGABYTES.part} MB, and the last one less; a store in a directory takes smaller ones. They are sent one after another, each with a \`Content-Range\`. The response to a part is 202 with the number of bytes that were received. A part at another offset is 409 \`wrong_offset\` with \`received\`, so that a client can go on where it stopped, on any server. What is not complete after 24 hours is deleted.`

/** How much of a content was received. */
export const ReceivedBytes = Type.Object({
  received: Type.Integer({ description: 'Number of bytes that were received.' }),
  byte_count: Type.Integer({ description: 'Size of the whole content.' }),
})
export type ReceivedBytes = Static<typeof ReceivedBytes>

/** The problem of a part that does not continue what was received. */
export const PartProblem = ExtendedProblem({
  received: Type.Optional(
    Type.Integer({ description: 'Number of bytes that were received; only with the code `wrong_offset`.' }),
  ),
})

const whole = { data: { received: 48_213, byte_count: 48_213 } }
const part = { data: { received: FILE_PART_BYTES, byte_count: 104_857_600 } }
const partResponses = {
  202: { ...Data(ReceivedBytes), description: 'A part was received, and others follow.', examples: [part] },
  409: {
    ...PartProblem,
    description: 'The part does not continue what was received (`wrong_offset`), or has another size of the whole.',
  },
}

const FileOfRunParams = Type.Object({
  ...RunParams.properties,
  sha256: Type.String({ description: 'SHA-256 of the content in hexadecimal.' }),
})

export const sendDeclaredFile = {
  method: 'PUT',
  url: '/v1/runs/:run_id/files/:sha256',
  config: { permission: 'files:upload', rateLimit: 'files', receivesFile: true },
  schema: {
    operationId: 'sendDeclaredFile',
    tags,
    summary: 'Send a content that an upload declared',
    description: `The body is the content, of up to ${MEGABYTES.body} MB and with a \`Content-Length\`, or a part of it. All attachments of the run that wait for it become complete. Sending it again is safe: the response is 200 if the project has it. ${PARTS}`,
    params: FileOfRunParams,
    headers: ContentRangeHeaders,
    response: {
      200: { ...Data(ReceivedBytes), description: 'The project has the content already.', examples: [whole] },
      201: { ...Data(ReceivedBytes), description: 'The content was stored.', examples: [whole] },
      ...partResponses,
      ...problems(400, 401, 403, 404, 413, 415, 422, 429, 507),
    },
  },
} as const satisfies Endpoint

export const getDeclaredFileProgress = {
  method: 'HEAD',
  url: '/v1/runs/:run_id/files/:sha256',
  config: { permission: 'files:upload', rateLimit: 'files' },
  schema: {
    operationId: 'getDeclaredFileProgress',
    tags,
    summary: 'Find out how much of a declared content was received',
    description: 'The header `Upload-Received` is the number of bytes: all, if the content is there.',
    params: FileOfRunParams,
    response: { 200: Type.Null({ description: 'The content was declared.' }), ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

/** A content that attachments of a run wait for. */
export const MissingFile = Type.Object({
  sha256: Type.String({ description: 'SHA-256 of the content.' }),
  byte_count: Type.Integer({ description: 'Size of the content in bytes.' }),
})
export type MissingFile = Static<typeof MissingFile>

const missingExample = {
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  byte_count: 48_213,
} as const

export const listMissingFiles = {
  method: 'GET',
  url: '/v1/runs/:run_id/files/missing',
  config: { permission: 'files:upload', rateLimit: 'files' },
  schema: {
    operationId: 'listMissingFiles',
    tags,
    summary: 'List the contents that a run waits for',
    description:
      'Returns what uploads declared and nobody has sent, in the order of the digests: a client that has only the files finds out what to send.',
    params: RunParams,
    querystring: Type.Object({
      after: Type.Optional(Sha256('`next_after` of the previous page; the first page without it.')),
      per_page: PageQuery.per_page,
    }),
    response: {
      200: { ...CursorPage(MissingFile), examples: [{ data: [missingExample], meta: { next_after: null } }] },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

const FileUploadParams = Type.Object({
  ...ProjectParams.properties,
  file_upload_id: Type.String({ description: 'Id of the upload.' }),
})

/** A file that is received in parts, and attached afterwards. */
export const FileUpload = Type.Object({
  id: Type.String({ description: 'Id of the upload.' }),
  part_size: Type.Integer({ description: 'Size of all parts but the last one in bytes.' }),
})
export type FileUpload = Static<typeof FileUpload>

const uploadExample = { id: '019aa5c1-3333-7c6e-8b70-4b2a0e5b7c24', part_size: FILE_PART_BYTES }

export const createFileUpload = {
  method: 'POST',
  url: '/v1/projects/:project_id/file-uploads',
  config: { permission: 'files:upload', rateLimit: 'files' },
  schema: {
    operationId: 'createFileUpload',
    tags,
    summary: 'Begin to send a file in parts',
    description: `For files of more than ${MEGABYTES.body} MB, and for weak connections. Its parts follow; then attach it by its \`file_id\` within 24 hours.`,
    params: ProjectParams,
    body: Type.Object(
      {
        byte_count: Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Size of the whole file in bytes.',
        }),
        name: Type.Optional(
          CleanedName('Name of the file. Only an ending of `trace.zip` makes a difference: a ZIP file is a trace.'),
        ),
      },
      { examples: [{ byte_count: 104_857_600 }] },
    ),
    response: {
      201: { ...Data(FileUpload), examples: [{ data: uploadExample }] },
      ...problems(400, 401, 403, 404, 413, 415, 422, 429, 507),
    },
  },
} as const satisfies Endpoint

/** How much of a file was received, and what it has become. */
export const FileUploadProgress = Type.Object({
  ...ReceivedBytes.properties,
  file_id: Nullable(Type.String({ description: 'Id of the file, to attach it; null until it is complete.' })),
})
export type FileUploadProgress = Static<typeof FileUploadProgress>

export const sendFilePart = {
  method: 'PUT',
  url: '/v1/projects/:project_id/file-uploads/:file_upload_id',
  config: { permission: 'files:upload', rateLimit: 'files', receivesFile: true },
  schema: {
    operationId: 'sendFilePart',
    tags,
    summary: 'Send a part of a file',
    description: `The body is a part, with a \`Content-Length\` and a \`Content-Range\`. The response to the last one has the id of the file. ${PARTS}`,
    params: FileUploadParams,
    headers: ContentRangeHeaders,
    response: {
      200: {
        ...Data(FileUploadProgress),
        description: 'The file is complete already.',
        examples: [{ data: { ...whole.data, file_id: '019aa5c0-2222-7b5d-9a6f-3a1f9d4a6b13' } }],
      },
      201: {
        ...Data(FileUploadProgress),
        description: 'The file is complete.',
        examples: [{ data: { ...whole.data, file_id: '019aa5c0-2222-7b5d-9a6f-3a1f9d4a6b13' } }],
      },
      ...partResponses,
      202: {
        ...Data(FileUploadProgress),
        description: 'The part was received, and others follow.',
        examples: [{ data: { ...part.data, file_id: null } }],
      },
      ...problems(400, 401, 403, 404, 413, 415, 422, 429, 507),
    },
  },
} as const satisfies Endpoint

export const getFileUploadProgress = {
  method: 'HEAD',
  url: '/v1/projects/:project_id/file-uploads/:file_upload_id',
  config: { permission: 'files:upload', rateLimit: 'files' },
  schema: {
    operationId: 'getFileUploadProgress',
    tags,
    summary: 'Find out how much of a file was received',
    description: 'The header `Upload-Received` is the number of bytes.',
    params: FileUploadParams,
    response: { 200: Type.Null({ description: 'There is such an upload.' }), ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const deleteFileUpload = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/file-uploads/:file_upload_id',
  config: { permission: 'files:upload', rateLimit: 'files' },
  schema: {
    operationId: 'deleteFileUpload',
    tags,
    summary: 'Cancel a file that is sent in parts',
    description: 'Deletes what was received. A file that is complete stays where it is attached.',
    params: FileUploadParams,
    response: { 204: Type.Null({ description: 'The upload is deleted.' }), ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
