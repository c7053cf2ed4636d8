import type { NewToken, Token } from '@caseward/contract/tokens'

import { presentNullableTime, presentTime } from '../../platform/http/timestamps.ts'
import type { selectTokens } from './tokens.queries.ts'

type TokenRow = Awaited<ReturnType<typeof selectTokens>>[number]

export function presentToken({ id, name, access, expires_at, last_used_at, created_at }: TokenRow): Token {
  return {
    id,
    name,
    access,
    expires_at: presentNullableTime(expires_at),
    last_used_at: presentNullableTime(last_used_at),
    created_at: presentTime(created_at),
  }
}

export const presentNewToken = (row: TokenRow & { token: string }): NewToken => ({
  ...presentToken(row),
  token: row.token,
})
