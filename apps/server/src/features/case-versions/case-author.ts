import type { FastifyRequest } from 'fastify'

import { requireUserPrincipal } from '../../access/request.ts'
import type { VersionSource } from '@caseward/contract/case-versions'

/** Who changes test cases, and how. */
export interface CaseAuthor {
  userId: string | null
  /** The token that was used; null in the browser. */
  tokenId: string | null
  via: VersionSource
  /** What the author says about the change; null for nothing. */
  summary: string | null
}

/**
 * Returns the caller of a request as the author of a change.
 * @param via missing for a change of one test case, in the browser or by the API
 */
export function getCaseAuthor(request: Pick<FastifyRequest, 'principal'>, via?: VersionSource): CaseAuthor {
  const principal = requireUserPrincipal(request)
  const isInBrowser = principal.kind === 'session'
  return {
    userId: principal.userId,
    tokenId: isInBrowser ? null : principal.key,
    via: via ?? (isInBrowser ? 'web' : 'api'),
    summary: null,
  }
}
