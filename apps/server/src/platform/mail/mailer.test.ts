import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { startMailServer, startMailServerForTest } from '@caseward/test-support/mail-server'
import { findInvitationSecret, getMailPart, getWaitingMails } from '@caseward/test-support/mails'
import { startServerForTest, type TestServer } from '@caseward/test-support/test-server'

/** Waits until the first attempt has failed, and returns its error. */
async function waitForFailure(server: TestServer): Promise<string> {
  // An attempt counts when it begins, and has an error when it ends.
  const failed = [{ attempts: 1, last_error: expect.any(String) }]
  await expect.poll(() => getWaitingMails(server)).toMatchObject(failed)
  return (await getWaitingMails(server))[0]?.last_error ?? ''
}

/** Makes the next attempt due now. */
const retryNow = ({ db }: TestServer) =>
  sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at => now())`.execute(db)

// hanging-mail-server.test.ts has mail servers that do not answer.
describe('mailer', () => {
  it('keeps a mail for a retry when the mail server rejects it, and does not fail the request', async () => {
    const { url, received } = await startMailServerForTest({ refuse: 'no such mailbox' })
    const server = await startServerForTest({ smtpUrl: url })
    await server.startWorker()
    await makeInvitation(server, await makeProject(server))
    expect(await waitForFailure(server)).toContain('no such mailbox')
    expect(received).toEqual([])
  })

  it.each(['at AUTH', 'at RCPT'] as const)(
    'stores only the status codes when the mail server repeats the password %s',
    async (repeatCredentials) => {
      const { url } = await startMailServerForTest({ repeatCredentials })
      const server = await startServerForTest({ smtpUrl: url.replace('//', '//caseward:hunter%2F22@') })
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
    const server = await startServerForTest({ smtpUrl: stopped.url })
    await server.startWorker()
    const { email } = await makeInvitation(server, await makeProject(server))
    await waitForFailure(server)
    const { received } = await startMailServerForTest({ port: Number(new URL(stopped.url).port) })
    await retryNow(server)
    await expect.poll(() => received.length).toBe(1)
    const secret = findInvitationSecret(getMailPart(received[0]?.raw ?? '', 'text/plain'))
    expect((await server.request('GET', `/v1/invitations/${secret}`)).body).toMatchObject({ email })
  })

  it('retries within seconds after an outage of the mail server', async () => {
    const stopped = await startMailServer()
    await stopped.close()
    const server = await startServerForTest({ smtpUrl: stopped.url })
    await server.startWorker()
    await makeInvitation(server, await makeProject(server))
    await waitForFailure(server)
    const { received } = await startMailServerForTest({ port: Number(new URL(stopped.url).port) })
    await expect.poll(() => received.length).toBe(1)
  })
})
