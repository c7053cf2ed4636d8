import type { FastifyRequest } from 'fastify'

import { forbiddenProblem } from '../platform/http/problems.ts'

export type CheckOrigin = (request: Pick<FastifyRequest, 'headers' | 'host'>) => void

/**
 * Creates a check that rejects requests which another site makes a browser send: they include the session cookie, but
 * have another `Origin`. It must be that of `PUBLIC_URL`, or without one match the host of the request.
 * @throws {Problem} 403
 */
export function createCheckOrigin({ publicUrl }: { publicUrl: string | null }): CheckOrigin {
  const publicOrigin = publicUrl === null ? null : new URL(publicUrl).origin
  return ({ headers: { origin }, host }) => {
    const matches = publicOrigin === null ? matchesHost(origin, host) : origin === publicOrigin
    if (!matches) throw originMismatchProblem(publicOrigin)
  }
}

function matchesHost(origin: string | undefined, host: string): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}

const originMismatchProblem = (publicOrigin: string | null) =>
  forbiddenProblem(
    `The Origin of a request with a session cookie must be the service itself${publicOrigin === null ? '' : ` (${publicOrigin})`}. Programs must use a token.`,
    'foreign_origin',
  )
