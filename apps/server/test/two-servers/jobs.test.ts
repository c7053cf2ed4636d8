import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import type { CasewardProcess } from '@caseward/test-support/caseward-process'
import { startHangingMailServer } from '@caseward/test-support/hanging-mail-server'
import { type MailServer, startMailServer } from '@caseward/test-support/mail-server'
import { postAsAdmin, startTwoServers, type TwoServers } from '@caseward/test-support/two-servers'

const WAIT = { timeout: 60_000, interval: 100 }

let mails: MailServer
beforeAll(async () => {
  mails = await startMailServer()
})
afterAll(() => mails.close())

const AT_ONCE = 10

/** Invites as many as asked for into a new project, by turns through these servers; returns the addresses. */
async function invite(count: number, through: [CasewardProcess, CasewardProcess]): Promise<string[]> {
  const { data } = await postAsAdmin(through[0], '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
  const emails = Array.from({ length: count }, (_, index) => `person${index}@${data.id}.test`)
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    const requests = emails.slice(sent, sent + AT_ONCE).map(async (email, index) => {
      await postAsAdmin(through[index % 2 === 0 ? 0 : 1], `/v1/projects/${data.id}/members/invite`, {
        email,
        role: 'member',
      })
    })
    await Promise.all(requests)
  }
  return emails
}

const waiting = async ({ db }: TwoServers) => (await sql`select from graphile_worker.jobs`.execute(db)).rows.length
const sentTo = (emails: string[]) =>
  mails.received.flatMap(({ to }) => to).filter((address) => emails.includes(address))

describe('the mails of two servers on one database', () => {
  it('are sent once each, and by both', async () => {
    const from = (name: string) => ({ SMTP_URL: mails.url, MAIL_FROM: `${name}@example.test` })
    const servers = await startTwoServers({ firstSettings: from('one'), secondSettings: from('other') })
    const emails = await invite(200, [servers.first, servers.second])
    await expect.poll(() => waiting(servers), WAIT).toBe(0)
    expect(sentTo(emails).toSorted()).toEqual(emails.toSorted())
    const senders = mails.received.map((mail) => mail.from)
    expect(new Set(senders)).toEqual(new Set(['one@example.test', 'other@example.test']))
  }, 120_000)

  it('are sent once each even when one of both is killed over some', async () => {
    const silent = await startHangingMailServer()
    onTestFinished(silent.close)
    const servers = await startTwoServers({
      firstSettings: { SMTP_URL: silent.url },
      secondSettings: { SMTP_URL: mails.url },
    })
    const { first: one, second: other, db } = servers
    const emails = await invite(50, [other, other])
    await expect.poll(() => waiting(servers), WAIT).toBe(2)
    expect(silent.connections()).toBe(2)
    one.signal('SIGKILL')
    await one.ended
    expect(sentTo(emails)).toHaveLength(48)
    // In place of the minutes until the other takes them for lost.
    await sql`update graphile_worker._private_jobs set locked_at = locked_at - interval '5 minutes'`.execute(db)
    await expect.poll(() => waiting(servers), WAIT).toBe(0)
    expect(sentTo(emails).toSorted()).toEqual(emails.toSorted())
  }, 120_000)
})
