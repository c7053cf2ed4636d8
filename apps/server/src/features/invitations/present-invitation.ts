import type { Invitation, InvitationPreview } from '@caseward/contract/invitations'

import { presentTime } from '../../platform/http/timestamps.ts'
import type { InvitationLink } from './invitation-links.queries.ts'
import type { InvitationRow } from './invitations.queries.ts'

export const presentInvitation = ({ expires_at, created_at, ...invitation }: InvitationRow): Invitation => ({
  ...invitation,
  expires_at: presentTime(expires_at),
  created_at: presentTime(created_at),
})

export const presentPreview = (link: InvitationLink): InvitationPreview => ({
  project: { id: link.project_id, name: link.project_name },
  email: link.email,
  role: link.role,
  invited_by: { name: link.inviter_name },
  expires_at: presentTime(link.expires_at),
})
