import type { FastifyRequest } from 'fastify'

/** Who a request is from, for the line of a refused request in the log. */
export interface CallerIds {
  user_id?: string
  token_id?: string
}

/** Returns the ids of the caller, or of the account that a rejected sign-in named; nothing when neither is known. */
export function getCallerIds({ principal, accountId }: Pick<FastifyRequest, 'principal' | 'accountId'>): CallerIds {
  if (principal === null) return accountId === null ? {} : { user_id: accountId }
  if (principal.kind === 'ci') return { token_id: principal.key }
  return principal.kind === 'personal'
    ? { user_id: principal.userId, token_id: principal.key }
    : { user_id: principal.userId }
}
