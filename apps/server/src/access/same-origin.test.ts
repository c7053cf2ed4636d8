import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { startTestServer, useSharedServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

const server = useSharedServer()

const json = { 'content-type': 'application/json' }
const body = JSON.stringify({ name: 'Web shop', prefix: 'WEB' })
const listForeignOrigins = () => {
  const { port } = new URL(server.url)
  return [
    ['none', undefined],
    ['of a page that hides its origin', 'null'],
    ['of another site', 'https://evil.test'],
    ['of another port', `http://127.0.0.1:${Number(port) + 1}`],
    ['of a host that starts with the same name', `${server.url}.evil.test`],
    ['that is not a URL', 'nonsense'],
  ] as const
}

describe('a request with a session cookie', () => {
  it('gets 403 for a write from another origin', async () => {
    const { browser } = await makeSignedInUser(server)
    for (const [, origin] of listForeignOrigins()) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const path = method === 'POST' ? '/v1/projects' : method === 'PUT' ? '/v1/runs/x/results/x' : '/v1/projects/x'
        const response = await browser.send(method, path, {
          headers: { ...json, ...(origin === undefined ? {} : { origin }) },
          ...(method === 'DELETE' ? {} : { body }),
        })
        expect([method, origin, response.status]).toEqual([method, origin, 403])
        expect(JSON.parse(response.text)).toMatchObject({ code: 'foreign_origin' })
      }
    }
  })

  it('may write from the same origin', async () => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.api('POST', '/v1/projects', { name: 'Web shop', prefix: 'WEB' })).status).toBe(201)
  })

  it('may read without an Origin', async () => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.get('/v1/projects')).status).toBe(200)
    expect((await browser.send('HEAD', '/v1/projects')).status).toBe(200)
  })

  it('must come from PUBLIC_URL if it is set, whatever the Host header', async () => {
    const proxied = await startTestServer({ publicUrl: 'https://caseward.test' })
    const { email } = await makeUserWithPassword(proxied)
    const browser = openBrowser(proxied, { origin: 'https://caseward.test' })
    await browser.api('POST', '/v1/session', { email, password: PASSWORD })
    const create = async (origin: string) =>
      (await browser.send('POST', '/v1/projects', { headers: { ...json, origin }, body })).status
    expect(await create('https://caseward.test')).toBe(201)
    expect(await create('http://caseward.test')).toBe(403)
    expect(await create(proxied.url)).toBe(403)
    await proxied.close()
  })
})

describe('POST /v1/session', () => {
  it('returns 403 and sets no cookie for a request from another origin', async () => {
    const { email } = await makeUserWithPassword(server)
    const signIn = async (origin: string | undefined) =>
      await server.request('POST', '/v1/session', {
        headers: origin === undefined ? {} : { origin },
        body: { email, password: PASSWORD },
      })
    expect((await signIn('https://evil.test')).status).toBe(403)
    expect((await signIn('https://evil.test')).headers.getSetCookie()).toEqual([])
    expect((await signIn(undefined)).status).toBe(201)
  })
})

describe('a request with a token', () => {
  it('may write from any origin or without one', async () => {
    const { browser } = await makeSignedInUser(server)
    const created = await browser.api('POST', '/v1/tokens', { name: 'laptop' })
    const { token } = (JSON.parse(created.text) as { data: { token: string } }).data
    for (const origin of [undefined, 'https://evil.test']) {
      const headers = origin === undefined ? {} : { origin }
      const { status } = await server.request('POST', '/v1/projects', {
        token,
        headers,
        body: { name: 'x', prefix: 'WEB' },
      })
      expect(status).toBe(201)
    }
  })
})
