import type { FastifyRequest } from 'fastify'

import { forbiddenProblem } from '../platform/http/problems.ts'

export type CheckOrigin = (request: Pick<FastifyRequest, 'headers' | 'host'>) => void

/**
 * Refuses requests that another site makes a browser send: a cookie goes along with those, but their `Origin` tells.
 * It must be that of `PUBLIC_URL`; without one, the host that the request itself is for.
 * @throws {Problem} 403
 */
export function createCheckOrigin({ publicUrl }: { publicUrl: string | null }): CheckOrigin {
  const ours = publicUrl === null ? null : new URL(publicUrl).origin
  return ({ headers: { origin }, host }) => {
    const matches = ours === null ? matchesHost(origin, host) : origin === ours
    if (!matches) throw originMismatchProblem(ours)
  }
}

function matchesHost(origin: string | undefined, host: string): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}

const originMismatchProblem = (ours: string | null) =>
  forbiddenProblem(
    `A request with a session cookie must come from the service’s own pages${ours === null ? '' : ` (${ours})`}: its Origin does not match. Programs send a token.`,
    'foreign_origin',
  )
