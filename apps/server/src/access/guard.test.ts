import type { Permission } from '@caseward/contract/endpoint'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import type { App } from '../platform/http/app.ts'
import { createCookies } from './cookies.ts'
import { registerGuards } from './guard.ts'
import { createPrincipalCache } from './principal-cache.ts'
import { createProjectCache } from './project-cache.ts'
import { createRateLimits } from './rate-limits.ts'
import { createCheckOrigin } from './same-origin.ts'

const server = useSharedServer()

function createGuardedApp(): App {
  const app: App = fastify()
  onTestFinished(() => app.close())
  registerGuards(app, {
    db: server.db,
    principalCache: createPrincipalCache(server.db, { adminToken: null }),
    cookies: createCookies({ publicUrl: null }),
    checkOrigin: createCheckOrigin({ publicUrl: null }),
    projectCache: createProjectCache(server.db),
    rateLimits: createRateLimits({
      rateLimit: 1,
      rateLimitOther: 1,
      rateLimitSignIn: 1,
      rateLimitInvalidTokens: 1,
      rateLimitFiles: 1,
    }),
  })
  return app
}

const addRoute = (url: string, config: { permission: Permission; checksOwnPermission?: boolean }) =>
  createGuardedApp().route({ method: 'GET', url, config: { rateLimit: 'other', ...config }, handler: () => 'open' })

describe('registerGuards', () => {
  it('rejects a route with a project permission whose URL names no project or run', () => {
    expect(() => addRoute('/v1/open', { permission: 'project:view' })).toThrow(
      '/v1/open requires project:view, but names no project or run',
    )
  })

  it.each([
    ['/v1/projects/:project_id/open', { permission: 'project:view' }],
    ['/v1/runs/:run_id/open', { permission: 'runs:execute' }],
    ['/v1/open', { permission: 'signed-in' }],
    ['/v1/open', { permission: 'results:upload', checksOwnPermission: true }],
  ] as const)('accepts the route %s with %j', (url, config) => {
    expect(() => addRoute(url, config)).not.toThrow()
  })
})
