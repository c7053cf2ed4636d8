import type { Permission, RateLimitGroup } from '@caseward/contract/endpoint'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

import type { App } from '../platform/http/app.ts'
import type { Database } from '../platform/database/connect.ts'
import { isWriteMethod } from '../platform/http/methods.ts'
import { notFoundProblem, unauthenticatedProblem } from '../platform/http/problems.ts'
import { consumeRateLimit, limitFailedLookups } from '../platform/http/rate-limit.ts'
import type { Cookies } from './cookies.ts'
import { findSession } from './find-session.ts'
import { limitRequests } from './limit-requests.ts'
import {
  checkAccountPermission,
  checkProjectPermission,
  isProjectPermission,
  secondFactorSetupRequiredProblem,
} from './permissions.ts'
import type { PrincipalCache } from './principal-cache.ts'
import type { Principal } from './principal.ts'
import type { ProjectCache } from './project-cache.ts'
import type { RateLimits } from './rate-limits.ts'
import type { CheckOrigin } from './same-origin.ts'

interface GuardDeps {
  db: Database
  principalCache: PrincipalCache
  cookies: Cookies
  checkOrigin: CheckOrigin
  projectCache: ProjectCache
  rateLimits: RateLimits
}

/** The access settings of a route. */
interface RouteAccess {
  permission: Permission
  rateLimit: RateLimitGroup
}

/**
 * Checks every route in this order, before the body is read: 401, 429, 404 of the project or run, 403. Errors that are
 * found later (400, 404, 409, 422) are shown only to callers with the permission.
 */
export function registerGuards(app: App, deps: GuardDeps): void {
  app.decorateRequest('principal', null)
  app.decorateRequest('project', null)
  app.decorateRequest('run', null)
  app.decorateRequest('accountId', null)
  app.addHook('onRoute', assertRouteAccess)
  app.addHook('onRequest', async (request, reply) => {
    const { permission, rateLimit = 'other' } = request.matchedRoute.config
    if (permission === 'public' || permission === 'public-or-own-account') {
      await guardPublic(request, reply, { permission, rateLimit }, deps)
    } else if (permission !== undefined) {
      await guard(request, reply, { permission, rateLimit }, deps)
    }
  })
}

/** Fails at start for a route of the API that nothing would guard. */
function assertRouteAccess({ url, config }: Pick<RouteOptions, 'url' | 'config'>): void {
  if (!url.startsWith('/v1')) return
  if (config?.permission === undefined || config.rateLimit === undefined) {
    throw new Error(`${url} declares no permission or no rate limit`)
  }
  const hasProject = /:(?:project_id|run_id)\b/.test(url)
  if (isProjectPermission(config.permission) && !hasProject && config.checksOwnPermission !== true) {
    throw new Error(`${url} requires ${config.permission}, but names no project or run`)
  }
}

/** Guards a route that needs no sign-in: requests count per known browser, or per IP address. */
async function guardPublic(
  request: FastifyRequest,
  reply: FastifyReply,
  { permission, rateLimit }: RouteAccess,
  deps: GuardDeps,
): Promise<void> {
  await limitRequests(deps, rateLimit, request, reply)
  if (permission === 'public') return
  const { authorization } = request.headers
  request.principal = await (authorization === undefined
    ? authenticateSession(request, reply, deps)
    : authenticateToken(request, reply, authorization, deps))
  if (request.principal === null) return
  requireSecondFactorSetup(request, request.principal)
  const problem = checkAccountPermission(request.principal, permission, request.method)
  if (problem !== null) throw problem
}

