import type { Permission, RateLimitGroup } from '@caseward/contract/endpoint'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

import { notFoundProblem, unauthenticatedProblem } from '../platform/http/problems.ts'
import { isProjectPermission, isWriteMethod, checkProjectPermission, checkAccountPermission } from './permissions.ts'
import { getClientKey } from '../platform/http/client-address.ts'
import type { Cookies } from './cookies.ts'
import type { ProjectCache } from './project-cache.ts'
import type { Principal, PrincipalCache } from './principal-cache.ts'
import { consumeRateLimit, type RateLimits } from '../platform/http/rate-limit.ts'
import type { App } from '../platform/http/app.ts'
import type { CheckOrigin } from './same-origin.ts'

interface GuardDeps {
  principalCache: PrincipalCache
  cookies: Cookies
  checkOrigin: CheckOrigin
  projectCache: ProjectCache
  rateLimits: RateLimits
}

/** What a route declares of itself. */
interface RouteAccess {
  permission: Permission
  rateLimit: RateLimitGroup
}

/**
 * Sets the order of checks of every route, before a byte of the body is read: 401, 429, 404 of the project or run,
 * 403. What comes later (400, 404, 409, 422 of the thing itself) is told only to callers with the right.
 */
export function registerGuards(app: App, deps: GuardDeps): void {
  app.decorateRequest('principal', null)
  app.decorateRequest('project', null)
  app.decorateRequest('run', null)
  app.decorateRequest('deferredProblem', null)
  app.addHook('onRoute', requirePermission)
  app.addHook('onRequest', async (request, reply) => {
    const { permission, rateLimit = 'other' } = request.routeOptions.config
    if (permission === 'public' || permission === 'public-or-own-account') {
      await guardPublic(request, reply, { permission, rateLimit }, deps)
    } else if (permission !== undefined) {
      await guard(request, reply, { permission, rateLimit }, deps)
    }
  })
}

/** A route of the API that declares no permission never comes to be. */
function requirePermission({ url, config }: RouteOptions): void {
  if (url.startsWith('/v1') && (config?.permission === undefined || config.rateLimit === undefined)) {
    throw new Error(`${url} declares no permission or no rate limit`)
  }
}

/** Nobody need be signed in: requests count against their address. Who sends a token or a session acts by it. */
async function guardPublic(
  request: FastifyRequest,
  reply: FastifyReply,
  { permission, rateLimit }: RouteAccess,
  deps: GuardDeps,
): Promise<void> {
  await consumeRateLimit(deps.rateLimits[rateLimit], getClientKey(request.ip), reply)
  if (permission === 'public') return
  const { authorization } = request.headers
  request.principal = await (authorization === undefined
    ? authenticateSession(request, deps)
    : authenticateToken(request, authorization, deps))
  if (request.principal === null) return
  const refusal = checkAccountPermission(request.principal, permission, request.method)
  if (refusal !== null) throw refusal
}

async function guard(
  request: FastifyRequest,
  reply: FastifyReply,
  { permission, rateLimit }: RouteAccess,
  deps: GuardDeps,
): Promise<void> {
  const principal = await authenticate(request, deps)
  request.principal = principal
  // People at their browsers share one bucket for everything.
  const group = principal.kind === 'session' ? 'other' : rateLimit
  await consumeRateLimit(deps.rateLimits[group], principal.key, reply)
  await resolveProjectAndRun(request, deps.projectCache)

  if (!isProjectPermission(permission)) {
    const refusal = checkAccountPermission(principal, permission, request.method)
    if (refusal !== null) throw refusal
  } else if (request.project !== null) {
    const refusal = checkProjectPermission(principal, permission, request.project.id, request.method)
    if (refusal !== null) {
      // Perhaps nobody has a right there any more because another server has deleted the project.
      if (!(await deps.projectCache.projectExists(request.project)))
        throw notFoundProblem(request.run === null ? 'project' : 'run')
      throw refusal
    }
  } else {
    // Only the query or the body says which run. A CI token is judged for its own project, a person for none.
    const ownProject = principal.kind === 'ci' ? principal.projectId : ''
    request.deferredProblem = checkProjectPermission(principal, permission, ownProject, request.method)
  }
}

const bearer = /^Bearer +([\x21-\x7e]+) *$/i

/** A token comes before a cookie. */
async function authenticate(request: FastifyRequest, deps: GuardDeps): Promise<Principal> {
  const { authorization } = request.headers
  if (authorization !== undefined) return await authenticateToken(request, authorization, deps)
  const principal = await authenticateSession(request, deps)
  if (principal === null) throw unauthenticatedProblem('Send your token in the header `Authorization: Bearer <token>`.')
  return principal
}

async function authenticateToken(
  { raw }: FastifyRequest,
  authorization: string,
  { principalCache }: GuardDeps,
): Promise<Principal> {
  const secret = bearer.exec(authorization)?.[1]
  const principal = secret === undefined ? null : await principalCache.findByToken(secret, raw.socket)
  if (principal === null) throw unauthenticatedProblem('The token is not valid: it is mistyped, revoked or expired.')
  return principal
}

/** Who the cookie belongs to; null without one that is valid. A browser sends it also when another site makes it. */
async function authenticateSession(request: FastifyRequest, deps: GuardDeps): Promise<Principal | null> {
  const secret = deps.cookies.read(request, 'session')
  const principal = secret === null ? null : await deps.principalCache.findBySession(secret)
  if (principal !== null && isWriteMethod(request.method)) deps.checkOrigin(request)
  return principal
}

async function resolveProjectAndRun(request: FastifyRequest, projectCache: ProjectCache): Promise<void> {
  const { project_id: projectId, run_id: runId } = request.params as { project_id?: string; run_id?: string }
  if (runId !== undefined) {
    request.run = await projectCache.findRun(runId)
    if (request.run === null) throw notFoundProblem('run')
    request.project = request.run.project
  } else if (projectId !== undefined) {
    request.project = await projectCache.findProject(projectId)
    if (request.project === null) throw notFoundProblem('project')
  }
}
