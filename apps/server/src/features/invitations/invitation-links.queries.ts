import { randomBytes } from 'node:crypto'

import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { hashSecret } from '../../access/secret.ts'

const secretPattern = /^[0-9A-Za-z_-]{43}$/

export const getJoinUrl = (publicUrl: string, secret: string): string => `${publicUrl}/join/${secret}`

/**
 * Adds a link to an invitation. Returns its secret, of which only the hash is stored.
 * @param isMailed whether the link is sent only to the invited address, so that its use confirms the address
 */
export async function insertLink(
  db: Database,
  invitationId: string,
  { isMailed }: { isMailed: boolean },
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await db
    .insertInto('invitation_links')
    .values({ secret_hash: hashSecret(secret), invitation_id: invitationId, is_mailed: isMailed })
    .execute()
  return secret
}

/** Marks all links of an invitation as replaced. */
export async function replaceLinks(tx: Database, invitationId: string): Promise<void> {
  await tx
    .updateTable('invitation_links')
    .set({ replaced_at: sql<Date>`now()` })
    .where('invitation_id', '=', invitationId)
    .where('replaced_at', 'is', null)
    .execute()
}

/** Returns a link, valid or not, with its invitation; undefined when the secret is unknown. */
export async function findLink(db: Database, secret: string) {
  if (!secretPattern.test(secret)) return undefined
  return await db
    .selectFrom('invitation_links as link')
    .innerJoin('invitations as invitation', 'invitation.id', 'link.invitation_id')
    .innerJoin('projects as project', 'project.id', 'invitation.project_id')
    .innerJoin('users as inviter', 'inviter.id', 'invitation.invited_by')
    .select([
      'invitation.id',
      'invitation.email',
      'invitation.role',
      'invitation.status',
      'invitation.expires_at',
      'invitation.project_id',
      'project.name as project_name',
      'inviter.name as inviter_name',
      'link.replaced_at',
      'link.is_mailed',
      sql<boolean>`invitation.expires_at <= now()`.as('is_expired'),
    ])
    .where('link.secret_hash', '=', hashSecret(secret))
    .executeTakeFirst()
}
export type InvitationLink = NonNullable<Awaited<ReturnType<typeof findLink>>>
