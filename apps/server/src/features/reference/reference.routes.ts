import { readFileSync } from 'node:fs'

import { JSON_LIMIT, type Permission } from '@caseward/contract/endpoint'
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'

import type { App } from '../../platform/http/app.ts'
import { describeOperation, isOperation } from './describe-operation.ts'
import { formatYaml } from './format-yaml.ts'
import { createDocumentHandler } from './send-document.ts'
import { partResponses, problemComponents, referToProblems, type Responses } from './shared-problems.ts'

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
  /** By operation. They are left out while the plugin converts schemas, which takes it longer than all others. */
  const sharedProblems = new Map<string, readonly string[]>()
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
        ...problemComponents,
      },
    },
    transform: ({ schema, url, route }) => {
      const permission = route.config?.permission
      if (permission === undefined) return { schema, url }
      const { own, shared } = partResponses((schema.response ?? {}) as Responses)
      sharedProblems.set(schema.operationId ?? url, shared)
      return {
        url,
        schema: {
          ...schema,
          response: own,
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
          describeOperation(method, operation)
          const shared = sharedProblems.get(operation.operationId) ?? []
          // Requests that change something refuse unknown parameters.
          referToProblems(operation, method === 'get' ? shared : [...shared, '400'])
        }
      }
      return openapi
    },
  })
  const sendJson = createDocumentHandler('application/json; charset=utf-8', () => JSON.stringify(app.swagger()))
  const sendYaml = createDocumentHandler('application/yaml; charset=utf-8', () => formatYaml(app.swagger()))
  app.get('/openapi.json', { schema: { hide: true } }, sendJson)
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
      onRequest(request, reply, done) {
        const { url } = request.routeOptions
        const send = url === '/docs/json' ? sendJson : url === '/docs/yaml' ? sendYaml : null
        if (send === null) done()
        else void send(request, reply).catch((error: unknown) => reply.send(error))
      },
    },
  })
}

/** The security requirements of an operation. The empty object means that authentication is optional. */
function getSecurity(permission: Permission) {
  if (permission === 'public') return []
  return permission === 'public-or-own-account' ? [{ token: [] }, {}] : [{ token: [] }]
}
