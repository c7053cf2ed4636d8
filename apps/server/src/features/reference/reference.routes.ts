import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

import { attachToResult, attachToRun, attachToTestCase } from '@caseward/contract/attachments'
import { listAuditLog, listProjectAuditLog } from '@caseward/contract/audit'
import { streamProjectEvents, streamRunEvents } from '@caseward/contract/events'
import { JSON_LIMIT, type Permission } from '@caseward/contract/endpoint'
import { exportProject, exportResults } from '@caseward/contract/exports'
import { sendDeclaredFile, sendFilePart } from '@caseward/contract/file-uploads'
import { getFileContent } from '@caseward/contract/files'
import { getImportReport } from '@caseward/contract/imports'
import { IDEMPOTENCY_KEY_HEADER, IdempotentReplayedHeader } from '@caseward/contract/idempotency'
import { problems, UnknownFieldWarnings } from '@caseward/contract/problem'
import { uploadResults } from '@caseward/contract/uploads'
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { acceptsGzip } from '../../platform/http/accepts-gzip.ts'
import { type App, sendJson } from '../../platform/http/app.ts'

const readAsset = (name: string) => readFileSync(new URL(`../../../assets/${name}`, import.meta.url))
const favicon = readFileSync(new URL('../../../../web/src/shell/favicon.svg', import.meta.url))
const theme = {
  title: 'API · Caseward',
  css: [{ filename: 'reference.css', content: readAsset('reference.css').toString() }],
  favicon: [{ filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: favicon }],
}

const formatCount = (count: number) => count.toLocaleString('en')

const info = {
  title: 'Caseward',
  version: '1.0.0',
  summary: 'Self-hosted test management',
  description:
    'Projects, test cases, runs, results and CI uploads. Send `Authorization: Bearer <token>` with every request; pages of the service use a session cookie instead. Errors are problem details (RFC 9457). ' +
    `JSON in a request body can have up to ${JSON_LIMIT.depth} levels, ${formatCount(JSON_LIMIT.keys)} keys in an object, and ${formatCount(JSON_LIMIT.values)} values (${formatCount(JSON_LIMIT.valuesPerItem)} in one item of a list).`,
  license: { name: 'MIT', identifier: 'MIT' },
}

const tags = [
  { name: 'Projects', description: 'A project contains test cases, runs and members.' },
  { name: 'Folders', description: 'The tree of folders that contains the test cases.' },
  { name: 'Test cases', description: 'Descriptions of tests, with steps and expected results.' },
  { name: 'Fields', description: 'Custom fields of test cases, which each project defines.' },
  { name: 'Runs', description: 'A set of results for test cases.' },
  { name: 'Results', description: 'One result for each test case of a run.' },
  { name: 'Links', description: 'Addresses at test cases and results, of defects and requirements.' },
  { name: 'Shared steps', description: 'Steps that several test cases use, and that change in one place.' },
  { name: 'Views', description: 'Filters, order and columns of lists, kept under a name.' },
  { name: 'Shared reports', description: 'Read-only pages of runs and milestones for people without an account.' },
  { name: 'Attachments', description: 'Files of runs, results, test cases and their steps.' },
  { name: 'Comments', description: 'What people say about test cases, runs and results, and what happened to these.' },
  { name: 'CI upload', description: 'Uploads of the results of a test suite.' },
  { name: 'Quarantine', description: 'Tests whose failures do not block for a while.' },
  { name: 'Milestones', description: 'Release targets, with the progress of their linked runs.' },
  { name: 'Events', description: 'Changes of projects and runs, sent when they happen.' },
  { name: 'Session', description: 'Sign-in, sign-out and your own account.' },
  { name: 'Members', description: 'Users with a role in a project.' },
  { name: 'Invitations', description: 'Offers to an email address to join a project.' },
  { name: 'Tokens', description: 'Personal tokens and CI tokens.' },
  { name: 'Administration', description: 'Users and settings of the whole instance.' },
  { name: 'Audit log', description: 'Who changed what that matters for security.' },
]

