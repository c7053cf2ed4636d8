import { sql } from 'kysely'

import type { Database } from '../database/connect.ts'

export const SEND_MAIL = 'send_mail'

/** A mail to be made and sent: which one, and about what. Never the mail itself, which may hold a secret. */
export interface MailJob {
  kind: 'invitation' | 'password_reset'
  id: string
}

/** Retries wait e, e², … seconds, from the tenth on six hours: it takes a week until as many have failed. */
const MAX_ATTEMPTS = 36

/**
 * Puts a mail into the queue, in the caller's transaction: it will be sent if, and only if, that is committed. One
 * that still waits for the same thing is replaced.
 */
export async function enqueueMail(tx: Database, { kind, id }: MailJob): Promise<void> {
  await sql`
    select from graphile_worker.add_job(
      ${SEND_MAIL}, json_build_object('kind', ${kind}::text, 'id', ${id}::text),
      max_attempts => ${MAX_ATTEMPTS}::int, job_key => ${`mail:${kind}:${id}`}
    )`.execute(tx)
}
