import { describe, expect, it } from 'vitest'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { useSingleSignOn } from '@caseward/test-support/single-sign-on'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

/** Two wrong passwords a minute from each IP address, and twenty wrong passwords an hour for each account. */
const { server, signOn } = useSingleSignOn({ rateLimitSignIn: 2, trustProxy: 1 })
const ACCOUNT_LIMIT = 20

let addresses = 0
/** Moves a browser, or a new one, to an IP address from which nothing was sent. */
function moveToNewAddress(browser?: Browser): Browser {
  addresses += 1
  const moved = openBrowser(server, { 'x-forwarded-for': `198.51.100.${addresses}` })
  for (const [name, value] of browser?.cookies ?? []) moved.cookies.set(name, value)
  return moved
}

const givePassword = async (browser: Browser, password: string) =>
  (await browser.post('/sign-in/oidc/link', { password })).status

describe('the limits of POST /sign-in/oidc/link', () => {
  it('are those of sign-in: wrong passwords of an account', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = moveToNewAddress()
    await signOn(browser, { email })
    for (let count = 0; count < ACCOUNT_LIMIT / 2; count += 1) {
      expect(await givePassword(moveToNewAddress(browser), 'wrong password')).toBe(400)
      const body = { email, password: 'wrong password' }
      expect((await moveToNewAddress().api('POST', '/v1/session', body)).status).toBe(401)
    }
    expect(await givePassword(moveToNewAddress(browser), PASSWORD)).toBe(429)
  })

  it('let as many parallel guesses through as they allow', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = moveToNewAddress()
    await signOn(browser, { email })
    const guesses = Array.from({ length: 2 * ACCOUNT_LIMIT }, () =>
      givePassword(moveToNewAddress(browser), 'wrong password'),
    )
    const statuses = await Promise.all(guesses)
    expect(statuses.filter((status) => status === 400)).toHaveLength(ACCOUNT_LIMIT)
    expect(statuses.filter((status) => status === 429)).toHaveLength(ACCOUNT_LIMIT)
  })
})