/** Serves `/openapi.json`, generated from the schemas of the routes, and `/docs`, a page to read it and to send requests. */
export async function referenceRoutes(app: App): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info,
      servers: [{ url: '/', description: 'This server' }],
      tags,
      externalDocs: { url: '/', description: 'Open the web app' },
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'A personal token (cwp_…) or a CI token (cwc_…).' },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const permission = route.config?.permission
      if (permission === undefined) return { schema, url }
      return {
        url,
        schema: {
          ...schema,
          description: `${schema.description ?? ''}\n\nPermission: \`${permission}\`.`,
          security: getSecurity(permission),
        },
      }
    },
    transformObject: (document) => {
      const openapi = 'openapiObject' in document ? document.openapiObject : {}
      for (const path of Object.values(openapi.paths ?? {})) {
        for (const [method, operation] of Object.entries(path ?? {})) {
          if (!isOperation(operation)) continue
          if (method !== 'get') describeUnknownNames(operation)
          setMediaTypes(operation)
          describeReplays(operation)
        }
      }
      return openapi
    },
  })
  const sendDocument = createDocumentHandler(() => app.swagger())
  app.get('/openapi.json', { schema: { hide: true } }, sendDocument)
  await app.register(fastifySwaggerUi, {
    // staticCSP is not set: the plugin's own policy upgrades requests to HTTPS, which not every server has.
    routePrefix: '/docs',
    theme,
    uiConfig: {
      // Without the bar at the top, which asks for the URL of another document.
      layout: 'BaseLayout',
      // Drawing all operations at once takes seconds: those of a tag are drawn when it is opened.
      docExpansion: 'none',
    },
    logLevel: 'warn',
    uiHooks: {
      // The plugin would serialize the document for each request.
      onRequest: (request, reply, done) =>
        request.routeOptions.url === '/docs/json' ? void sendDocument(request, reply) : done(),
    },
  })
}

/**
 * Creates a handler that sends the OpenAPI document. It is serialized and compressed once, which takes longer than any other
 * request that needs no token, and it does not change while the service runs.
 */
function createDocumentHandler(getDocument: () => object) {
  let serialized: { json: string; compressed: Buffer; etag: string } | undefined
  const serialize = () => {
    const json = JSON.stringify(getDocument())
    return { json, compressed: gzipSync(json), etag: `"${hash('sha256', json, 'base64url')}"` }
  }
  return (request: FastifyRequest, reply: FastifyReply) => {
    serialized ??= serialize()
    const { json, compressed, etag } = serialized
    const isCompressed = acceptsGzip(request.headers['accept-encoding'])
    void reply.headers({
      // A strong ETag would name the bytes of one of the two encodings.
      etag: isCompressed ? `W/${etag}` : etag,
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
    })
    if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return isCompressed ? sendJson(reply.header('content-encoding', 'gzip'), compressed) : sendJson(reply, json)
  }
}

/** Whether `If-None-Match` (RFC 9110, section 13.1.2) names the version that the client would receive. */
const matchesETag = (condition: string | undefined, etag: string): boolean =>
  condition !== undefined && condition.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))

/** The security requirements of an operation. The empty object means that authentication is optional. */
function getSecurity(permission: Permission) {
  if (permission === 'public') return []
  return permission === 'public-or-own-account' ? [{ token: [] }, {}] : [{ token: [] }]
}

interface JsonSchema {
  description?: string
  properties?: object
}
type Content = Record<string, { schema?: JsonSchema }>

interface Operation {
  operationId: string
  parameters?: { name: string }[]
  requestBody?: { content: Content }
  responses: Record<string, { description?: string | undefined; content?: Content; headers?: object }>
}
const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'operationId' in value

/** Describes how requests that change something report unknown names: parameters are refused, fields of the body ignored. */
function describeUnknownNames({ requestBody, responses }: Operation): void {
  const schema: JsonSchema = problems(400)[400]
  responses['400'] ??= { description: schema.description, content: { 'application/json': { schema } } }
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

/** Sets the media types that the schemas of the routes cannot express: problems, XML uploads, CSV files, event streams, files. */
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
