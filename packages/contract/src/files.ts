import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'

/** The content of a file, as a response has it. */
export const FileContent = Type.String({ format: 'binary', description: 'The content of the file.' })

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
    params: Type.Object({ ...ProjectParams.properties, file_id: Type.String({ description: 'File id.' }) }),
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
      304: Type.Null({ description: 'The client has the content, as `If-None-Match` says.' }),
      ...problems(400, 401, 403, 404, 416, 429),
    },
  },
} as const satisfies Endpoint
