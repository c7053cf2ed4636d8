import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { startHangingMailServer } from '@caseward/test-support/hanging-mail-server'
import { type MailServer, startMailServer } from '@caseward/test-support/mail-server'
import { resetMailLimits } from '@caseward/test-support/mails'
import type { Service } from '@caseward/test-support/service'
import { postAsAdmin, startTwoServers, type TwoServers } from '@caseward/test-support/two-servers'

const WAIT = { timeout: 60_000, interval: 100 }

let mails: MailServer
beforeAll(async () => {
  mails = await startMailServer()
})
afterAll(() => mails.close())

const PARALLEL_REQUESTS = 10

/** Invites `count` email addresses to a new project, alternating between the servers; returns the addresses. */
async function invite(count: number, servers: [Service, Service], { db }: Pick<TwoServers, 'db'>): Promise<string[]> {
  const { data } = await postAsAdmin(servers[0], '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
  const emails = Array.from({ length: count }, (_, index) => `person${index}@${data.id}.test`)
  for (let sent = 0; sent < count; sent += PARALLEL_REQUESTS) {
    const requests = emails.slice(sent, sent + PARALLEL_REQUESTS).map(async (email, index) => {
      await postAsAdmin(servers[index % 2 === 0 ? 0 : 1], `/v1/projects/${data.id}/members/invite`, {
        email,
        role: 'member',
      })
    })
    await Promise.all(requests)
    await resetMailLimits({ db })
  }
  return emails
}

const countWaitingMails = async ({ db }: TwoServers) =>
  (await sql`select from graphile_worker.jobs`.execute(db)).rows.length
const getRecipients = (emails: string[]) =>
  mails.received.flatMap(({ to }) => to).filter((address) => emails.includes(address))

describe('emails of two servers on one database', () => {
  it('are each sent once, and by both servers', async () => {
    const withSender = (name: string) => ({ SMTP_URL: mails.url, MAIL_FROM: `${name}@example.test` })
    const servers = await startTwoServers({ firstSettings: withSender('first'), secondSettings: withSender('second') })
    const emails = await invite(60, [servers.first, servers.second], servers)
    await expect.poll(() => countWaitingMails(servers), WAIT).toBe(0)
    expect(getRecipients(emails).toSorted()).toEqual(emails.toSorted())
    const senders = mails.received.map((mail) => mail.from)
    expect(new Set(senders)).toEqual(new Set(['first@example.test', 'second@example.test']))
  })

  it('are each sent once when one server is killed while it sends some', async () => {
    const hangingServer = await startHangingMailServer()
    onTestFinished(hangingServer.close)
    const servers = await startTwoServers({
      processes: 'first',
      firstSettings: { SMTP_URL: hangingServer.url },
      secondSettings: { SMTP_URL: mails.url },
    })
    const { first, second, db } = servers
    const emails = await invite(30, [second, second], servers)
    await expect.poll(() => countWaitingMails(servers), WAIT).toBe(2)
    expect(hangingServer.connections()).toBe(2)
    first.signal('SIGKILL')
    await first.ended
    expect(getRecipients(emails)).toHaveLength(28)
    // Skips the minutes after which the second server takes over the jobs.
    await sql`update graphile_worker._private_jobs set locked_at = locked_at - interval '5 minutes'`.execute(db)
    await expect.poll(() => countWaitingMails(servers), WAIT).toBe(0)
    expect(getRecipients(emails).toSorted()).toEqual(emails.toSorted())
  })
})
