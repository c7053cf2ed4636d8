import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

const server = useTestServer()

describe('every page', () => {
  it('has no script, and forbids it, frames and everything from elsewhere', async () => {
    const { headers, text } = await openBrowser(server).get('/sign-in')
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of [
      "default-src 'none'",
      "style-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]) {
      expect(policy.split('; ')).toContain(rule)
    }
    expect(policy).not.toContain('unsafe')
    expect(text).not.toMatch(/<script|<style|\son\w+=|\sstyle=|https?:\/\//)
  })

  it('is not kept by caches and tells other sites no address', async () => {
    const { headers } = await openBrowser(server).get('/sign-in')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('has its stylesheet from here, for good', async () => {
    const browser = openBrowser(server)
    const path = /href="(\/assets\/pages-\w+\.css)"/.exec((await browser.get('/sign-in')).text)?.[1] ?? ''
    const { status, headers } = await browser.get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    expect(headers.get('cache-control')).toContain('immutable')
  })

  it('labels every field, and says what browsers fill in', async () => {
    const { text } = await openBrowser(server).get('/sign-in')
    const labelled = [...text.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id)
    const fields = [...text.matchAll(/<input\s+id="([^"]+)"[^>]*\sautocomplete="([^"]+)"/g)].map(([, id, fill]) => [
      id,
      fill,
    ])
    expect(fields).toEqual([
      ['email', 'username'],
      ['password', 'current-password'],
    ])
    expect(labelled).toEqual(['email', 'password'])
  })

  it('that is not there is told so', async () => {
    expect((await openBrowser(server).get('/reset/nonsense')).status).toBe(410)
    expect((await openBrowser(server).get('/join/nonsense')).status).toBe(404)
  })
})

describe('an address where nothing is', () => {
  const page = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

  it('is told to browsers on a page', async () => {
    const { status, headers, text } = await openBrowser(server).send('GET', '/nothing/here?at=all', page)
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(text).toContain('There is nothing at this address.')
  })

  it.each([
    ['/nothing/here', {}],
    ['/v1/nothing', page],
  ])('is told to programs, and below /v1 to everybody, as a problem: %s', async (path, init) => {
    const { status, headers, text } = await openBrowser(server).send('GET', path, init)
    expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    expect(JSON.parse(text)).toMatchObject({ code: 'no_such_endpoint' })
  })
})

describe('/sign-in', () => {
  it('signs in and leads to the account', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    const answer = await browser.post('/sign-in', { email, password: PASSWORD })
    expect([answer.status, answer.location]).toEqual([303, '/account'])
    expect((await browser.get('/account')).text).toContain(email)
  })

  it('says the same of a wrong password and an unknown address, and keeps what was typed but the password', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    const told = []
    for (const each of [email, 'nobody@example.test']) {
      const { status, text } = await browser.post('/sign-in', { email: each, password: 'wrong password' })
      expect([status, text.includes('role="alert"'), text.includes(each)]).toEqual([401, true, true])
      expect(text).not.toContain('wrong password')
      told.push(text.replaceAll(each, ''))
    }
    expect(told[0]).toBe(told[1])
  })

  it('ties what is wrong to its field', async () => {
    const { status, text } = await openBrowser(server).post('/sign-in', { email: '', password: 'x' })
    expect(status).toBe(400)
    expect(text).toMatch(/<input\s+id="email"[^>]*aria-describedby="email-error"[^>]*aria-invalid="true"/)
    expect(text).toContain('<p class="error" id="email-error">Must not be empty.</p>')
  })

  it('shows what was typed as text, whatever it is', async () => {
    const { text } = await openBrowser(server).post('/sign-in', { email: '"><script>alert(1)</script>', password: 'x' })
    expect(text).toContain('&quot;&gt;&lt;script&gt;')
    expect(text).not.toContain('<script')
  })

  it.each([
    ['/join/abc-DEF_123', '/join/abc-DEF_123'],
    ['/runs/01a1fc2b-5f29-7584-9e03-d27674921b66', '/runs/01a1fc2b-5f29-7584-9e03-d27674921b66'],
    ['https://evil.test', '/account'],
    ['//evil.test', '/account'],
    [String.raw`/\evil.test`, '/account'],
    ['/join/../../evil', '/account'],
  ])('asked to lead to %s leads to %s', async (next, location) => {
    const { email } = await makeUserWithPassword(server)
    const path = `/sign-in?next=${encodeURIComponent(next)}`
    expect((await openBrowser(server).post(path, { email, password: PASSWORD })).location).toBe(location)
  })

  it('is passed over by who is signed in', async () => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.get('/sign-in')).location).toBe('/account')
  })

  it('takes no form from another site, from a page that hides where it is, or without an Origin', async () => {
    const { email } = await makeUserWithPassword(server)
    for (const origin of ['https://evil.test', 'null', undefined]) {
      const browser = openBrowser(server)
      const { status } = await browser.send('POST', '/sign-in', {
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...(origin === undefined ? {} : { origin }) },
        body: new URLSearchParams({ email, password: PASSWORD }).toString(),
      })
      expect([origin, status, browser.cookies.size]).toEqual([origin, 403, 0])
    }
  })

  it('offers no sign-in elsewhere where none is set up', async () => {
    expect((await openBrowser(server).get('/sign-in')).text).not.toContain('/sign-in/oidc')
    expect((await openBrowser(server).get('/sign-in/oidc')).status).toBe(404)
  })
})

describe('/sign-out', () => {
  it('ends the session', async () => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.post('/sign-out')).location).toBe('/sign-in')
    expect((await browser.get('/account')).location).toBe('/sign-in')
  })

  it.each([
    ['/join/abc-DEF_123', '/join/abc-DEF_123'],
    ['https://evil.test', '/account'],
  ])('asked to lead to %s leads to %s', async (next, location) => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.post(`/sign-out?next=${encodeURIComponent(next)}`)).location).toBe(location)
    expect((await browser.get('/account')).location).toBe('/sign-in')
  })

  it('is not for another site to do', async () => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.send('POST', '/sign-out', { headers: { origin: 'https://evil.test' } })).status).toBe(403)
    expect((await browser.get('/account')).status).toBe(200)
  })
})

describe('forms', () => {
  it('are taken by pages alone, never by the API', async () => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.post('/v1/projects', { name: 'x', prefix: 'WEB' })).status).toBe(415)
  })
})
