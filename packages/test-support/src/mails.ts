import { sql } from 'kysely'
import { onTestFinished } from 'vitest'

import { type MailServer, startMailServer } from './mail-server.ts'
import { startTestServer, type TestServer } from './server.ts'

/*
 * What tests of mails share: servers for one test, and what waits to be sent.
 */

export async function serverWith(settings: Parameters<typeof startTestServer>[0]): Promise<TestServer> {
  const server = await startTestServer(settings)
  onTestFinished(() => server.close())
  return server
}

export async function mailServer(options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const server = await startMailServer(options)
  onTestFinished(() => server.close())
  return server
}

interface WaitingMail {
  attempts: number
  last_error: string | null
}

/** The mails that wait to be sent, or sent again; not those that are being sent. */
export async function waitingMails({ db }: TestServer): Promise<WaitingMail[]> {
  const waiting = sql<WaitingMail>`select attempts, last_error from graphile_worker.jobs where locked_at is null`
  return (await waiting.execute(db)).rows
}

/** The secret of the invitation's link in a mail's text. */
export const linkIn = (text: string) => /^http\S+\/join\/([\w-]{43})\r?$/m.exec(text)?.[1] ?? ''
