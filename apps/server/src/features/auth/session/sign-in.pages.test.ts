import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { useSharedServer, useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

const server = useSharedServer()

describe('GET /sign-in', () => {
  it('labels every field and tells browsers what to fill in', async () => {
    const { text } = await openBrowser(server).get('/sign-in')
    const labels = [...text.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id)
    const inputs = [...text.matchAll(/<input\s+id="([^"]+)"[^>]*\sautocomplete="([^"]+)"/g)]
    expect(inputs.map(([, id, autocomplete]) => [id, autocomplete])).toEqual([
      ['email', 'username'],
      ['password', 'current-password'],
    ])
    expect(labels).toEqual(['email', 'password'])
  })

  it('has a button for a passkey, which leads to the requested page', async () => {
    const { text, headers } = await openBrowser(server).get('/sign-in?next=/account')
    expect(text).toMatch(/data-host="localhost"\s+data-next="\/account"[^]+hidden[^]+Sign in with a passkey/)
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
  })

  it('redirects to the app when the user is signed in', async () => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.get('/sign-in')).location).toBe('/')
  })

  it('does not offer single sign-on when no provider is configured', async () => {
    expect((await openBrowser(server).get('/sign-in')).text).not.toContain('/sign-in/oidc')
    expect((await openBrowser(server).get('/sign-in/oidc')).status).toBe(404)
  })
})

describe('GET /sign-in when PUBLIC_URL has an IP address', () => {
  const ipServer = useTestServer({ publicUrl: 'http://192.0.2.7:8080' })

  it('has no button for a passkey, because browsers bind none to an IP address', async () => {
    const { text } = await openBrowser(ipServer).get('/sign-in')
    expect(text).not.toContain('passkey')
  })
})

describe('POST /sign-in', () => {
  it('signs in and redirects to the app', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    const response = await browser.post('/sign-in', { email, password: PASSWORD })
    expect([response.status, response.location]).toEqual([303, '/'])
    expect((await browser.get('/v1/me')).text).toContain(email)
  })

  it('shows the same error for a wrong password and an unknown address, and keeps only the address', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    const pages = []
    for (const address of [email, 'unknown@example.test']) {
      const { status, text } = await browser.post('/sign-in', { email: address, password: 'wrong password' })
      expect([status, text.includes('role="alert"'), text.includes(address)]).toEqual([401, true, true])
      expect(text).not.toContain('wrong password')
      pages.push(text.replaceAll(address, ''))
    }
    expect(pages[0]).toBe(pages[1])
  })

  it('shows an error at the field that is invalid', async () => {
    const { status, text } = await openBrowser(server).post('/sign-in', { email: '', password: 'x' })
    expect(status).toBe(400)
    expect(text).toMatch(/<input\s+id="email"[^>]*aria-describedby="email-error"[^>]*aria-invalid="true"/)
    expect(text).toContain('<p class="error" id="email-error">Must not be empty.</p>')
  })

  it('shows a submitted value with markup as text', async () => {
    const { text } = await openBrowser(server).post('/sign-in', { email: '"><script>alert(1)</script>', password: 'x' })
    expect(text).toContain('&quot;&gt;&lt;script&gt;')
    expect(text).not.toContain('<script>')
  })

  it.each([
    { next: '/join/abc-DEF_123', location: '/join/abc-DEF_123' },
    {
      next: '/runs/01a1fc2b-5f29-7584-9e03-d27674921b66',
      location: '/runs/01a1fc2b-5f29-7584-9e03-d27674921b66',
    },
    { next: '/?q=web', location: '/?q=web' },
    { next: 'https://evil.test', location: '/' },
    { next: '//evil.test', location: '/' },
    { next: String.raw`/\evil.test`, location: '/' },
    { next: '/join/../../evil', location: '/' },
  ])('redirects to $location when next is $next', async ({ next, location }) => {
    const { email } = await makeUserWithPassword(server)
    const path = `/sign-in?next=${encodeURIComponent(next)}`
    expect((await openBrowser(server).post(path, { email, password: PASSWORD })).location).toBe(location)
  })

  it.each([
    ['is another site', { origin: 'https://evil.test' }],
    ['is null, as for a page that hides its address', { origin: 'null' }],
    ['is missing', {}],
  ])('returns 403 when the Origin %s', async (_, headers) => {
    const { email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    const { status } = await browser.send('POST', '/sign-in', {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ email, password: PASSWORD }).toString(),
    })
    expect([status, browser.cookies.size]).toEqual([403, 0])
  })
})

describe('POST /sign-out', () => {
  it('ends the session, clears the cache of the browser, and redirects to the sign-in page', async () => {
    const { browser } = await makeSignedInUser(server)
    const { location, headers } = await browser.post('/sign-out')
    expect([location, headers.get('clear-site-data')]).toEqual(['/sign-in', '"cache"'])
    expect((await browser.get('/')).location).toBe('/sign-in')
  })

  it.each([
    { next: '/join/abc-DEF_123', location: '/join/abc-DEF_123' },
    { next: '/?q=web', location: '/?q=web' },
    { next: 'https://evil.test', location: '/' },
  ])('ends the session and redirects to $location when next is $next', async ({ next, location }) => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.post(`/sign-out?next=${encodeURIComponent(next)}`)).location).toBe(location)
    expect((await browser.get('/')).location).toBe('/sign-in')
  })

  it('returns 403 and keeps the session when the form is sent by another site', async () => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.send('POST', '/sign-out', { headers: { origin: 'https://evil.test' } })).status).toBe(403)
    expect((await browser.get('/')).status).toBe(200)
  })
})
