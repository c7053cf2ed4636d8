import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { startMailServerForTest } from '@caseward/test-support/mail-server'
import { getMailPart, resetMailLimits } from '@caseward/test-support/mails'
import { startServerForTest, useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeTokenInBrowser, makeUser, openSignedInBrowser } from '@caseward/test-support/users'
import { createResetLink, saveReset } from '../password-reset/password-reset.queries.ts'
import { createEmailChangeLink } from './email-changes.queries.ts'

const server = useTestServer()

let addressCount = 0
function newAddress(): string {
  addressCount += 1
  return `New${addressCount}@example.test`
}

/** A signed-in user who has requested a new address, and the path of the link in the email. */
async function makeRequestingUser() {
  const user = await makeSignedInUser(server)
  const address = newAddress()
  const request = async (email: string) => await user.browser.api('POST', '/v1/me/email', { email })
  expect((await request(address)).status).toBe(200)
  const openLink = async () => `/confirm-email/${(await createEmailChangeLink(server.db, user.id))?.secret}`
  return { ...user, address, request, openLink, path: await openLink() }
}

const getEmail = async (id: string) =>
  await server.db.selectFrom('users').select(['email', 'email_confirmed_at']).where('id', '=', id).executeTakeFirst()

describe('a confirmed change of the email address', () => {
  it('takes effect with the link in any browser, without a session, and keeps sessions', async () => {
    const { id, browser, address, path } = await makeRequestingUser()
    const other = openBrowser(server)
    expect((await other.get(path)).text).toContain(address)
    expect((await getEmail(id))?.email).not.toBe(address)
    expect((await other.post(path)).text).toContain('Email address changed')
    expect(await getEmail(id)).toMatchObject({ email: address, email_confirmed_at: expect.any(Date) })
    expect((await browser.get('/v1/me')).status).toBe(200)
    expect((await openSignedInBrowser(server, address.toUpperCase())).cookies.size).toBeGreaterThan(0)
  })

  it('works once', async () => {
    const { path } = await makeRequestingUser()
    const statuses = await Promise.all([openBrowser(server).post(path), openBrowser(server).post(path)])
    expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410])
    expect((await openBrowser(server).get(path)).status).toBe(410)
  })

  it('ends password reset links of the former address', async () => {
    const { id, path } = await makeRequestingUser()
    await saveReset(server.db, id)
    const reset = await createResetLink(server.db, id)
    await openBrowser(server).post(path)
    expect((await openBrowser(server).get(`/reset/${reset?.secret}`)).status).toBe(410)
  })

  it('tells the former address at the request and at the change', async () => {
    const { email, path } = await makeRequestingUser()
    await openBrowser(server).post(path)
    const { rows } = await sql<{ kind: string }>`
      select kind from security_notices n join security_mails m on m.id = n.mail_id where m.email = ${email} order by at
    `.execute(server.db)
    expect(rows.map(({ kind }) => kind)).toEqual(['email_change_request', 'email_change'])
  })
})

describe('the link to confirm an email address', () => {
  it('ends when the change is canceled, and when another one is requested', async () => {
    const { browser, request, path, openLink } = await makeRequestingUser()
    await resetMailLimits(server)
    await request(newAddress())
    expect((await openBrowser(server).get(path)).status).toBe(410)
    const next = await openLink()
    expect((await browser.api('DELETE', '/v1/me/email')).status).toBe(204)
    expect((await openBrowser(server).post(next)).status).toBe(410)
    expect((await browser.api('DELETE', '/v1/me/email')).status).toBe(404)
  })

  it('ends after an hour', async () => {
    const { id, path } = await makeRequestingUser()
    await sql`update email_changes set expires_at = now() where user_id = ${id}`.execute(server.db)
    expect((await openBrowser(server).post(path)).status).toBe(410)
  })

  it('returns 409 and changes nothing when another account has got the address meanwhile', async () => {
    const { id, email, address, path } = await makeRequestingUser()
    await makeUser(server, { email: address.toLowerCase() })
    const { status, text } = await openBrowser(server).post(path)
    expect([status, text]).toEqual([409, expect.stringContaining('Another account has this email address')])
    expect((await getEmail(id))?.email).toBe(email)
  })
})

describe('POST /v1/me/email', () => {
  it('returns the same for an address that another account has, whose owner learns it by email', async () => {
    const { url, received } = await startMailServerForTest()
    const own = await startServerForTest({ smtpUrl: url })
    const { browser } = await makeSignedInUser(own)
    const { email } = await makeUser(own)
    const { status, text } = await browser.api('POST', '/v1/me/email', { email })
    expect([status, JSON.parse(text)]).toMatchObject([200, { data: { pending: { email } } }])
    await own.startWorker()
    const findMail = () => received.find(({ to }) => to[0] === email)
    await expect.poll(() => findMail() !== undefined).toBe(true)
    const mail = getMailPart(findMail()?.raw ?? '', 'text/plain')
    expect(mail).toContain('nothing was changed')
    expect(mail).not.toContain('/confirm-email/')
  })

  it('sends a link to a free address', async () => {
    const { url, received } = await startMailServerForTest()
    const own = await startServerForTest({ smtpUrl: url })
    const { browser } = await makeSignedInUser(own)
    const email = newAddress()
    await browser.api('POST', '/v1/me/email', { email })
    await own.startWorker()
    const findMail = () => received.find(({ to }) => to[0] === email)
    await expect.poll(() => findMail() !== undefined).toBe(true)
    const path = /\/confirm-email\/[\w-]{43}/.exec(getMailPart(findMail()?.raw ?? '', 'text/plain'))?.[0] ?? ''
    expect((await openBrowser(own).post(path)).status).toBe(200)
  })

  it('returns 403 for a token, and for a session that was not confirmed recently', async () => {
    const { id, browser } = await makeSignedInUser(server)
    const { token } = await makeTokenInBrowser(browser)
    const body = { email: newAddress() }
    const problem = await server.expectProblem(403, 'POST', '/v1/me/email', { token, body })
    expect(problem.code).toBe('session_required')
    await sql`update sessions set confirmed_at = now() - interval '11 minutes' where user_id = ${id}`.execute(server.db)
    const { status, text } = await browser.api('POST', '/v1/me/email', body)
    expect([status, JSON.parse(text)]).toMatchObject([403, { code: 'confirmation_required' }])
  })

  it('returns 400 for the address of the account, and 429 for the second email to an address', async () => {
    const { email, request, address } = await makeRequestingUser()
    expect((await request(email)).status).toBe(400)
    expect((await request(address)).status).toBe(429)
  })
})
