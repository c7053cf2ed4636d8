import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

import { notFound, unauthenticated } from '../problems.ts'
import { refuseInProject, refuseOutsideProjects } from './authorize.ts'
import type { Places } from './places.ts'
import type { Principal, Principals } from './principals.ts'
import { countAgainst, type RateLimits } from './rate-limit.ts'
import type { App } from './request.ts'

interface GuardDeps {
  principals: Principals
  places: Places
  rateLimits: RateLimits
}

/**
 * Sets the order of checks of every route, before a byte of the body is read: 401, 429, 404 of the project or run,
 * 403. What comes later (400, 404, 409, 422 of the thing itself) is told only to callers with the right.
 */
export function guardEveryRoute(app: App, deps: GuardDeps): void {
  app.decorateRequest('principal', null)
  app.decorateRequest('project', null)
  app.decorateRequest('run', null)
  app.decorateRequest('refusal', null)
  app.addHook('onRoute', requirePermission)
  app.addHook('onRequest', async (request, reply) => {
    const { permission } = request.routeOptions.config
    if (permission !== undefined && permission !== 'public') await guard(request, reply, deps)
  })
}

/** A route of the API that declares no permission never comes to be. */
function requirePermission({ url, config }: RouteOptions): void {
  if (url.startsWith('/v1') && (config?.permission === undefined || config.rateLimit === undefined)) {
    throw new Error(`${url} declares no permission or no rate limit`)
  }
}

async function guard(request: FastifyRequest, reply: FastifyReply, deps: GuardDeps): Promise<void> {
  const { permission = 'signed-in', rateLimit = 'other' } = request.routeOptions.config
  const principal = await authenticate(request, deps.principals)
  request.principal = principal
  await countAgainst(deps.rateLimits[rateLimit], principal.key, reply)
  await findPlace(request, deps.places)

  if (permission === 'public' || permission === 'signed-in' || permission === 'own-account') {
    const refusal = refuseOutsideProjects(principal, permission, request.method)
    if (refusal !== null) throw refusal
  } else if (request.project !== null) {
    const refusal = refuseInProject(principal, permission, request.project.id, request.method)
    if (refusal !== null) {
      // Perhaps nobody has a right there any more because another server has deleted the project.
      if (!(await deps.places.isStillThere(request.project))) throw notFound(request.run === null ? 'project' : 'run')
      throw refusal
    }
  } else {
    // Only the body says which run. A CI token is judged for its own project, a person for none.
    const ownProject = principal.kind === 'ci' ? principal.projectId : ''
    request.refusal = refuseInProject(principal, permission, ownProject, request.method)
  }
}

const bearer = /^Bearer +([\x21-\x7e]+) *$/i

async function authenticate(request: FastifyRequest, principals: Principals): Promise<Principal> {
  const { authorization } = request.headers
  if (authorization === undefined)
    throw unauthenticated('Send your token in the header `Authorization: Bearer <token>`.')
  const secret = bearer.exec(authorization)?.[1]
  const principal = secret === undefined ? null : await principals.find(secret)
  if (principal === null) throw unauthenticated('The token is not valid: it is mistyped, revoked or expired.')
  return principal
}

async function findPlace(request: FastifyRequest, places: Places): Promise<void> {
  const { project_id: projectId, run_id: runId } = request.params as { project_id?: string; run_id?: string }
  if (runId !== undefined) {
    request.run = await places.run(runId)
    if (request.run === null) throw notFound('run')
    request.project = request.run.project
  } else if (projectId !== undefined) {
    request.project = await places.project(projectId)
    if (request.project === null) throw notFound('project')
  }
}
