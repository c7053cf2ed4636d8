import { Type } from 'typebox'

import { Attachment, attachmentExample } from './attachment-schemas.ts'
import { MAX_FILE_BYTES, type Endpoint } from './endpoint.ts'
import { CursorPage, CursorQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { ResultParams, RunParams } from './results.ts'
import { CleanedName, Data, Id, Nullable } from './schemas.ts'
import type { Static } from './static.ts'
import { MAX_STEPS } from './steps.ts'
import { TestCaseParams } from './test-cases.ts'

/** The most attachments of one place. */
export const ATTACHMENT_LIMIT = { result: 100, testCase: 50, run: 100_000 } as const

const tags = ['Attachments'] as const

const step = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MAX_STEPS, description: 'Position of the step, from 1, to attach it to.' }),
)
const place = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 32_767,
    description: 'Place of the combination of the result to attach it to; 422 `unknown_combination` if there is none.',
  }),
)
const name = Type.Optional(
  CleanedName(
    'Name of the file, required with a file as body. Control characters and characters that change the direction of text are removed.',
  ),
)

/** The body of a request that attaches a file that is stored already. Other bodies are the bytes of a file. */
export const AttachFileBody = Type.Object(
  {
    file_id: Type.Optional(Id('Id of a file of the same project, from an attachment.')),
    name: Type.Optional(CleanedName('Name at this place.')),
  },
  { examples: [{ file_id: attachmentExample.file_id, name: 'error page.png' }] },
)
export type AttachFileBody = Static<typeof AttachFileBody>

const DESCRIPTION = `Attaches a file. The body is its bytes, of up to ${MAX_FILE_BYTES / 1024 / 1024} MB and with any \`Content-Type\` but JSON and multipart: \`curl --data-binary @shot.png …?name=shot.png\`. With JSON, it attaches a file of the project that is stored already, \`{"file_id", "name"}\`. The type is decided by the content.`

const created = { 201: { ...Data(Attachment), examples: [{ data: attachmentExample }] } }
const list = {
  200: { ...CursorPage(Attachment), examples: [{ data: [attachmentExample], meta: { next_after: null } }] },
  ...problems(400, 401, 403, 404, 429),
}
const attachProblems = problems(400, 401, 403, 404, 413, 415, 422, 429, 507)
const listQuery = Type.Object(CursorQuery)

export const attachToRun = {
  method: 'POST',
  url: '/v1/runs/:run_id/attachments',
  config: { permission: 'files:upload', rateLimit: 'files', receivesFile: true },
  schema: {
    operationId: 'attachToRun',
    tags,
    summary: 'Attach a file to a run',
    description: `${DESCRIPTION} A run can have up to 100,000, with those of its results.`,
    params: RunParams,
    querystring: Type.Object({ name }),
    body: AttachFileBody,
    response: { ...created, ...attachProblems },
  },
} as const satisfies Endpoint

export const listRunAttachments = {
  method: 'GET',
  url: '/v1/runs/:run_id/attachments',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listRunAttachments',
    tags,
    summary: 'List the files of a run',
    description:
      'Returns what is attached to the run itself, not to its results, in the order in which it was attached.',
    params: RunParams,
    querystring: listQuery,
    response: list,
  },
} as const satisfies Endpoint

export const attachToResult = {
  method: 'POST',
  url: '/v1/runs/:run_id/results/:result_id/attachments',
  config: { permission: 'files:upload', rateLimit: 'files', receivesFile: true },
  schema: {
    operationId: 'attachToResult',
    tags,
    summary: 'Attach a file to a result',
    description: `${DESCRIPTION} A result can have up to ${ATTACHMENT_LIMIT.result}. With \`step\`, it belongs to a step of the test case, and with \`place\` to one combination of the result: it is deleted with it.`,
    params: ResultParams,
    querystring: Type.Object({ name, step, place }),
    body: AttachFileBody,
    response: { ...created, ...attachProblems },
  },
} as const satisfies Endpoint

export const listResultAttachments = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id/attachments',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listResultAttachments',
    tags,
    summary: 'List the files of a result',
    description: 'Returns what is attached to the result and its steps, in the order in which it was attached.',
    params: ResultParams,
    querystring: listQuery,
    response: list,
  },
} as const satisfies Endpoint

export const attachToTestCase = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/attachments',
  config: { permission: 'test-cases:edit', rateLimit: 'files', receivesFile: true },
  schema: {
    operationId: 'attachToTestCase',
    tags,
    summary: 'Attach a file to a test case',
    description: `${DESCRIPTION} A test case can have up to ${ATTACHMENT_LIMIT.testCase}. With \`step\`, it belongs to one of its steps.`,
    params: TestCaseParams,
    querystring: Type.Object({ name, step }),
    body: AttachFileBody,
    response: { ...created, ...attachProblems },
  },
} as const satisfies Endpoint

export const listTestCaseAttachments = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/attachments',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listTestCaseAttachments',
    tags,
    summary: 'List the files of a test case',
    description: 'Returns what is attached to the test case and its steps, in the order in which it was attached.',
    params: TestCaseParams,
    querystring: listQuery,
    response: list,
  },
} as const satisfies Endpoint

const AttachmentParams = Type.Object({
  ...ProjectParams.properties,
  attachment_id: Type.String({ description: 'Attachment id.' }),
})
/** An attachment, and where it is. */
export const PlacedAttachment = Type.Object({
  ...Attachment.properties,
  test_case_id: Nullable(Type.String({ description: 'The test case that it is attached to.' })),
  run_id: Nullable(Type.String({ description: 'The run that it is attached to, itself or one of its results.' })),
  result_id: Nullable(Type.String({ description: 'The result that it is attached to.' })),
})
export type PlacedAttachment = Static<typeof PlacedAttachment>

export const getAttachment = {
  method: 'GET',
  url: '/v1/projects/:project_id/attachments/:attachment_id',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getAttachment',
    tags,
    summary: 'Get an attachment',
    description: 'Returns one attachment, with the place that it is attached to.',
    params: AttachmentParams,
    response: {
      200: {
        ...Data(PlacedAttachment),
        examples: [
          {
            data: {
              ...attachmentExample,
              test_case_id: null,
              run_id: '019aa5b6-9a11-7c42-8d3e-5f60718293a4',
              result_id: '019aa5b6-9a11-7d53-9e4f-607182930415',
            },
          },
        ],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

const OWN =
  'Members can change what they have attached themselves and what CI tokens have attached, admins everything; a CI token changes what CI tokens have attached to runs and results.'

export const updateAttachment = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/attachments/:attachment_id',
  config: { permission: 'files:upload', rateLimit: 'other' },
  schema: {
    operationId: 'updateAttachment',
    tags,
    summary: 'Rename an attachment',
    description: `Changes the name. ${OWN}`,
    params: AttachmentParams,
    body: Type.Object({ name: CleanedName('The new name.') }, { examples: [{ name: 'error page.png' }] }),
    response: {
      200: { ...Data(Attachment), examples: [{ data: attachmentExample }] },
      ...problems(400, 401, 403, 404, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

export const deleteAttachment = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/attachments/:attachment_id',
  config: { permission: 'files:upload', rateLimit: 'other' },
  schema: {
    operationId: 'deleteAttachment',
    tags,
    summary: 'Delete an attachment',
    description: `Deletes the attachment. Its content is deleted later, unless it is attached elsewhere. ${OWN}`,
    params: AttachmentParams,
    response: { 204: Type.Null({ description: 'The attachment is deleted.' }), ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
