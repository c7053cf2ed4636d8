import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'

import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { type HangStage, startHangingMailServer } from '@caseward/test-support/hanging-mail-server'
import { startMailServer, startMailServerForTest } from '@caseward/test-support/mail-server'
import { findInvitationSecret, getMailPart, getWaitingMails } from '@caseward/test-support/mails'
import { startServerForTest, type TestServer } from '@caseward/test-support/test-server'

async function failedOnce(server: TestServer): Promise<string> {
  await expect.poll(() => getWaitingMails(server), { timeout: 10_000 }).toMatchObject([{ attempts: 1 }])
  return (await getWaitingMails(server))[0]?.last_error ?? ''
}

/** The next try is now, and not in some seconds. */
const tryAgainNow = ({ db }: TestServer) =>
  sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at => now())`.execute(db)

async function hangingServer(hang: HangStage) {
  const server = await startHangingMailServer(hang)
  onTestFinished(() => server.close())
  return server
}

/** Has garbage collected all the time, as happens by itself within a minute on a server with something to do. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const collecting = setInterval(collect, 100)
  onTestFinished(() => clearInterval(collecting))
}

describe('a mail server', () => {
  it('that refuses costs no request; the mail stays and is tried again', async () => {
    const { url, received } = await startMailServerForTest({ refuse: 'no such mailbox' })
    const server = await startServerForTest({ smtpUrl: url })
    await server.startWorker()
    await makeInvitation(server, await makeProject(server))
    expect(await failedOnce(server)).toContain('no such mailbox')
    expect(received).toEqual([])
  })

  it.each(['at AUTH', 'at RCPT'] as const)(
    'that repeats the password %s brings it into no log and no queue, which have its codes',
    async (repeatCredentials) => {
      const { url } = await startMailServerForTest({ repeatCredentials })
      const server = await startServerForTest({ smtpUrl: url.replace('//', '//caseward:hunter%2F22@') })
      await server.startWorker()
      await makeInvitation(server, await makeProject(server))
      const lastError = await failedOnce(server)
      const logged = () => server.logged.join('')
      await expect.poll(logged).toContain(repeatCredentials === 'at AUTH' ? '535 5.7.8' : '550 5.7.1')
      const kept = logged() + lastError
      for (const secret of [
        'hunter/22',
        'hunter%2F22',
        'hunter\\/22',
        btoa('hunter/22'),
        btoa('\0caseward\0hunter/22'),
      ]) {
        expect(kept).not.toContain(secret)
      }
    },
  )

  it('that is not there and comes back gets the mail then, with a link that works', async () => {
    const gone = await startMailServer()
    await gone.close()
    const server = await startServerForTest({ smtpUrl: gone.url })
    await server.startWorker()
    const { email } = await makeInvitation(server, await makeProject(server))
    await failedOnce(server)
    const { received } = await startMailServerForTest({ port: Number(new URL(gone.url).port) })
    await tryAgainNow(server)
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1)
    const secret = findInvitationSecret(getMailPart(received[0]?.raw ?? '', 'text/plain'))
    expect((await server.request('GET', `/v1/invitations/${secret}`)).body).toMatchObject({ email })
  })

  it('that comes back is tried again by itself within seconds', async () => {
    const gone = await startMailServer()
    await gone.close()
    const server = await startServerForTest({ smtpUrl: gone.url })
    await server.startWorker()
    await makeInvitation(server, await makeProject(server))
    await failedOnce(server)
    const { received } = await startMailServerForTest({ port: Number(new URL(gone.url).port) })
    await expect.poll(() => received.length, { timeout: 15_000 }).toBe(1)
  })

  it.each<HangStage>(['from the start', 'after its greeting', 'at DATA', 'after the mail', 'and drips'])(
    'that hangs %s is given up on in time, and let go of',
    async (hang) => {
      const hanging = await hangingServer(hang)
      const server = await startServerForTest({ smtpUrl: hanging.url })
      await server.startWorker({ mailTimeoutMs: 500 })
      collectGarbage()
      await makeInvitation(server, await makeProject(server))
      expect(await failedOnce(server)).toContain('took too long')
      await expect.poll(() => hanging.open(), { timeout: 10_000 }).toBe(0)
    },
  )

  it('that hangs holds up neither requests nor the end of the service, and the mail stays for the next start', async () => {
    const hanging = await hangingServer('from the start')
    const server = await startServerForTest({ smtpUrl: hanging.url })
    const worker = await server.startWorker()
    const [start, project] = [performance.now(), await makeProject(server)]
    await makeInvitation(server, project)
    expect(performance.now() - start).toBeLessThan(5000)
    await expect.poll(() => hanging.connections(), { timeout: 10_000 }).toBe(1)
    const stopping = performance.now()
    await worker.stop()
    expect(performance.now() - stopping).toBeLessThan(6000)
    expect(await getWaitingMails(server)).toHaveLength(1)
  })
})
