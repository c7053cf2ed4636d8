import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../database/connect.ts'
import { Problem } from '../http/problems.ts'

/** The kind of a mail is its purpose. */
type MailPurpose = { readonly kind: string }

/** How many emails may be queued within a time that starts with the first one. */
interface MailLimit {
  maxMails: number
  windowSeconds: number
}

/** Prevents anyone from flooding the inbox of an address. */
const ADDRESS_LIMIT: MailLimit = { maxMails: 1, windowSeconds: 5 * 60 }
/** Prevents one user from sending mass emails through this server. */
const SENDER_LIMIT: MailLimit = { maxMails: 50, windowSeconds: 60 * 60 }

/**
 * Counts an email to an address, and returns whether it may be queued. Must be called in the transaction that queues it.
 * For emails that strangers cause: the response must not reveal whether the address is known.
 */
export async function isMailAllowed(tx: Database, mail: MailPurpose, address: string): Promise<boolean> {
  return (await countForAddress(tx, mail, address)).isAllowed
}

/**
 * Counts an email that a user sends to an address. Must be called in the transaction that queues it, which fails if the
 * limit is reached.
 * @throws {Problem} 429 `mail_limit`
 */
export async function requireMailAllowed(
  tx: Database,
  mail: MailPurpose,
  { address, senderId }: { address: string; senderId: string },
): Promise<void> {
  const toAddress = await countForAddress(tx, mail, address)
  if (!toAddress.isAllowed) {
    throw mailLimitProblem('This address got such an email less than five minutes ago.', toAddress)
  }
  const ofSender = await countMail(tx, sql`'sender:' || ${senderId}::text`, SENDER_LIMIT)
  if (!ofSender.isAllowed) {
    throw mailLimitProblem(`You have sent ${SENDER_LIMIT.maxMails} emails within an hour.`, ofSender)
  }
}

/** Deletes counts whose time is over. Skips rows in use, so that it never waits for another transaction. */
export async function deleteEndedMailCounts(db: Database): Promise<void> {
  await sql`
    delete from mail_limits where bucket in (
      select bucket from mail_limits where resets_at <= now() order by resets_at limit 100 for update skip locked
    )`.execute(db)
}

/** Addresses differ only in the case of ASCII letters: the collation prevents PostgreSQL from folding others. */
const countForAddress = (tx: Database, { kind }: MailPurpose, address: string) =>
  countMail(tx, sql`${kind}::text || ':' || lower(${address}::text collate "C")`, ADDRESS_LIMIT)

interface MailCount {
  isAllowed: boolean
  secondsUntilReset: number
}

/** Concurrent transactions with the same bucket wait for each other here, so that none exceeds the limit. */
async function countMail(
  tx: Database,
  bucket: RawBuilder<unknown>,
  { maxMails, windowSeconds }: MailLimit,
): Promise<MailCount> {
  const window = sql`make_interval(secs => ${windowSeconds}::double precision)`
  // The clock of the database, because servers' clocks differ. `now()` would be the start of the transaction.
  const hasEnded = sql`entry.resets_at <= excluded.resets_at - ${window}`
  const { rows } = await sql<{ count: number; seconds: number }>`
    insert into mail_limits as entry (bucket, mail_count, resets_at)
    values (${bucket}, 1, clock_timestamp() + ${window})
    on conflict (bucket) do update set
      mail_count = case when ${hasEnded} then 1 else least(entry.mail_count, ${maxMails}::int) + 1 end,
      resets_at = case when ${hasEnded} then excluded.resets_at else entry.resets_at end
    returning mail_count as count, ceil(extract(epoch from resets_at - clock_timestamp()))::int as seconds`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('Counting an email returned no row')
  return { isAllowed: row.count <= maxMails, secondsUntilReset: Math.max(1, row.seconds) }
}

const mailLimitProblem = (reason: string, { secondsUntilReset }: MailCount) =>
  new Problem(429, 'mail_limit', `${reason} Nothing was changed. Try again in ${secondsUntilReset} seconds.`, {
    headers: { 'retry-after': String(secondsUntilReset) },
  })
