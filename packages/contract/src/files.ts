import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data } from './schemas.ts'
import type { Static } from './static.ts'

/** The content of a file, as a response has it. */
export const FileContent = Type.String({ format: 'binary', description: 'The content of the file.' })

/** The most bytes of a text in one response. */
export const TEXT_LIMIT = 256 * 1024

const FileParams = Type.Object({ ...ProjectParams.properties, file_id: Type.String({ description: 'File id.' }) })

export const getFileContent = {
  method: 'GET',
  url: '/v1/projects/:project_id/files/:file_id/content',
  config: { permission: 'project:view', rateLimit: 'files', sendsFile: true },
  schema: {
    operationId: 'getFileContent',
    tags: ['Attachments'],
    summary: 'Get the content of a file',
    description:
      'Returns the bytes of a file as they were sent, with the media type that the server found in them. A `Range` header selects one range of bytes. The `ETag` is the SHA-256 of the content; with `If-None-Match`, the response is 304 if the client has it.',
    params: FileParams,
    querystring: Type.Object({
      name: Type.Optional(
        Type.String({ format: 'text', maxLength: 255, description: 'Name under which a browser saves the file.' }),
      ),
      download: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 1, description: '`1` makes a browser save the file and not show it.' }),
      ),
    }),
    response: {
      200: { ...FileContent, description: 'The whole content.' },
      206: { ...FileContent, description: 'The range of the content that `Range` selects.' },
      303: Type.Null({
        description:
          'For browsers with a session, if the server has another host name for files: `Location` is an address there that works for five minutes. A request with `Accept: application/octet-stream` gets the bytes.',
      }),
      304: Type.Null({ description: 'The client has the content, as `If-None-Match` says.' }),
      307: Type.Null({
        description:
          'If the server lets its bucket send files: `Location` is an address of the bucket that works for a minute. A request with `Accept: application/octet-stream` gets the bytes.',
      }),
      ...problems(400, 401, 403, 404, 416, 429),
    },
  },
} as const satisfies Endpoint

/** A part of a text. */
export const FileText = Type.Object({
  text: Type.String({ description: 'The text from `from` to `to`, without a byte order mark.' }),
  from: Type.Integer({
    description:
      'Where the text begins, in bytes: where it was requested, or at the end of the character that is there.',
  }),
  to: Type.Integer({ description: 'Where the text ends, in bytes: the next part begins here.' }),
  byte_count: Type.Integer({ description: 'Size of the whole file in bytes.' }),
})
export type FileText = Static<typeof FileText>

const MAX_OFFSET = Number.MAX_SAFE_INTEGER
const example = { text: 'Starting…\nListening on port 3000\n', from: 0, to: 35, byte_count: 48_213 } as const

export const getFileText = {
  method: 'GET',
  url: '/v1/projects/:project_id/files/:file_id/text',
  config: { permission: 'project:view', rateLimit: 'files' },
  schema: {
    operationId: 'getFileText',
    tags: ['Attachments'],
    summary: 'Get a part of a text',
    description: `Returns up to ${TEXT_LIMIT / 1024} KB of a file of the kind \`text\`, decoded from UTF-8 or UTF-16. It ends at the end of the last line, unless one line fills it, and never within a character.`,
    params: FileParams,
    querystring: Type.Object({
      from: Type.Optional(
        Type.Integer({ minimum: 0, maximum: MAX_OFFSET, description: 'Where to begin, in bytes; by default 0.' }),
      ),
      to: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_OFFSET,
          description: `Where to end, in bytes; by default ${TEXT_LIMIT / 1024} KB after \`from\`.`,
        }),
      ),
    }),
    response: {
      200: { ...Data(FileText), examples: [{ data: example }] },
      ...problems(400, 401, 403, 404, 422, 429),
    },
  },
} as const satisfies Endpoint
