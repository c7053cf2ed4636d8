import type { Permission } from '@caseward/contract/endpoint'
import { uploadResults } from '@caseward/contract/uploads'
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'

import type { App } from '../../platform/http/app.ts'

const info = {
  title: 'Caseward',
  version: '1.0.0',
  summary: 'Self-hosted test management',
  description:
    'Projects, test cases, runs, results and CI uploads. Every request carries `Authorization: Bearer <token>` (the service’s own pages: a session cookie); errors are problem details (RFC 9457).',
  license: { name: 'MIT', identifier: 'MIT' },
}

const tags = [
  { name: 'Projects', description: 'A project holds test cases, runs and members.' },
  { name: 'Folders', description: 'The tree that test cases lie in.' },
  { name: 'Test cases', description: 'What is tested, step by step.' },
  { name: 'Runs', description: 'One pass over a set of test cases.' },
  { name: 'Results', description: 'One result for each test case in a run.' },
  { name: 'CI upload', description: 'The results of a whole suite at once.' },
  { name: 'Milestones', description: 'Release targets, and how far the runs linked to them have come.' },
  { name: 'Session', description: 'Signing in and out, and your own account.' },
  { name: 'Members', description: 'Who belongs to a project, and with which role.' },
  { name: 'Invitations', description: 'How people come to a project.' },
  { name: 'Tokens', description: 'Personal tokens and CI tokens.' },
]

/** `/openapi.json`, made from the schemas that validate, and `/docs`, a page to read and try it. */
export async function referenceRoutes(app: App): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info,
      servers: [{ url: '/', description: 'This server' }],
      tags,
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
        for (const operation of Object.values(path ?? {})) if (isOperation(operation)) nameMediaTypes(operation)
      }
      return openapi
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
  // Its own policy would have browsers fetch all by HTTPS, which not every server speaks: ours stands here, too.
  await app.register(fastifySwaggerUi, { routePrefix: '/docs', logLevel: 'warn' })
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs'))
}

type Content = Record<string, unknown>
/** What a call must carry; the empty one among them says that it may carry nothing. */
function getSecurity(permission: Permission) {
  if (permission === 'public') return []
  return permission === 'public-or-own-account' ? [{ token: [] }, {}] : [{ token: [] }]
}

interface Operation {
  operationId: string
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'operationId' in value

const junitXml = { schema: { type: 'string', description: 'A JUnit XML document, in whatever encoding it declares.' } }

/** Errors are problem details, and uploads may be XML: neither can be said in the schemas that validate. */
function nameMediaTypes({ operationId, requestBody, responses }: Operation): void {
  if (operationId === uploadResults.schema.operationId && requestBody !== undefined) {
    requestBody.content['application/xml'] = junitXml
  }
  for (const [status, response] of Object.entries(responses)) {
    const json = response.content?.['application/json']
    if (Number(status) >= 400 && json !== undefined) response.content = { 'application/problem+json': json }
  }
}
