import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'

import { type Hang, startHangingServer } from '@caseward/test-support/hanging-mail-server'
import { getMailPart, startMailServer } from '@caseward/test-support/mail-server'
import { linkIn, mailServer, serverWith, waitingMails } from '@caseward/test-support/mails'
import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import type { TestServer } from '@caseward/test-support/server'

/** Waits until the first attempt has failed, and returns its error. */
async function waitForFailure(server: TestServer): Promise<string> {
  await expect.poll(() => waitingMails(server), { timeout: 10_000 }).toMatchObject([{ attempts: 1 }])
  return (await waitingMails(server))[0]?.last_error ?? ''
}

/** Makes the next attempt due now. */
const retryNow = ({ db }: TestServer) =>
  sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at => now())`.execute(db)

async function startHanging(hang: Hang) {
  const server = await startHangingServer(hang)
  onTestFinished(() => server.close())
  return server
}

/** Collects garbage continuously. A busy server does so within a minute. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const timer = setInterval(collect, 100)
  onTestFinished(() => clearInterval(timer))
}

describe('mailer', () => {
  it('keeps a mail for a retry when the mail server rejects it, and does not fail the request', async () => {
    const { url, received } = await mailServer({ refuse: 'no such mailbox' })
    const server = await serverWith({ smtpUrl: url })
    await server.startWorker()
    await makeInvitation(server, await makeProject(server))
    expect(await waitForFailure(server)).toContain('no such mailbox')
    expect(received).toEqual([])
  })

  it.each(['at AUTH', 'at RCPT'] as const)(
    'stores only the status codes when the mail server repeats the password %s',
    async (repeatCredentials) => {
      const { url } = await mailServer({ repeatCredentials })
      const server = await serverWith({ smtpUrl: url.replace('//', '//caseward:hunter%2F22@') })
      await server.startWorker()
      await makeInvitation(server, await makeProject(server))
      const lastError = await waitForFailure(server)
      const logged = () => server.logged.join('')
      await expect.poll(logged).toContain(repeatCredentials === 'at AUTH' ? '535 5.7.8' : '550 5.7.1')
      const output = logged() + lastError
      for (const secret of [
        'hunter/22',
        'hunter%2F22',
        'hunter\\/22',
        btoa('hunter/22'),
        btoa('\0caseward\0hunter/22'),
      ]) {
        expect(output).not.toContain(secret)
      }
    },
  )

  it('sends a mail with a valid link after an outage of the mail server', async () => {
    const stopped = await startMailServer()
    await stopped.close()
    const server = await serverWith({ smtpUrl: stopped.url })
    await server.startWorker()
    const { email } = await makeInvitation(server, await makeProject(server))
    await waitForFailure(server)
    const { received } = await mailServer({ port: Number(new URL(stopped.url).port) })
    await retryNow(server)
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1)
    const secret = linkIn(getMailPart(received[0]?.raw ?? '', 'text/plain'))
    expect((await server.request('GET', `/v1/invitations/${secret}`)).body).toMatchObject({ email })
  })

  it('retries within seconds after an outage of the mail server', async () => {
    const stopped = await startMailServer()
    await stopped.close()
    const server = await serverWith({ smtpUrl: stopped.url })
    await server.startWorker()
    await makeInvitation(server, await makeProject(server))
    await waitForFailure(server)
    const { received } = await mailServer({ port: Number(new URL(stopped.url).port) })
    await expect.poll(() => received.length, { timeout: 15_000 }).toBe(1)
  })

  it.each<Hang>(['from the start', 'after its greeting', 'at DATA', 'after the mail', 'and drips'])(
    'times out and closes the connection when the mail server hangs %s',
    async (hang) => {
      const hanging = await startHanging(hang)
      const server = await serverWith({ smtpUrl: hanging.url })
      await server.startWorker({ mailTimeoutMs: 500 })
      collectGarbage()
      await makeInvitation(server, await makeProject(server))
      expect(await waitForFailure(server)).toContain('timed out')
      await expect.poll(() => hanging.open(), { timeout: 10_000 }).toBe(0)
    },
  )

  it('delays no request and no shutdown when the mail server hangs, and keeps the mail for the next start', async () => {
    const hanging = await startHanging('from the start')
    const server = await serverWith({ smtpUrl: hanging.url })
    const worker = await server.startWorker()
    const [start, project] = [performance.now(), await makeProject(server)]
    await makeInvitation(server, project)
    expect(performance.now() - start).toBeLessThan(5000)
    await expect.poll(() => hanging.connections(), { timeout: 10_000 }).toBe(1)
    const stopStart = performance.now()
    await worker.stop()
    expect(performance.now() - stopStart).toBeLessThan(6000)
    expect(await waitingMails(server)).toHaveLength(1)
  })
})
