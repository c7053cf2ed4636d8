import { randomBytes } from 'node:crypto'

import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { hashSecret } from '../../access/secret.ts'

const secretForm = /^[0-9A-Za-z_-]{43}$/

/** The address of a link. */
export const joinUrl = (publicUrl: string, secret: string): string => `${publicUrl}/join/${secret}`

/** Makes one more link for an invitation. Its secret exists nowhere but in what is returned. */
export async function insertLink(db: Database, invitationId: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await db
    .insertInto('invitation_links')
    .values({ secret_hash: hashSecret(secret), invitation_id: invitationId })
    .execute()
  return secret
}

/** Ends all links of an invitation. */
export async function replaceLinks(tx: Database, invitationId: string): Promise<void> {
  await tx
    .updateTable('invitation_links')
    .set({ replaced_at: sql<Date>`now()` })
    .where('invitation_id', '=', invitationId)
    .where('replaced_at', 'is', null)
    .execute()
}

/** What a link opens, whether or not it still does; undefined when there is no such link. */
export async function findLink(db: Database, secret: string) {
  if (!secretForm.test(secret)) return undefined
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
      sql<boolean>`invitation.expires_at <= now()`.as('has_lapsed'),
    ])
    .where('link.secret_hash', '=', hashSecret(secret))
    .executeTakeFirst()
}
export type InvitationLink = NonNullable<Awaited<ReturnType<typeof findLink>>>
