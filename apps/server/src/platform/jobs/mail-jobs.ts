import type { Task } from 'graphile-worker'
import { sql } from 'kysely'

import type { Database } from '../database/connect.ts'
import type { Mail, Mailer } from '../mail/mailer.ts'
import { deleteEndedMailCounts } from './mail-limits.ts'

/** The name of the task in the queue. */
export const SEND_MAIL = 'send_mail'

/** A mail that a feature sends. `app.ts` lists all of them. */
export interface MailDefinition {
  /** Stored in the queue: must not change while mails of this kind are waiting. */
  kind: string
  /** Builds the mail when it is sent; returns null when there is nothing to send anymore. */
  build(db: Database, id: string, publicUrl: string): Promise<Mail | null>
}

/** The queue stores what to build the mail from, never the mail: it may contain a secret. */
interface MailJob {
  kind: string
  id: string
}

/** Retries wait e, e², … seconds, from the tenth on six hours: the last one is after a week. */
const MAX_ATTEMPTS = 36

/**
 * Enqueues a mail in the caller's transaction: it is sent if, and only if, the transaction is committed. A mail of the
 * same kind and id that is still waiting is replaced.
 * @param at when it is sent; at once by default
 */
export async function enqueueMail(
  tx: Database,
  { kind }: Pick<MailDefinition, 'kind'>,
  id: string,
  at?: Date,
): Promise<void> {
  await sql`
    select from graphile_worker.add_job(
      ${SEND_MAIL}, json_build_object('kind', ${kind}::text, 'id', ${id}::text),
      run_at => ${at ?? null}::timestamptz, max_attempts => ${MAX_ATTEMPTS}::int, job_key => ${`mail:${kind}:${id}`}
    )`.execute(tx)
}

export interface MailJobDeps {
  db: Database
  mailer: Mailer
  mails: readonly MailDefinition[]
  /** Returns the public address of the service, which is known once it listens. */
  getPublicUrl: () => string
}

/**
 * Creates the task that sends one mail. When sending fails, the job fails and is retried later. Each mail deletes counts that
 * are no longer needed, so that their table stays small.
 */
export function createSendMailTask({ db, mailer, mails, getPublicUrl }: MailJobDeps): Task {
  const definitions = new Map(mails.map((definition) => [definition.kind, definition]))
  return async (payload, { abortSignal }) => {
    const { kind, id } = payload as MailJob
    const definition = definitions.get(kind)
    if (definition === undefined) throw new Error(`Unknown kind of mail: ${kind}`)
    await deleteEndedMailCounts(db)
    const mail = await definition.build(db, id, getPublicUrl())
    if (mail !== null) await mailer.send(mail, abortSignal)
  }
}
