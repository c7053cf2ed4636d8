import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { type HangStage, startHangingMailServer } from '@caseward/test-support/hanging-mail-server'
import { getWaitingMails } from '@caseward/test-support/mails'
import { startServerForTest, type TestServer } from '@caseward/test-support/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'

/** Waits until the first attempt has failed, and returns its error. */
async function waitForFailure(server: TestServer): Promise<string> {
  // An attempt counts when it begins, and has an error when it ends.
  const failed = [{ attempts: 1, last_error: expect.any(String) }]
  await expect.poll(() => getWaitingMails(server)).toMatchObject(failed)
  return (await getWaitingMails(server))[0]?.last_error ?? ''
}

async function startHanging(hang: HangStage) {
  const server = await startHangingMailServer(hang)
  onTestFinished(() => server.close())
  return server
}

/** Collects garbage all the time. A busy server does so within a minute. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // With the modules and data of many test files, one collection takes longer than the interval: the rest needs time too.
  const collectAndWait = () => {
    const start = performance.now()
    collect()
    timer = setTimeout(collectAndWait, Math.max(100, 4 * (performance.now() - start)))
  }
  let timer = setTimeout(collectAndWait, 100)
  onTestFinished(() => clearTimeout(timer))
}

describe('mailer', () => {
  it.each<HangStage>(['from the start', 'after its greeting', 'at DATA', 'after the mail', 'and drips'])(
    'times out and closes the connection when the mail server hangs %s',
    async (hang) => {
      const hanging = await startHanging(hang)
      const server = await startServerForTest({ smtpUrl: hanging.url })
      await server.startWorker({ mailTimeoutMs: 500 })
      collectGarbage()
      await makeInvitation(server, await makeProject(server))
      expect(await waitForFailure(server)).toContain('timed out')
      await expect.poll(() => hanging.open()).toBe(0)
    },
  )

  it('delays no request and no shutdown when the mail server hangs, and keeps the mail for the next start', async () => {
    const hanging = await startHanging('from the start')
    const server = await startServerForTest({ smtpUrl: hanging.url })
    const worker = await server.startWorker()
    await makeInvitation(server, await makeProject(server))
    await expect.poll(() => hanging.connections()).toBe(1)
    expect((await server.request('GET', '/healthz')).status).toBe(200)
    expect(hanging.open()).toBe(1)
    const stopStart = performance.now()
    await worker.stop()
    // The mail server has a minute to respond.
    expect(performance.now() - stopStart).toBeLessThan(50_000)
    expect(await getWaitingMails(server)).toHaveLength(1)
  })
})
