import type { ChangedMember, Member } from '@caseward/contract/members'

import { presentTime } from '../../platform/http/timestamps.ts'
import type { MemberRow } from './members.queries.ts'

export function presentMember({ id, email, name, avatar_url, role, joined_at }: MemberRow): Member {
  return { id, email, name, avatar_url, role, joined_at: presentTime(joined_at) }
}

export const presentChangedMember = (row: MemberRow): ChangedMember => ({
  ...presentMember(row),
  updated_at: presentTime(row.updated_at),
})
