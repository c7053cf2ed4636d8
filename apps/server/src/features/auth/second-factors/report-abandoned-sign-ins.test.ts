import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { insertTotp } from '@caseward/test-support/second-factors'
import { startServerForTest, useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { abandonedSignInsJob } from './report-abandoned-sign-ins.ts'

const server = useTestServer()

const runJob = () => abandonedSignInsJob.run(server.db, new AbortController().signal)

async function makeUserWithFactor() {
  const user = await makeUserWithPassword(server)
  return { ...user, ...(await insertTotp(server, user.id)), userId: user.id }
}
/** Somebody gives the right password. */
async function givePassword(email: string, browser = openBrowser(server)) {
  expect((await browser.api('POST', '/v1/session', { email, password: PASSWORD })).status).toBe(401)
  return browser
}
/** Lets a sign-in have expired for some time, so that a clock that is set back does not make it valid again. */
const expire = async (userId: string) =>
  await sql`update pending_sign_ins set expires_at = now() - interval '1 minute' where user_id = ${userId}`.execute(
    server.db,
  )

async function selectNotices(email: string) {
  const { rows } = await sql<{ address: string; user_agent: string; repeat_count: number }>`
    select n.address, n.user_agent, n.repeat_count from security_notices n join security_mails m on m.id = n.mail_id
    where m.email = ${email} and n.kind = 'second_factor_missing'`.execute(server.db)
  return rows
}

describe('the job that reports abandoned sign-ins', () => {
  it('tells the user that a sign-in stopped at the second factor, once a day, with where it came from', async () => {
    const { userId, email } = await makeUserWithFactor()
    await givePassword(email)
    await runJob()
    expect(await selectNotices(email)).toEqual([])
    for (let count = 0; count < 3; count += 1) {
      await givePassword(email)
      await expire(userId)
      await runJob()
    }
    const notice = { address: '127.0.0.1', user_agent: 'Test browser', repeat_count: 0 }
    expect(await selectNotices(email)).toEqual([notice])
    await sql`update security_notices set at = now() - interval '25 hours'`.execute(server.db)
    await givePassword(email)
    await expire(userId)
    await runJob()
    expect(await selectNotices(email)).toHaveLength(2)
  })

  it('tells the user of five wrong codes before the ten minutes are over', async () => {
    const { email } = await makeUserWithFactor()
    const browser = await givePassword(email)
    for (let count = 0; count < 5; count += 1) {
      await browser.api('POST', '/v1/session/second-factor', { totp_code: '000000' })
    }
    await runJob()
    expect(await selectNotices(email)).toHaveLength(1)
  })

  it('says nothing of a sign-in that its user began again in the same browser, and completed', async () => {
    const { userId, email, code } = await makeUserWithFactor()
    const browser = await givePassword(email)
    await givePassword(email, browser)
    expect((await browser.api('POST', '/v1/session/second-factor', { totp_code: code })).status).toBe(201)
    await expire(userId)
    await runJob()
    expect(await selectNotices(email)).toEqual([])
  })

  it('is not silenced by a guesser who begins again in the same browser after each wrong code', async () => {
    const { userId, email } = await makeUserWithFactor()
    const browser = await givePassword(email)
    await browser.api('POST', '/v1/session/second-factor', { totp_code: '000000' })
    await givePassword(email, browser)
    const pending = server.db.selectFrom('pending_sign_ins').select('attempt_count').where('user_id', '=', userId)
    expect((await pending.orderBy('attempt_count').execute()).map((row) => row.attempt_count)).toEqual([0, 1])
  })

  it('deletes what an earlier version left without an email', async () => {
    const { userId, email } = await makeUserWithFactor()
    await givePassword(email)
    await sql`update pending_sign_ins set expires_at = now() - interval '3 days' where user_id = ${userId}`.execute(
      server.db,
    )
    await runJob()
    expect(await selectNotices(email)).toEqual([])
    const left = server.db.selectFrom('pending_sign_ins').select('user_id').where('user_id', '=', userId)
    expect(await left.execute()).toEqual([])
  })

  it('is run by the job worker', async () => {
    const own = await startServerForTest()
    const { email } = await makeUserWithPassword(own)
    const user = await own.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    await insertTotp(own, user.id)
    await openBrowser(own).api('POST', '/v1/session', { email, password: PASSWORD })
    await sql`update pending_sign_ins set expires_at = now()`.execute(own.db)
    await sql`select graphile_worker.add_job('report_abandoned_sign_ins')`.execute(own.db)
    await own.startWorker()
    const countLeft = async () => (await own.db.selectFrom('pending_sign_ins').select('user_id').execute()).length
    await expect.poll(countLeft).toBe(0)
  })
})
