import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { startMailServerForTest } from '@caseward/test-support/mail-server'
import { getMailPart } from '@caseward/test-support/mails'
import { startServerForTest, type TestServer, useTestServer } from '@caseward/test-support/test-server'
import {
  makeInstanceAdmin,
  makeSignedInUser,
  makeTokenInBrowser,
  makeUserWithPassword,
  openSignedInBrowser,
  PASSWORD,
} from '@caseward/test-support/users'
import { createResetLink } from '../password-reset/password-reset.queries.ts'
import { insertIdentity } from '../single-sign-on/single-sign-on.queries.ts'

const server = useTestServer()
const newPassword = 'another long password'

/** The emails to an address, with the kinds of their notices. */
async function getMails({ db }: Pick<TestServer, 'db'>, email: string) {
  const { rows } = await sql<{ seconds: number; kinds: string[] }>`
    select round(extract(epoch from send_at - now()))::int as seconds,
      array(select kind from security_notices where mail_id = mail.id order by at) as kinds
    from security_mails mail where lower(email) = lower(${email}) order by send_at`.execute(db)
  return rows
}

const getKinds = async (email: string) => (await getMails(server, email)).flatMap(({ kinds }) => kinds)

describe('an email about a new browser', () => {
  it('is not sent for the first sign-in, and sent for the first one in another browser', async () => {
    const { email, browser } = await makeSignedInUser(server)
    expect(await getKinds(email)).toEqual([])
    await openSignedInBrowser(server, email)
    expect(await getKinds(email)).toEqual(['new_browser'])
    await browser.api('POST', '/v1/session', { email, password: PASSWORD })
    expect(await getKinds(email)).toEqual(['new_browser'])
  })

  it('is not sent when a program signs in', async () => {
    const { email } = await makeSignedInUser(server)
    await server.request('POST', '/v1/session', { body: { email, password: PASSWORD } })
    expect(await getKinds(email)).toEqual([])
  })
})

describe('a security email', () => {
  it('is sent for a changed password', async () => {
    const { email, browser } = await makeSignedInUser(server)
    await browser.api('PATCH', '/v1/me', { password: newPassword, current_password: PASSWORD })
    expect(await getKinds(email)).toEqual(['password_change'])
  })

  it('is sent for a reset password, and none for the sign-in with it', async () => {
    const { email, id } = await makeSignedInUser(server)
    await server.request('POST', '/v1/password-resets', { body: { email } })
    const link = await createResetLink(server.db, id)
    await openBrowser(server).api('POST', `/v1/password-resets/${link?.secret}`, { password: newPassword })
    expect(await getKinds(email)).toEqual(['password_reset'])
  })

  it('is sent to the creator of a CI token', async () => {
    const { email, browser } = await makeSignedInUser(server)
    const { text } = await browser.api('POST', '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
    const project = (JSON.parse(text) as { data: { id: string } }).data
    await browser.api('POST', `/v1/projects/${project.id}/tokens`, { name: 'build' })
    const notices = await sql`
      select detail from security_notices n join security_mails m on m.id = n.mail_id where email = ${email}
    `.execute(server.db)
    expect(notices.rows).toEqual([{ detail: { name: 'build', project: 'Web shop' } }])
  })

  it('is sent when a link with single sign-on is removed', async () => {
    const { id, email, browser } = await makeSignedInUser(server)
    await insertIdentity(server.db, id, { issuer: 'https://id.example.test', subject: id })
    const { text } = await browser.get('/v1/me/identities')
    const [identity] = (JSON.parse(text) as { data: { id: string }[] }).data
    expect((await browser.api('DELETE', `/v1/me/identities/${identity?.id}`)).status).toBe(204)
    expect(await getKinds(email)).toEqual(['sign_on_unlink'])
  })

  it('is sent when an administrator ends sessions, revokes tokens and disables the account', async () => {
    const { token } = await makeInstanceAdmin(server)
    const { id, email } = await makeUserWithPassword(server)
    await server.request('DELETE', `/v1/admin/users/${id}/sessions`, { token })
    await server.request('DELETE', `/v1/admin/users/${id}/tokens`, { token })
    await server.request('PATCH', `/v1/admin/users/${id}`, { token, body: { disabled: true } })
    expect(await getKinds(email)).toEqual(['sessions_end', 'tokens_revoke', 'account_disable'])
  })
})

describe('several security emails to an address', () => {
  it('are one email when everything happens at the same time', async () => {
    const { email, browser } = await makeSignedInUser(server)
    await Promise.all(Array.from({ length: 4 }, () => makeTokenInBrowser(browser)))
    const [mail, ...others] = await getMails(server, email)
    expect([mail?.kinds.length, others]).toEqual([4, []])
  })

  it('are sent five minutes apart, and each contains what happened meanwhile', async () => {
    const { email, browser } = await makeSignedInUser(server)
    await makeTokenInBrowser(browser)
    await server.startWorker()
    const isClosed = () => sql`select from security_mails where email = ${email} and not is_open`.execute(server.db)
    await expect.poll(async () => (await isClosed()).rows.length).toBe(1)
    await makeTokenInBrowser(browser)
    await browser.api('PATCH', '/v1/me', { password: newPassword, current_password: PASSWORD })
    const [first, second, ...others] = await getMails(server, email)
    expect([first?.kinds, second?.kinds, others]).toEqual([
      ['personal_token'],
      ['personal_token', 'password_change'],
      [],
    ])
    expect((second?.seconds ?? 0) - (first?.seconds ?? 0)).toBe(300)
  })
})

describe('the text of a security email', () => {
  it('says what happened, when, from where and what to do, and counts what a burst repeats', async () => {
    const { url, received } = await startMailServerForTest()
    const own = await startServerForTest({ smtpUrl: url })
    const { email, browser } = await makeSignedInUser(own)
    browser.cookies.clear()
    await browser.api('POST', '/v1/session', { email, password: PASSWORD })
    const secrets: string[] = []
    for (let count = 0; count < 8; count += 1)
      secrets.push((await makeTokenInBrowser(browser, `"laptop" ${count}`)).token)
    await own.startWorker()
    await expect.poll(() => received.length).toBe(1)
    const raw = received[0]?.raw ?? ''
    const text = getMailPart(raw, 'text/plain')
    expect(raw).toMatch(/^Subject: Changes to your Caseward account\r$/m)
    expect(received[0]?.to).toEqual([email])
    expect(text).toMatch(
      /There was a sign-in to your account in a new browser\. On \d{4}-\d\d-\d\d at \d\d:\d\d:\d\d UTC, from the address 127\.0\.0\.1, with Test browser\./,
    )
    expect(text).toContain(`A personal token was created: "'laptop' 4".`)
    expect(text).not.toContain(`'laptop' 5`)
    expect(text).toContain('This happened 3 more times shortly after.')
    expect(text).toMatch(/Set a new password, with your sign-in provider or at http:\S+\/reset\. There, say/)
    for (const secret of secrets) expect(raw).not.toContain(secret)
  })
})
