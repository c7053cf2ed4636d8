import fastify from 'fastify'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { getTestPostgres } from '@caseward/test-support/database'
import { startTestServer, useSharedServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import { connect } from '../../src/platform/database/connect.ts'
import { createCookies } from '../../src/access/cookies.ts'
import { createProjectCache } from '../../src/access/project-cache.ts'
import { createPrincipalCache } from '../../src/access/principal-cache.ts'
import { registerGuards } from '../../src/access/guard.ts'
import { createRateLimits } from '../../src/access/rate-limits.ts'
import type { App } from '../../src/platform/http/app.ts'
import { createCheckOrigin } from '../../src/access/same-origin.ts'

const server = useSharedServer()

describe('endpoints outside of /v1', () => {
  it('GET /healthz returns 200 without a token', async () => {
    expect(await server.request('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
  })

  it('GET /readyz returns 503 without a database, and GET /healthz returns 200', async () => {
    expect(await server.request('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
    const broken = await startTestServer()
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(broken.db)
    const name = rows[0]?.name ?? ''
    const maintenance = connect(
      { ...(await getTestPostgres()), database: 'postgres' },
      { poolSize: 1, onError: () => {} },
    )
    await sql`alter database ${sql.id(name)} with allow_connections false`.execute(maintenance.db)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and usename = user`.execute(
      maintenance.db,
    )
    await maintenance.close()
    await new Promise((resolve) => setTimeout(resolve, 200)) // until the pool has noticed the lost connections
    expect((await broken.request('GET', '/readyz')).status).toBe(503)
    expect((await broken.request('GET', '/healthz')).status).toBe(200)
    await broken.close()
  })

  it('GET /metrics returns durations by route, without ids from paths', async () => {
    await server.request('GET', '/v1/projects/some-secret-id')
    const { status, headers, body } = await server.request<string>('GET', '/metrics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    expect(body).toContain(
      'caseward_http_request_duration_seconds_count{method="GET",route="/v1/projects/:project_id",status="401"} 1',
    )
    expect(body).toContain('# TYPE caseward_http_request_duration_seconds histogram')
    const bucket =
      /_duration_seconds_bucket\{le="([^"]+)",method="GET",route="\/v1\/projects\/:project_id",status="401"\} (\d+)/g
    const buckets = [...body.matchAll(bucket)].map(([, le, count]) => ({ le, count: Number(count) }))
    expect(buckets.map(({ le }) => le)).toEqual(['0.001', '0.005', '0.02', '0.1', '0.5', '2', '10', '+Inf'])
    // Each bucket has those of the ones before.
    expect(buckets).toEqual(buckets.toSorted((a, b) => a.count - b.count))
    expect(buckets.at(-1)?.count).toBe(1)
    expect(body).toContain('process_resident_memory_bytes')
    expect(body).not.toContain('some-secret-id')
  })

  it('GET /openapi.json returns an OpenAPI 3.1 document', async () => {
    const { status, body } = await server.request('GET', '/openapi.json')
    expect(status).toBe(200)
    expect(body['openapi']).toMatch(/^3\.1/)
  })

  it('GET /docs returns a page', async () => {
    const docs = await server.request<string>('GET', '/docs')
    expect(docs.status).toBe(200)
    expect(docs.headers.get('content-type')).toMatch(/^text\/html/)
  })
})

describe('HEAD requests', () => {
  it.each([['/healthz'], ['/openapi.json'], ['/v1/projects']])(
    'return the response of GET without its body: %s',
    async (path) => {
      const { token } = await makeUser(server)
      const get = await server.request('GET', path, { token })
      const head = await server.request<string>('HEAD', path, { token })
      expect([head.status, head.body]).toEqual([get.status, ''])
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    },
  )

  it('return 401 without a token, as GET does', async () => {
    expect((await server.request('HEAD', '/v1/projects')).status).toBe(401)
  })

  it('are allowed with a read-only token', async () => {
    const { token } = await makeUser(server, { access: 'read' })
    expect((await server.request('HEAD', '/v1/projects', { token })).status).toBe(200)
  })
})

describe('every route of the API', () => {
  /** Operations that need no token. */
  const publicOperations = new Set([
    'signIn',
    'completeSignIn',
    'startPasskeySignIn',
    'signInWithPasskey',
    'startPasskeyCompletion',
    'getInvitationPreview',
    'acceptInvitation',
    'getSetupLink',
    'completeSetup',
    'requestPasswordReset',
    'getPasswordReset',
    'resetPassword',
  ])

  interface Operation {
    operationId: string
    description: string
    security: unknown[]
    responses: Record<string, unknown>
  }

  async function readOperations() {
    const { body } = await server.request<{ paths: Record<string, Record<string, Operation>> }>('GET', '/openapi.json')
    return Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
    )
  }

  it(
    'documents its permission, requires a token unless it is public, and documents 401 and 429',
    {
      tags: [
        'spec:service/every-path-starts-with-v1',
        'spec:authentication/every-request-carries-authorization-bearer',
        'spec:versioning/the-prefix-v1-is-on-every-endpoint',
      ],
    },
    async () => {
      const operations = await readOperations()
      expect(operations.length).toBeGreaterThan(25)
      for (const { path, method, operationId, description, security, responses } of operations) {
        expect(path).toMatch(/^\/v1\//)
        expect(description).toMatch(/Permission: `[a-z-]+(?::[a-z-]+)?`/)
        expect(Object.keys(responses)).toContain('429')
        const isPublic = description.includes('Permission: `public')
        expect(isPublic).toBe(publicOperations.has(operationId))
        if (isPublic) continue
        expect(security).toEqual([{ token: [] }])
        expect(Object.keys(responses)).toContain('401')
        await server.expectProblem(401, method, path.replaceAll(/\{\w+\}/g, 'x'))
      }
    },
  )

  it('documents 500 and 503', { tags: ['spec:errors/500-ci-upload-unexpected-error'] }, async () => {
    const undocumented = (await readOperations()).filter(({ responses }) => !('500' in responses && '503' in responses))
    expect(undocumented.map(({ operationId }) => operationId)).toEqual([])
  })

  it.each([[undefined], [{ permission: 'signed-in' as const }], [{ rateLimit: 'other' as const }]])(
    'cannot be registered with only the config %j',
    async (config) => {
      const app: App = fastify()
      const { db } = server
      registerGuards(app, {
        db,
        principalCache: createPrincipalCache(db, { adminToken: null }),
        cookies: createCookies({ publicUrl: null }),
        checkOrigin: createCheckOrigin({ publicUrl: null }),
        projectCache: createProjectCache(db),
        rateLimits: createRateLimits({
          rateLimit: 1,
          rateLimitOther: 1,
          rateLimitSignIn: 1,
          rateLimitInvalidTokens: 1,
          rateLimitFiles: 1,
        }),
      })
      const route = { ...(config === undefined ? {} : { config }), handler: () => 'open' }
      expect(() => app.route({ method: 'GET', url: '/v1/open', ...route })).toThrow('/v1/open declares no permission')
      await app.close()
    },
  )
})
