import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeTokenInBrowser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { createSetupLink } from './setup/create-setup-link.ts'

describe('the log', () => {
  const server = useTestServer()

  it('contains no password, email address, cookie, token or link secret, even when a request fails', async () => {
    const browser = openBrowser(server)
    const setupSecret = (await createSetupLink(server.db)) ?? ''
    await browser.get(`/setup/${setupSecret}`)
    await browser.get(`/v1/setup/${setupSecret}`)
    const { email } = await makeUserWithPassword(server)
    const secrets = [
      PASSWORD,
      email,
      setupSecret,
      'a-wrong-password',
      'a-new-password',
      'a-reset-secret',
      'a-join-secret',
    ]

    await browser.api('POST', '/v1/session', { email, password: 'a-wrong-password' })
    await browser.api('POST', '/v1/session', { email: 5, password: 'a-wrong-password' })
    await browser.send('POST', '/v1/session', {
      headers: { origin: server.url, 'content-type': 'application/json' },
      body: '{"password":"a-wrong-password"',
    })
    await browser.post('/sign-in', { email, password: PASSWORD })
    secrets.push(browser.cookies.get('caseward-session') ?? 'missing')
    secrets.push((await makeTokenInBrowser(browser)).token)
    const change = { current_password: PASSWORD, password: 'a-new-password' }
    expect((await browser.api('PATCH', '/v1/me', change)).status).toBe(200)
    for (const path of ['/reset/a-reset-secret', '/join/a-join-secret']) await browser.get(path)
    for (const path of ['/v1/password-resets/a-reset-secret', '/v1/invitations/a-join-secret']) await browser.get(path)
    await browser.post('/reset/a-reset-secret', { password: 'a-new-password' })
    // Unexpected errors are logged with details, which must not include the request's secrets.
    await server.db.schema.dropTable('password_reset_links').execute()
    expect((await browser.get('/reset/a-reset-secret')).status).toBe(500)
    const passwords = { current_password: 'a-new-password', password: PASSWORD }
    expect((await browser.api('PATCH', '/v1/me', passwords)).status).toBe(500)

    const log = server.logged.join('')
    expect(server.logged.length).toBeGreaterThan(10)
    for (const secret of secrets) expect(log).not.toContain(secret)
  })
})
