import type { Identity } from '@caseward/contract/single-sign-on'
import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { useSingleSignOn } from '@caseward/test-support/single-sign-on'
import { makeSignedInUser, makeUserWithPassword } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

import { unlinkAccount } from '../../admin/recover-access.ts'
import { insertIdentity } from './single-sign-on.queries.ts'

const scenario = useSingleSignOn()
const { server, signOn } = scenario

/** Makes a user with a password whose account is linked with a user of the provider, and returns a browser with a session. */
async function makeLinkedUser() {
  const { id, email, browser } = await makeSignedInUser(server)
  const subject = `subject of ${id}`
  await insertIdentity(server.db, id, { issuer: scenario.provider.issuer, subject })
  return { id, email, browser, subject }
}

const listIdentities = async (browser: Browser): Promise<Identity[]> => {
  const { status, text } = await browser.get('/v1/me/identities')
  expect(status).toBe(200)
  return (JSON.parse(text) as { data: Identity[] }).data
}
const remove = (browser: Browser, id = '') => browser.api('DELETE', `/v1/me/identities/${id}`)

describe('GET /v1/me/identities', () => {
  it('returns the links of the user, and no others', async () => {
    const { browser, subject } = await makeLinkedUser()
    await makeLinkedUser()
    const identities = await listIdentities(browser)
    expect(identities).toEqual([
      { id: expect.any(String), issuer: scenario.provider.issuer, created_at: expect.stringMatching(/Z$/) },
    ])
    expect(JSON.stringify(identities)).not.toContain(subject)
  })

  it('returns nothing to a user without a link', async () => {
    expect(await listIdentities((await makeSignedInUser(server)).browser)).toEqual([])
  })
})

describe('DELETE /v1/me/identities/:identity_id', () => {
  it('removes the link, so that the next sign-on asks for the password', async () => {
    const { browser, email, subject } = await makeLinkedUser()
    const other = openBrowser(server)
    expect((await signOn(other, { email, subject })).location).toBe('/')
    const [identity] = await listIdentities(browser)
    expect((await remove(browser, identity?.id)).status).toBe(204)
    expect(await listIdentities(browser)).toEqual([])
    // What began with the provider ends, too.
    expect((await other.get('/v1/me')).status).toBe(401)
    expect((await signOn(openBrowser(server), { email, subject })).location).toContain('/sign-in/oidc/link')
  })

  it('returns 404 for the link of another user, which stays, and for unknown ids', async () => {
    const [attacker, victim] = [await makeLinkedUser(), await makeLinkedUser()]
    const [identity] = await listIdentities(victim.browser)
    for (const id of [identity?.id, '01a1fc2b-5f29-7584-9e03-d27674921b66', 'nonsense']) {
      expect((await remove(attacker.browser, id)).status).toBe(404)
    }
    expect(await listIdentities(victim.browser)).toEqual([identity])
  })

  it('returns 422 and keeps the link without a password, because it is the only way to sign in', async () => {
    const { email } = await makeUserWithPassword(server, { password: null })
    const browser = openBrowser(server)
    await signOn(browser, { email })
    const [identity] = await listIdentities(browser)
    const { status, text } = await remove(browser, identity?.id)
    expect([status, JSON.parse(text)]).toMatchObject([422, { code: 'last_sign_in_method' }])
    expect(text).toContain('Request a link at /reset')
    expect(await listIdentities(browser)).toEqual([identity])
  })
})

it('the command “admin unlink” tells the user by email that the link was removed', async () => {
  const { email } = await makeLinkedUser()
  expect(await unlinkAccount(server.db, email)).toEqual([scenario.provider.issuer])
  const notices = server.db
    .selectFrom('security_notices')
    .innerJoin('security_mails', 'security_mails.id', 'mail_id')
    .select('kind')
    .where('email', '=', email)
  expect(await notices.execute()).toContainEqual({ kind: 'sign_on_unlink' })
})
