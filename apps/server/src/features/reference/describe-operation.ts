import { attachToResult, attachToRun, attachToTestCase } from '@caseward/contract/attachments'
import { listAuditLog, listProjectAuditLog } from '@caseward/contract/audit'
import { streamProjectEvents, streamRunEvents } from '@caseward/contract/events'
import { exportProject, exportResults } from '@caseward/contract/exports'
import { sendDeclaredFile, sendFilePart } from '@caseward/contract/file-uploads'
import { getFileContent } from '@caseward/contract/files'
import { getImportReport } from '@caseward/contract/imports'
import { IDEMPOTENCY_KEY_HEADER, IdempotentReplayedHeader } from '@caseward/contract/idempotency'
import { UnknownFieldWarnings } from '@caseward/contract/problem'
import { uploadResults } from '@caseward/contract/uploads'

interface JsonSchema {
  description?: string
  properties?: object
}
type Content = Record<string, { schema?: JsonSchema }>
interface Response {
  /** Of a response that many operations return, in place of the others. */
  $ref?: string
  description?: string | undefined
  content?: Content
  headers?: object
}

/** The part of an operation of the document that is described here. */
export interface Operation {
  operationId: string
  parameters?: { name: string }[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
}

export const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'operationId' in value

/** Describes what the schemas of routes cannot express. */
export function describeOperation(method: string, operation: Operation): void {
  if (method !== 'get') describeIgnoredFields(operation)
  setMediaTypes(operation)
  describeReplays(operation)
}

/** Describes how requests that change something report fields of the body that are unknown and ignored. */
function describeIgnoredFields({ requestBody, responses }: Operation): void {
  if (requestBody === undefined) return
  for (const [status, { content }] of Object.entries(responses)) {
    const json = content?.['application/json']
    const properties = json?.schema?.properties
    if (!status.startsWith('2') || json === undefined || properties === undefined) continue
    json.schema = { ...json.schema, properties: { ...properties, warnings: UnknownFieldWarnings } }
  }
}

/** Describes the header of the responses that are returned again for an `Idempotency-Key`. */
function describeReplays({ parameters = [], responses }: Operation): void {
  if (!parameters.some(({ name }) => name === IDEMPOTENCY_KEY_HEADER)) return
  for (const [status, response] of Object.entries(responses)) {
    if (status.startsWith('2')) response.headers = { 'Idempotent-Replayed': IdempotentReplayedHeader }
  }
}

const csvOperations = new Set<string>([listAuditLog, listProjectAuditLog].map(({ schema }) => schema.operationId))
const csv = { schema: { type: 'string', description: 'A CSV file with a header row.' } }
const junitXml = { schema: { type: 'string', description: 'A JUnit XML document in the encoding that it declares.' } }

const receivingOperations = new Set<string>(
  [attachToRun, attachToResult, attachToTestCase, sendDeclaredFile, sendFilePart].map(
    ({ schema }) => schema.operationId,
  ),
)
const sendingOperations = new Set<string>(
  [getFileContent, exportResults, exportProject, getImportReport].map(({ schema }) => schema.operationId),
)
const fileBytes = { schema: { type: 'string', format: 'binary', description: 'The bytes of a file.' } }

const streamOperations = new Set<string>([streamProjectEvents, streamRunEvents].map(({ schema }) => schema.operationId))

/** Sets the media types: problems, XML uploads, CSV files, event streams, files. */
function setMediaTypes(operation: Operation): void {
  const { operationId, requestBody, responses } = operation
  if (operationId === uploadResults.schema.operationId && requestBody !== undefined) {
    requestBody.content['application/xml'] = junitXml
  }
  if (receivingOperations.has(operationId)) {
    operation.requestBody = { content: { ...requestBody?.content, 'application/octet-stream': fileBytes } }
  }
  const success = responses['200']?.content
  if (csvOperations.has(operationId) && success !== undefined) success['text/csv'] = csv
  for (const [status, response] of Object.entries(responses)) {
    const stream = response.content?.['application/json']
    if (status === '200' && streamOperations.has(operationId) && stream !== undefined) {
      response.content = { 'text/event-stream': stream }
    }
    if (status.startsWith('2') && sendingOperations.has(operationId)) {
      response.content = { '*/*': fileBytes }
    }
    const json = response.content?.['application/json']
    if (Number(status) >= 400 && json !== undefined) response.content = { 'application/problem+json': json }
  }
}
