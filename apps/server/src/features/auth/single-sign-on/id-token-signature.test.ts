import { generateKeyPairSync } from 'node:crypto'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { readIdToken, signIdToken } from '@caseward/test-support/id-tokens'
import { useSingleSignOn } from '@caseward/test-support/single-sign-on'
import { makeUserWithPassword } from '@caseward/test-support/users'
import { describe, expect, it, onTestFinished } from 'vitest'

import { createKeyFinder } from './key-finder.ts'

const scenario = useSingleSignOn()
const { server, signOn } = scenario
const foreignKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })

/** Signs a new user on while somebody changes the ID tokens. */
async function signOnWithToken(changeIdToken: (token: string) => string) {
  const { email } = await makeUserWithPassword(server, { password: null })
  scenario.provider.changeIdToken = changeIdToken
  onTestFinished(() => void (scenario.provider.changeIdToken = null))
  const browser = openBrowser(server)
  return { browser, page: await signOn(browser, { email }) }
}
const isSignedIn = async (browser: Browser) => (await browser.get('/v1/me')).status === 200
const cutSignature = (token: string) => token.slice(0, token.lastIndexOf('.') + 1)

describe('the signature of an ID token', () => {
  it.each<[string, (token: string) => string]>([
    ['is of another key', (token) => signIdToken(scenario.provider, readIdToken(token), { key: foreignKey })],
    [
      'is of a key that the provider does not publish',
      (token) => signIdToken(scenario.provider, readIdToken(token), { key: foreignKey, kid: 'key-2' }),
    ],
    ['is missing', cutSignature],
    [
      'is that of another token',
      (token) => cutSignature(token) + (signIdToken(scenario.provider, { sub: 'ada' }).split('.')[2] ?? ''),
    ],
    [
      'does not fit the claims, which were changed',
      (token) =>
        token.replace(/\.[^.]+\./, `.${encodeClaims({ ...readIdToken(token), email: 'admin@example.test' })}.`),
    ],
  ])('starts no session when it %s', async (_, changeIdToken) => {
    const { browser, page } = await signOnWithToken(changeIdToken)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('Sign-in was not completed')])
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('starts a session when it is of the key of the provider', async () => {
    const { browser, page } = await signOnWithToken((token) => signIdToken(scenario.provider, readIdToken(token)))
    expect([page.status, await isSignedIn(browser)]).toEqual([303, true])
  })

  it('is not checked with keys that come without HTTPS from another machine', async () => {
    const finder = createKeyFinder(() => Promise.resolve('http://keys.example.test/jwks'))
    await expect(
      (async () => await finder.findKey({ alg: 'RS256' }, { payload: '', signature: '' }))(),
    ).rejects.toThrow('The provider publishes its keys without HTTPS')
  })
})

const encodeClaims = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')
