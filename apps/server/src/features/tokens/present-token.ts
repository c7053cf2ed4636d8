import type { CiToken, NewToken, Token } from '@caseward/contract/tokens'

import { presentNullableTime, presentTime } from '../../platform/http/timestamps.ts'
import type { insertToken, selectCiTokens, selectPersonalTokens } from './tokens.queries.ts'

type TokenRow = Awaited<ReturnType<typeof selectPersonalTokens>>[number]
type CiTokenRow = Awaited<ReturnType<typeof selectCiTokens>>[number]

export function presentToken(row: TokenRow): Token {
  const { id, name, access, expires_at, last_used_at, created_by, created_with, created_at } = row
  return {
    id,
    name,
    access,
    expires_at: presentNullableTime(expires_at),
    last_used_at: presentNullableTime(last_used_at),
    created_by,
    created_with,
    created_at: presentTime(created_at),
  }
}

export const presentCiToken = (row: CiTokenRow): CiToken => ({
  ...presentToken(row),
  grants: row.grants,
  needs_review: row.review_reason !== null,
  review_reason: row.review_reason,
})

export const presentNewToken = (row: Awaited<ReturnType<typeof insertToken>>): NewToken => ({
  ...presentToken(row),
  ...(row.kind === 'ci' ? { grants: row.grants } : {}),
  token: row.token,
})
