import type { RateLimitGroup, Permission } from '@caseward/contract/endpoint'
import type { FastifyRequest } from 'fastify'

import type { Principal, UserPrincipal } from './principal.ts'
import type { ProjectRef, RunRef } from './project-cache.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    permission?: Permission
    rateLimit?: RateLimitGroup
    allowsMissingSecondFactor?: boolean
    /** Set by a route whose body names the project: it checks its permission itself. */
    checksOwnPermission?: boolean
    /** Whether a response contains a secret, and is therefore not kept. */
    returnsSecret?: boolean
  }
  interface FastifyRequest {
    /** The authenticated caller; null on public routes. */
    principal: Principal | null
    /** The project of the request; null outside of projects. */
    project: ProjectRef | null
    run: RunRef | null
    /** The account that a rejected sign-in named, for the log; null otherwise. */
    accountId: string | null
  }
}

/** Returns the authenticated caller. For routes whose permission is not `public`. */
export function requirePrincipal({ principal }: Pick<FastifyRequest, 'principal'>): Principal {
  if (principal === null) throw new Error('A public route has no principal')
  return principal
}

/** Returns the user of the request; null for a CI token. */
export function getUserId(request: Pick<FastifyRequest, 'principal'>): string | null {
  const principal = requirePrincipal(request)
  return principal.kind === 'ci' ? null : principal.userId
}

/** Returns the authenticated caller. For routes with a permission that CI tokens do not have. */
export function requireUserPrincipal(request: Pick<FastifyRequest, 'principal'>): UserPrincipal {
  const principal = requirePrincipal(request)
  if (principal.kind === 'ci') throw new Error('This route requires a user')
  return principal
}

/** Returns the user of the request. For routes with the permission `own-account`, which CI tokens do not have. */
export function requireUserId(request: Pick<FastifyRequest, 'principal'>): string {
  const userId = getUserId(request)
  if (userId === null) throw new Error('This route requires a user')
  return userId
}

/** Returns the project of the request. For routes with a `project_id` or `run_id` in their path. */
export function requireProject({ project }: Pick<FastifyRequest, 'project'>): ProjectRef {
  if (project === null) throw new Error('This route is not in a project')
  return project
}

/** Returns the run of the request. For routes with a `run_id` in their path. */
export function requireRun({ run }: Pick<FastifyRequest, 'run'>): RunRef {
  if (run === null) throw new Error('This route has no run')
  return run
}