async function guard(
  request: FastifyRequest,
  reply: FastifyReply,
  { permission, rateLimit }: RouteAccess,
  deps: GuardDeps,
): Promise<void> {
  // What is cached is not awaited: each `await` lets the request wait for its turn, and together they take a twentieth of a read.
  const principal = getCachedPrincipal(request, deps) ?? (await authenticate(request, reply, deps))
  request.principal = principal
  // Sessions share one limit for all endpoints, except for files: a page can show hundreds of pictures.
  const group = principal.kind === 'session' && rateLimit !== 'files' ? 'other' : rateLimit
  await consumeRateLimit(deps.rateLimits[group], principal.key, reply)
  requireSecondFactorSetup(request, principal)
  const { projectCache } = deps
  if (!setCachedProjectAndRun(request, projectCache)) await resolveProjectAndRun(request, projectCache)

  if (!isProjectPermission(permission)) {
    const problem = checkAccountPermission(principal, permission, request.method)
    if (problem !== null) throw problem
  } else if (request.project !== null) {
    const problem = checkProjectPermission(principal, permission, request.project.id, request.method)
    if (problem === null) return
    // The roles may be gone because another server has deleted the project.
    if (await projectCache.projectExists(request.project)) throw problem
    throw notFoundProblem(request.run === null ? 'project' : 'run')
  }
}

/** @throws {Problem} 403 for a session whose user has to set up a second factor first */
function requireSecondFactorSetup(request: FastifyRequest, principal: Principal): void {
  if (principal.kind !== 'session' || !principal.mustSetUpSecondFactor) return
  if (request.matchedRoute.config.allowsMissingSecondFactor !== true) throw secondFactorSetupRequiredProblem()
}

const bearer = /^Bearer +([\x21-\x7e]+) *$/i

/** Authenticates by token or session; a token takes precedence. */
async function authenticate(request: FastifyRequest, reply: FastifyReply, deps: GuardDeps): Promise<Principal> {
  const { authorization } = request.headers
  if (authorization !== undefined) return await authenticateToken(request, reply, authorization, deps)
  const principal = await authenticateSession(request, reply, deps)
  if (principal === null) {
    throw unauthenticatedProblem('Send your token in the header `Authorization: Bearer <token>`.')
  }
  return principal
}

/** Returns who the token is of, if that is cached; undefined without a token. */
function getCachedPrincipal({ headers: { authorization }, raw }: FastifyRequest, { principalCache }: GuardDeps) {
  const secret = authorization === undefined ? undefined : bearer.exec(authorization)?.[1]
  return secret === undefined ? undefined : principalCache.getByToken(secret, raw.socket)
}

/** Requests with an invalid token count against a limit of their address. */
async function authenticateToken(
  request: FastifyRequest,
  reply: FastifyReply,
  authorization: string,
  { principalCache, rateLimits: { 'invalid-tokens': limiter } }: GuardDeps,
): Promise<Principal> {
  const secret = bearer.exec(authorization)?.[1]
  const principal = await limitFailedLookups(limiter, request, reply, async (checkLimit) =>
    secret === undefined ? null : await principalCache.findByToken(secret, request.raw.socket, checkLimit),
  )
  if (principal !== null) return principal
  throw unauthenticatedProblem('The token is invalid, revoked or expired.')
}

/**
 * Returns the principal of the session cookie; null without a valid one. A browser sends the cookie also with requests
 * that other sites make, so that writes are checked for their origin.
 */
async function authenticateSession(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: GuardDeps,
): Promise<Principal | null> {
  const principal = await findSession(request, reply, deps)
  if (principal !== null && isWriteMethod(request.method)) deps.checkOrigin(request)
  return principal
}

interface PlaceParams {
  project_id?: string
  run_id?: string
}

/** Sets the project and run of the request, unless one of them is not cached. */
function setCachedProjectAndRun(request: FastifyRequest, projectCache: ProjectCache): boolean {
  const { project_id: projectId, run_id: runId } = request.params as PlaceParams
  if (runId !== undefined) {
    request.run = projectCache.getRun(runId) ?? null
    request.project = request.run?.project ?? null
    return request.run !== null
  }
  if (projectId === undefined) return true
  request.project = projectCache.getProject(projectId) ?? null
  return request.project !== null
}

async function resolveProjectAndRun(request: FastifyRequest, projectCache: ProjectCache): Promise<void> {
  const { project_id: projectId, run_id: runId } = request.params as PlaceParams
  if (runId !== undefined) {
    request.run = await projectCache.findRun(runId)
    if (request.run === null) throw notFoundProblem('run')
    request.project = request.run.project
  } else if (projectId !== undefined) {
    request.project = await projectCache.findProject(projectId)
    if (request.project === null) throw notFoundProblem('project')
  }
}
