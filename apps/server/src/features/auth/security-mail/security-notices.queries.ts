import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../../platform/database/connect.ts'
import type { AuditActor } from '../../audit/record-audit.ts'
import { getEmailKeySql, toEmailKey } from '../users/email-key.ts'
import type { NoticeDetail, NoticeKindName } from './notice-kinds.ts'

/** The time between two emails to an address. */
const INTERVAL_MINUTES = 5
/** Notices of one kind that an email lists. The last of them counts the others, so that no kind hides another one. */
const MAX_OF_KIND = 5
/** Longer than the job of an email is retried. */
const KEEP_DAYS = 8
const USER_AGENT_LENGTH = 300
const ADDRESS_LENGTH = 64

interface OpenMail {
  id: string
  isNew: boolean
  sendAt: Date
}

/**
 * Finds the email to an address that is not closed yet, or inserts one: for now, or for when the time after the last one is
 * over. Locks it, so that it is not closed before the transaction ends.
 */
export async function openSecurityMail(tx: Database, email: string): Promise<OpenMail> {
  const emailKey = getEmailKeySql('email')
  const newId = uuidv7()
  const { rows } = await sql<OpenMail>`
    insert into security_mails as mail (id, email, send_at)
    values (${newId}, ${email}, greatest(now(), (
      select max(send_at) + make_interval(mins => ${sql.lit(INTERVAL_MINUTES)}) from security_mails
      where ${emailKey} = ${toEmailKey(email)}
    )))
    on conflict (${emailKey}) where is_open do update set email = excluded.email
    returning id, id = ${newId} as "isNew", send_at as "sendAt"`.execute(tx)
  const [mail] = rows
  if (mail === undefined) throw new Error('Inserting a security email returned no row')
  return mail
}

interface NewNotice {
  mailId: string
  kind: NoticeKindName
  userId: string
  detail: NoticeDetail
}

/** Inserts a notice, or counts it with the last one of its kind. Names of the administrator and the token are looked up. */
export async function insertNotice(
  tx: Database,
  { userId: actorId, tokenId, address, userAgent }: AuditActor,
  { mailId, kind, userId, detail }: NewNotice,
): Promise<void> {
  await sql`
    insert into security_notices as notice (mail_id, kind, place, at, address, user_agent, detail)
    select ${mailId}, ${kind},
      least((select count(*) from security_notices where mail_id = ${mailId} and kind = ${kind}), ${sql.lit(MAX_OF_KIND - 1)}),
      clock_timestamp(), ${address?.slice(0, ADDRESS_LENGTH) ?? null}::text,
      ${userAgent?.slice(0, USER_AGENT_LENGTH) ?? ''}, (
        ${JSON.stringify(detail)}::jsonb || jsonb_strip_nulls(jsonb_build_object(
          'by', (select name from users where id = ${actorId}::uuid and id <> ${userId}::uuid),
          'token', (select name from api_tokens where id = ${tokenId}::uuid)
        ))
      )::json
    on conflict (mail_id, kind, place) do update set repeat_count = notice.repeat_count + 1`.execute(tx)
}

/** Selects the users who were told of something of this kind in the last hours, at the address that they have now. */
export async function selectUsersWithNotice(
  tx: Database,
  { kind, userIds, hours }: { kind: NoticeKindName; userIds: readonly string[]; hours: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select users.id from users where id = any(${userIds}::uuid[]) and exists (
      select from security_mails mail join security_notices notice on notice.mail_id = mail.id
      where ${getEmailKeySql('mail.email')} = ${getEmailKeySql('users.email')}
        and notice.kind = ${kind} and notice.at > now() - make_interval(hours => ${sql.lit(hours)})
    )`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Closes an email and returns its address; undefined for one that was deleted. */
export async function closeSecurityMail(db: Database, id: string): Promise<string | undefined> {
  const mail = await db
    .updateTable('security_mails')
    .set({ is_open: false })
    .where('id', '=', id)
    .returning('email')
    .executeTakeFirst()
  return mail?.email
}

export type NoticeRow = Awaited<ReturnType<typeof selectNotices>>[number]

export async function selectNotices(db: Database, mailId: string) {
  return await db
    .selectFrom('security_notices')
    .select(['kind', 'at', 'address', 'user_agent', 'repeat_count', sql<NoticeDetail>`detail`.as('detail')])
    .where('mail_id', '=', mailId)
    .orderBy('at')
    .execute()
}

/** Deletes emails that are not retried anymore. Skips rows in use, so that it never waits for another transaction. */
export async function deleteOldSecurityMails(db: Database): Promise<void> {
  await sql`
    delete from security_mails where id in (
      select id from security_mails where send_at < now() - make_interval(days => ${sql.lit(KEEP_DAYS)})
      order by send_at limit 100 for update skip locked
    )`.execute(db)
}
