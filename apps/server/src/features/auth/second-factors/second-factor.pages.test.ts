import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeUserWithTotp } from '@caseward/test-support/second-factors'
import { useSharedServer } from '@caseward/test-support/test-server'
import { PASSWORD } from '@caseward/test-support/users'

const server = useSharedServer()
const PATH = '/sign-in/second-factor'

async function startSignIn(email: string, query = '') {
  const browser = openBrowser(server)
  const { status, location } = await browser.post(`/sign-in${query}`, { email, password: PASSWORD })
  return { browser, status, location }
}

describe('/sign-in/second-factor', () => {
  it('follows the password, and leads to the requested page', async () => {
    const { email, getUnusedCode } = await makeUserWithTotp(server)
    const { browser, status, location } = await startSignIn(email, '?next=/account')
    expect([status, location]).toEqual([303, `${PATH}?next=%2Faccount`])
    expect((await browser.get(location ?? '')).text).toContain(email)
    const done = await browser.post(location ?? '', { code: await getUnusedCode() })
    expect([done.status, done.location]).toEqual([303, '/account'])
    expect((await browser.get('/v1/me')).status).toBe(200)
  })

  it('accepts a recovery code in the same field', async () => {
    const { email, recoveryCodes } = await makeUserWithTotp(server)
    const { browser } = await startSignIn(email)
    expect((await browser.post(PATH, { code: recoveryCodes[3] ?? '' })).status).toBe(303)
  })

  it('shows a wrong code at the field', async () => {
    const { email } = await makeUserWithTotp(server)
    const { browser } = await startSignIn(email)
    const { status, text } = await browser.post(PATH, { code: '000000' })
    expect(status).toBe(400)
    expect(text).toMatch(/id="code-error">This is wrong or was used already/)
  })

  it('redirects to sign-in without a sign-in that waits', async () => {
    const { status, location } = await openBrowser(server).get(`${PATH}?next=/account`)
    expect([status, location]).toEqual([303, '/sign-in?next=%2Faccount'])
  })

  it('leads back to sign-in when the sign-in has expired', async () => {
    const { status, text } = await openBrowser(server).post(PATH, { code: '123456' })
    expect(status).toBe(401)
    expect(text).toMatch(/<a class="button" href="\/sign-in">Sign in again/)
  })
})
