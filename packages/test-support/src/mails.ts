import { sql } from 'kysely'

import type { TestServer } from './test-server.ts'

/** Decodes one part of a received email, from quoted-printable or base64. */
export function getMailPart(raw: string, type: 'text/plain' | 'text/html'): string {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? ''
  const parts = raw.split(`--${boundary}`)
  const part = parts.find((text) => text.toLowerCase().includes(`content-type: ${type}`)) ?? ''
  const [head = '', ...body] = part.split('\r\n\r\n')
  const encoded = body.join('\r\n\r\n')
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(encoded, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(head)) return encoded
  const bytes = encoded
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Finds the secret of the invitation link in the text of an email; returns '' without one. */
export const findInvitationSecret = (text: string): string => /^http\S+\/join\/([\w-]{43})\r?$/m.exec(text)?.[1] ?? ''

interface WaitingMail {
  attempts: number
  last_error: string | null
}

/** Returns the emails that wait for their first or next attempt, without those that are being sent. */
export async function getWaitingMails({ db }: TestServer): Promise<WaitingMail[]> {
  const query = sql<WaitingMail>`select attempts, last_error from graphile_worker.jobs where locked_at is null`
  return (await query.execute(db)).rows
}

/**
 * Forgets which emails were queued, so that a test does not have to wait until it may send another one. Skips counts that
 * a request is just changing.
 */
export async function resetMailLimits({ db }: Pick<TestServer, 'db'>): Promise<void> {
  await sql`
    delete from mail_limits where bucket in (select bucket from mail_limits for update skip locked)`.execute(db)
}
