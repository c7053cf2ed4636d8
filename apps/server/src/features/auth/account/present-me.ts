import type { Me } from '@caseward/contract/session'

import type { Deps } from '../../../deps.ts'
import { presentNullableTime, presentTime } from '../../../platform/http/timestamps.ts'
import { getTraceViewerUrl } from '../../files/trace-viewer.ts'
import { arePasswordsAllowed } from '../session/require-passwords-allowed.ts'
import type { UserRow } from '../users/users.queries.ts'

export function presentMe(user: UserRow, deps: Pick<Deps, 'singleSignOn' | 'imageSources' | 'contentAddresses'>): Me {
  const { id, email, name, avatar_url, password_hash, has_second_factor, is_instance_admin, mention_emails } = user
  const canHavePassword = arePasswordsAllowed(deps)
  return {
    id,
    email,
    name,
    avatar_url,
    has_password: password_hash !== null && canHavePassword,
    can_have_password: canHavePassword,
    has_second_factor,
    is_instance_admin,
    review_since: presentNullableTime(user.review_since),
    image_sources: [...deps.imageSources],
    trace_viewer_url: getTraceViewerUrl(deps),
    mention_emails,
    created_at: presentTime(user.created_at),
    updated_at: presentTime(user.updated_at),
  }
}
