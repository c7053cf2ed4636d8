import { openBrowser } from '@caseward/test-support/browser'
import { startServerForTest, useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser } from '@caseward/test-support/users'
import { beforeAll, describe, expect, it } from 'vitest'

const server = useTestServer()

const asBrowser = { headers: { accept: 'text/html' } }

describe('an address of the app', () => {
  it.each([
    '/',
    '/projects/p-1/cases?q=a',
    '/runs/r-1',
    '/account',
    '/account/profile',
    '/search?q=a',
    '/files/p-1/a-1',
    '/WEB-12',
  ])('returns the page to whoever is signed in: %s', async (path) => {
    const { browser } = await makeSignedInUser(server)
    const { status, headers, text } = await browser.send('GET', path, asBrowser)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain('<div id="app">')
  })

  it.each([
    ['/', '/sign-in'],
    ['/WEB-12', '/sign-in?next=%2FWEB-12'],
    ['/projects/p-1/cases?q=a&sort=id', '/sign-in?next=%2Fprojects%2Fp-1%2Fcases%3Fq%3Da%26sort%3Did'],
  ])('redirects to sign-in without a session: %s', async (path, location) => {
    const page = await openBrowser(server).send('GET', path, asBrowser)
    expect([page.status, page.location]).toEqual([303, location])
    expect(page.headers.get('cache-control')).toBe('no-store')
  })

  it('is checked again by browsers each time, and allows scripts, styles and data of this server only', async () => {
    const { browser } = await makeSignedInUser(server)
    const { headers, text } = await browser.get('/')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('etag')).not.toBeNull()
    // A window that the page opens can be handed a trace; a page of another site has no hold of this one.
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "media-src 'self'",
      "connect-src 'self'",
      "worker-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
  })
})

describe('IMAGE_SOURCES', () => {
  it('adds servers to the policy for images, and names them to the app', async () => {
    const other = await startServerForTest({
      imageSources: 'https://wiki.example.test https://files.example.test:8443',
    })
    const { browser } = await makeSignedInUser(other)
    expect((await browser.get('/')).headers.get('content-security-policy')).toContain(
      "; img-src 'self' data: https://wiki.example.test https://files.example.test:8443; ",
    )
    const { text } = await browser.get('/v1/me')
    expect(JSON.parse(text)).toMatchObject({
      data: { image_sources: ['https://wiki.example.test', 'https://files.example.test:8443'] },
    })
  })
})

describe('an unknown address', () => {
  it('returns the page of the app with status 404 to whoever is signed in', async () => {
    const { browser } = await makeSignedInUser(server)
    const { status, text } = await browser.send('GET', '/nowhere/at/all', asBrowser)
    expect([status, text.includes('<div id="app">')]).toEqual([404, true])
  })
})

describe('an asset of the app', () => {
  let path: string
  beforeAll(async () => {
    const { browser } = await makeSignedInUser(server)
    path = /<script type="module"[^>]* src="([^"]+)"/.exec((await browser.get('/')).text)?.[1] ?? ''
  })

  it.each(['br', 'gzip'])('is sent compressed with %s, and kept by browsers for a year', async (encoding) => {
    const response = await fetch(server.url + path, { headers: { 'accept-encoding': encoding } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).toContain('javascript')
    expect(response.headers.get('vary')).toBe('accept-encoding')
  })

  it('is sent as it is to a client that knows no compression', async () => {
    const response = await fetch(server.url + path, { headers: { 'accept-encoding': 'identity' } })
    expect(response.headers.get('content-encoding')).toBeNull()
    expect((await response.text()).length).toBeGreaterThan(100_000)
  })

  it.each([
    ['/assets/missing.js', 404],
    ['/assets/.%2e/index.html', 404],
    ['/assets/..%2findex.html', 403],
    ['/assets/..%2f.vite%2fmanifest.json', 403],
  ])('is not found outside of the assets: %s', async (missing, status) => {
    expect((await fetch(server.url + missing)).status).toBe(status)
  })
})
