import { expect, it, onTestFinished } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { readIdToken, signIdToken } from '@caseward/test-support/id-tokens'
import { useSingleSignOn } from '@caseward/test-support/single-sign-on'
import { makeUserWithPassword } from '@caseward/test-support/users'

const scenario = useSingleSignOn()
const { server, signOn } = scenario

async function makeUserOfProvider() {
  const { id, email } = await makeUserWithPassword(server, { password: null })
  const browser = openBrowser(server)
  await signOn(browser, { email })
  await server.db.updateTable('sessions').set({ confirmed_at: null }).where('user_id', '=', id).execute()
  return { email, browser }
}

it('an account without a password is offered single sign-on, which confirms it', async () => {
  const { email, browser } = await makeUserOfProvider()
  const refused = await browser.api('POST', '/v1/tokens', { name: 'Laptop' })
  expect(JSON.parse(refused.text)).toMatchObject({ confirmation_methods: ['single_sign_on'] })
  const { location } = await signOn(browser, { email }, '?confirm=yes&next=/account')
  expect(location).toBe('/account')
  expect((await browser.api('POST', '/v1/tokens', { name: 'Laptop' })).status).toBe(201)
})

it('a confirmation makes the provider ask for a sign-in', async () => {
  const { location } = await openBrowser(server).get('/sign-in/oidc?confirm=yes')
  expect(new URL(location ?? '').searchParams.get('prompt')).toBe('login')
})

/** What a user can do who changes the URL on the way to the provider, which then leaves out `auth_time`. */
function removeAuthenticationTime() {
  scenario.provider.changeIdToken = (token) =>
    signIdToken(scenario.provider, { ...readIdToken(token), auth_time: undefined })
  onTestFinished(() => void (scenario.provider.changeIdToken = null))
}

it('a confirmation returns 403 when the provider does not say when the user has signed in', async () => {
  const { email, browser } = await makeUserOfProvider()
  removeAuthenticationTime()
  const { status, text } = await signOn(browser, { email }, '?confirm=yes')
  expect([status, text]).toEqual([403, expect.stringContaining('did not say when you signed in')])
  expect((await browser.api('POST', '/v1/tokens', { name: 'Laptop' })).status).toBe(403)
})

it.each([
  ['does not say when the user has signed in', () => removeAuthenticationTime()],
  ['says that the user has signed in an hour ago', () => setSignInTime(Math.floor(Date.now() / 1000) - 3600)],
])('a sign-on does not confirm the session when the provider %s', async (_, prepare) => {
  const { email } = await makeUserWithPassword(server, { password: null })
  prepare()
  const browser = openBrowser(server)
  expect((await signOn(browser, { email })).status).toBe(303)
  const { status, text } = await browser.api('POST', '/v1/tokens', { name: 'Laptop' })
  expect([status, text]).toEqual([403, expect.stringContaining('confirmation_required')])
})

function setSignInTime(seconds: number) {
  scenario.provider.signedInAt = seconds
  onTestFinished(() => void (scenario.provider.signedInAt = null))
}

it('a sign-on confirms the session when the user has just signed in at the provider', async () => {
  const { email } = await makeUserWithPassword(server, { password: null })
  const browser = openBrowser(server)
  await signOn(browser, { email })
  expect((await browser.api('POST', '/v1/tokens', { name: 'Laptop' })).status).toBe(201)
})

it('a confirmation as the user of another account returns 403, and leaves the session as it is', async () => {
  const { browser } = await makeUserOfProvider()
  const other = await makeUserWithPassword(server, { password: null })
  const { status } = await signOn(browser, { email: other.email }, '?confirm=yes')
  expect(status).toBe(403)
  expect((await browser.api('POST', '/v1/tokens', { name: 'Laptop' })).status).toBe(403)
})

it('a confirmation returns 403 when the provider has not asked for a sign-in, and leaves the session as it is', async () => {
  const { email, browser } = await makeUserOfProvider()
  scenario.provider.signedInAt = Math.floor(Date.now() / 1000) - 11 * 60
  const { status, text } = await signOn(browser, { email }, '?confirm=yes')
  scenario.provider.signedInAt = null
  expect([status, text]).toEqual([403, expect.stringContaining('did not ask you to sign in again')])
  expect((await browser.api('POST', '/v1/tokens', { name: 'Laptop' })).status).toBe(403)
})
