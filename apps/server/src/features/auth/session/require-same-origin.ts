import type { FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'

/**
 * Hook for endpoints that sign in without a token. Programs send no `Origin`; browsers do, and theirs must be this
 * service's: otherwise another site could sign its visitors in to an account of its choice (login CSRF).
 */
export const requireSameOrigin =
  ({ checkOrigin }: Deps) =>
  async (request: FastifyRequest): Promise<void> => {
    if (request.headers.origin !== undefined) checkOrigin(request)
  }
