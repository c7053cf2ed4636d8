import type { SecondFactor } from '@caseward/contract/second-factors'

import { presentTime } from '../../../platform/http/timestamps.ts'
import type { SecondFactorRow } from './second-factors.queries.ts'

export const presentSecondFactor = ({ id, kind, name, created_at, last_used_at }: SecondFactorRow): SecondFactor => ({
  id,
  kind: kind === 'passkey' ? kind : 'totp',
  name,
  created_at: presentTime(created_at),
  last_used_at: last_used_at === null ? null : presentTime(last_used_at),
})
