import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeSignedInUser } from '@caseward/test-support/users'

const server = useSharedServer()

const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

describe('every page', () => {
  it.each([
    ['/reset', null, []],
    [
      '/sign-in',
      "script-src 'self'",
      [
        '<script type="module" src="/assets/sign-out-digest.js"></script>',
        '<script type="module" src="/assets/passkey-digest.js"></script>',
      ],
    ],
  ])(
    'contains no inline code, and forbids frames and what is not of this server: %s',
    async (path, scriptRule, scripts) => {
      const { headers, text } = await openBrowser(server).get(path)
      const rules = (headers.get('content-security-policy') ?? '').split('; ')
      for (const rule of [
        "default-src 'none'",
        "style-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]) {
        expect(rules).toContain(rule)
      }
      expect(rules.find((rule) => rule.startsWith('script-src')) ?? null).toBe(scriptRule)
      expect(rules.join()).not.toContain('unsafe')
      expect(text).not.toMatch(/<style|\son\w+=|\sstyle=|https?:\/\//)
      const found = text.match(/<script[^]*?<\/script>/g) ?? []
      expect(found.map((script) => script.replace(/-\w+\.js/, '-digest.js'))).toEqual(scripts)
    },
  )

  it('is not cached and sends no Referer to other sites', async () => {
    const { headers } = await openBrowser(server).get('/sign-in')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('uses a stylesheet of this server, which browsers cache permanently', async () => {
    const browser = openBrowser(server)
    const path = /href="(\/assets\/pages-\w+\.css)"/.exec((await browser.get('/sign-in')).text)?.[1] ?? ''
    const { status, headers } = await browser.get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    expect(headers.get('cache-control')).toContain('immutable')
  })
})

describe('a link with an unknown secret', () => {
  it('returns 410 for a password reset and 404 for an invitation', async () => {
    expect((await openBrowser(server).get('/reset/nonsense')).status).toBe(410)
    expect((await openBrowser(server).get('/confirm-email/nonsense')).status).toBe(410)
    expect((await openBrowser(server).get('/join/nonsense')).status).toBe(404)
  })
})

describe('an unknown path', () => {
  it('returns a page with status 404 to a browser', async () => {
    const { status, headers, text } = await openBrowser(server).send('GET', '/nothing/here?at=all', asBrowser)
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(text).toContain('Page not found.')
  })

  it.each([
    ['to a program', '/nothing/here', {}],
    ['to a browser when the path is below /v1', '/v1/nothing', asBrowser],
  ])('returns a problem with status 404 %s', async (_, path, init) => {
    const { status, headers, text } = await openBrowser(server).send('GET', path, init)
    expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    expect(JSON.parse(text)).toMatchObject({ code: 'no_such_endpoint' })
  })
})

describe('the API', () => {
  it('returns 415 when the body is a form', async () => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.post('/v1/projects', { name: 'x', prefix: 'WEB' })).status).toBe(415)
  })
})
