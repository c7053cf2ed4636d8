import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { startMailServerForTest } from '@caseward/test-support/mail-server'
import { getMailPart, resetMailLimits } from '@caseward/test-support/mails'
import { addPasskey } from '@caseward/test-support/passkeys'
import { addTotp, makeUserWithTotp } from '@caseward/test-support/second-factors'
import { startServerForTest, type TestServer, useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUserWithPassword, openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'
import { createResetLink } from '../password-reset/password-reset.queries.ts'
import { insertPendingSignIn } from './pending-sign-ins.queries.ts'
import { createSecondFactorLinks } from './second-factor-links.queries.ts'

const server = useTestServer()
const NEW_PASSWORD = 'another long password'

/** An owner whose account an intruder with the password has given a passkey, and the link of the email about it. */
async function makeLockedOutOwner() {
  const owner = await makeSignedInUser(server)
  const intruder = await openSignedInBrowser(server, owner.email)
  const { authenticator } = await addPasskey(server, intruder, 'Key of Eve')
  return { ...owner, intruder, authenticator, path: await createPath(owner.id) }
}
const createPath = async (userId: string) =>
  `/remove-factor/${(await createSecondFactorLinks(server.db, userId)).at(-1)?.secret}`

async function resetPassword({ id, email }: { id: string; email: string }, browser: Browser) {
  await resetMailLimits(server)
  await browser.api('POST', '/v1/password-resets', { email })
  const secret = (await createResetLink(server.db, id))?.secret
  return await browser.api('POST', `/v1/password-resets/${secret}`, { password: NEW_PASSWORD, revoke_tokens: true })
}
const countFactors = async (userId: string) =>
  (await server.db.selectFrom('second_factors').select('id').where('user_id', '=', userId).execute()).length

describe('the link in the email about a new second factor', () => {
  it('removes the passkey of an intruder with the new password of the owner, who then signs in, and ends the sessions', async () => {
    const { path, intruder, ...owner } = await makeLockedOutOwner()
    const browser = openBrowser(server)
    expect(await resetPassword(owner, openBrowser(server))).toMatchObject({ status: 401 })
    expect((await browser.get(path)).text).toContain('Key of Eve')
    expect((await browser.post(path, { password: PASSWORD })).status).toBe(400)
    const done = await browser.post(path, { password: NEW_PASSWORD })
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('is removed')])
    expect((await intruder.get('/v1/me')).status).toBe(401)
    const credentials = { email: owner.email, password: NEW_PASSWORD }
    expect((await browser.api('POST', '/v1/session', credentials)).status).toBe(201)
    expect((await browser.post(path, { password: NEW_PASSWORD })).status).toBe(410)
    const entries = server.db.selectFrom('audit_log').select('detail').where('subject_id', '=', owner.id)
    expect(await entries.where('action', '=', 'second_factor.remove').execute()).toEqual([
      { detail: { kind: 'passkey', name: 'Key of Eve', by: 'email' } },
    ])
  })

  it('needs no password while a sign-in waits for the second factor in the browser, as after single sign-on', async () => {
    const { path, ...owner } = await makeLockedOutOwner()
    await server.db.updateTable('users').set({ password_hash: null }).where('id', '=', owner.id).execute()
    const browser = openBrowser(server)
    expect((await browser.get(path)).text).toContain('Sign in</a> in this browser')
    expect((await browser.post(path)).status).toBe(422)
    const stranger = await makeUserWithPassword(server)
    browser.cookies.set('caseward-sign-in', await insertPendingSignIn(server.db, stranger.id))
    expect((await browser.post(path)).status).toBe(422)
    browser.cookies.set('caseward-sign-in', await insertPendingSignIn(server.db, owner.id))
    expect((await browser.get(path)).text).not.toContain('type="password"')
    expect((await browser.post(path)).status).toBe(200)
    expect(await countFactors(owner.id)).toBe(0)
  })

  it('changes nothing when it is opened, and ends after a day', async () => {
    const { path, ...owner } = await makeLockedOutOwner()
    await openBrowser(server).get(path)
    expect(await countFactors(owner.id)).toBe(1)
    await sql`update second_factors set activated_at = now() - interval '25 hours' where user_id = ${owner.id}`.execute(
      server.db,
    )
    expect((await openBrowser(server).post(path, { password: PASSWORD })).status).toBe(410)
    expect(await countFactors(owner.id)).toBe(1)
  })

  it('removes exactly its factor, and never the last one of an account that had another before', async () => {
    const { id, browser, factorId } = await makeUserWithTotp(server)
    await addPasskey(server, browser)
    const path = await createPath(id)
    expect((await browser.api('DELETE', `/v1/me/second-factors/${factorId}`)).status).toBe(204)
    const refused = await openBrowser(server).post(path, { password: PASSWORD })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('another one before')])
    const other = await addTotp(browser)
    expect((await openBrowser(server).post(path, { password: PASSWORD })).status).toBe(200)
    const left = server.db.selectFrom('second_factors').select('id').where('user_id', '=', id)
    expect(await left.execute()).toEqual([{ id: other.factorId }])
    // Whoever added the factor may have seen them.
    const codes = server.db.selectFrom('recovery_codes').select('user_id').where('user_id', '=', id)
    expect(await codes.execute()).toEqual([])
  })

  it('counts wrong passwords as failed sign-ins', async () => {
    const strict: TestServer = await startServerForTest({ rateLimitSignIn: 3 })
    const { id, browser } = await makeSignedInUser(strict)
    await addTotp(browser)
    const secret = (await createSecondFactorLinks(strict.db, id))[0]?.secret
    const statuses: number[] = []
    for (let count = 0; count < 4; count += 1) {
      statuses.push((await openBrowser(strict).post(`/remove-factor/${secret}`, { password: 'wrong' })).status)
    }
    expect(statuses).toEqual([400, 400, 400, 429])
  })
})

describe('the email about new second factors', () => {
  it('has a link for each, also when a burst of removed ones comes before', async () => {
    const { url, received } = await startMailServerForTest()
    const own = await startServerForTest({ smtpUrl: url })
    const { email, browser } = await makeSignedInUser(own)
    const first = await addTotp(browser, 'Phone')
    for (let count = 0; count < 6; count += 1) {
      const { factorId } = await addTotp(browser, `Decoy ${count}`)
      await browser.api('DELETE', `/v1/me/second-factors/${factorId}`)
    }
    await addTotp(browser, 'Eve')
    await own.startWorker()
    const findMail = () => received.find(({ to }) => to[0] === email)
    await expect.poll(() => findMail() !== undefined).toBe(true)
    const text = getMailPart(findMail()?.raw ?? '', 'text/plain')
    const links = [...text.matchAll(/You did not add "([^"]+)".*(\/remove-factor\/[\w-]{43})/g)]
    expect(links.map(([, name]) => name)).toEqual(['Phone', 'Eve'])
    expect((await openBrowser(own).get(links[0]?.[2] ?? '')).text).toContain('Phone')
    expect(first.recoveryCodes).toHaveLength(10)
  })
})
