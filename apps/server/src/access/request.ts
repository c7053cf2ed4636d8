import type { RateLimitGroup, Permission } from '@caseward/contract/endpoint'
import type { FastifyRequest } from 'fastify'

import type { Problem } from '../platform/http/problems.ts'
import type { ProjectRef, RunRef } from './project-cache.ts'
import type { Principal } from './principal-cache.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    permission?: Permission
    rateLimit?: RateLimitGroup
  }
  interface FastifyRequest {
    /** Who makes the request; null on public routes. */
    principal: Principal | null
    /** The project that the request is in; null outside of projects. */
    project: ProjectRef | null
    run: RunRef | null
    /** A refusal that waits for the body, which may tell which run is meant. It comes before any word on the body itself. */
    deferredProblem: Problem | null
  }
}

/** Who makes the request. For routes whose permission is not `public`. */
export function requirePrincipal({ principal }: Pick<FastifyRequest, 'principal'>): Principal {
  if (principal === null) throw new Error('A public route has no principal')
  return principal
}

/** The user who makes the request; null for a CI token. */
export function getUserId(request: Pick<FastifyRequest, 'principal'>): string | null {
  const principal = requirePrincipal(request)
  return principal.kind === 'ci' ? null : principal.userId
}

/** The user who makes the request. For routes with the permission `own-account`, which no CI token has. */
export function requireUserId(request: Pick<FastifyRequest, 'principal'>): string {
  const userId = getUserId(request)
  if (userId === null) throw new Error('This route is for people')
  return userId
}

/** The project that the request is in. For routes with a `project_id` or `run_id` in their path. */
export function requireProject({ project }: Pick<FastifyRequest, 'project'>): ProjectRef {
  if (project === null) throw new Error('This route is not in a project')
  return project
}

/** The run that the request is about. For routes with a `run_id` in their path. */
export function requireRun({ run }: Pick<FastifyRequest, 'run'>): RunRef {
  if (run === null) throw new Error('This route is not about a run')
  return run
}
