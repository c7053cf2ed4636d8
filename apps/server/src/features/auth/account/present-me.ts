import type { Me } from '@caseward/contract/session'

import { presentTime } from '../../../platform/http/timestamps.ts'
import type { UserRow } from '../users/users.queries.ts'

export const presentMe = ({
  id,
  email,
  name,
  avatar_url,
  password_hash,
  has_second_factor,
  is_instance_admin,
  created_at,
  updated_at,
}: UserRow): Me => ({
  id,
  email,
  name,
  avatar_url,
  has_password: password_hash !== null,
  has_second_factor,
  is_instance_admin,
  created_at: presentTime(created_at),
  updated_at: presentTime(updated_at),
})
