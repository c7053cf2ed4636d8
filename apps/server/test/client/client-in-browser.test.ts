import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { createServer, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startChromium } from '@caseward/test-support/chromium'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

/* Tests the published modules of `@caseward/client` in a page, without a bundler. */

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/**
 * Starts a proxy that serves a page and the modules of the client, and forwards other requests to `target`. A request to
 * `/cut` closes the connections of event streams.
 */
async function startProxy(target: string): Promise<Server> {
  const streams = new Set<ServerResponse>()
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    if (url === '/page')
      return outgoing.setHeader('content-type', 'text/html').end('<!doctype html><title>Page</title>')
    if (url === '/moved/v1/projects') return outgoing.writeHead(302, { location: '/v1/projects' }).end()
    if (url.startsWith('/client/')) {
      outgoing.setHeader('content-type', 'text/javascript')
      return createReadStream(`${root}/packages/client/dist/${url.slice('/client/'.length)}`).pipe(outgoing)
    }
    if (url === '/cut') {
      outgoing.end()
      for (const stream of streams) stream.destroy()
      return streams.clear()
    }
    const forwarded = request(target + url, { method, headers }, (response) => {
      if (url.endsWith('/events')) streams.add(outgoing)
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    return incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return proxy
}

let browser: Browser
const server = useTestServer()
let proxy: Server
let page: Page
beforeAll(async () => {
  const build = promisify(execFile)(`${root}/node_modules/.bin/tsc`, ['-b', 'packages/client'], { cwd: root })
  proxy = await startProxy(server.url)
  browser = await startChromium()
  page = await browser.newPage()
  await build
  await page.goto(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/page`)
  await page.evaluate(`Promise.all([import('/client/client.js'), import('/client/endpoints.generated.js')]).then(
    ([{ createClient }, endpoints]) => void Object.assign(globalThis, { createClient, endpoints }),
  )`)
}, INSTALL_TIMEOUT_MS)
afterAll(async () => {
  await browser.close()
  proxy.close()
})

/** Calls an endpoint in the page and returns the parts of the reply that can be serialized. */
const call = (options: object, endpoint: string, input: object = {}) =>
  page.evaluate(`createClient(${JSON.stringify(options)})
    .call(endpoints.${endpoint}, ${JSON.stringify(input)})
    .then(({ headers, error, ...reply }) => reply)`)

describe('@caseward/client in a browser', () => {
  it('signs in and uses the session cookie for further calls', async () => {
    const { email } = await makeUserWithPassword(server)
    const sameOrigin = { url: '' }
    expect(await call(sameOrigin, 'listProjects')).toMatchObject({ kind: 'problem', status: 401 })
    expect(await call(sameOrigin, 'signIn', { body: { email, password: PASSWORD } })).toMatchObject({ status: 201 })
    const created = await call(sameOrigin, 'createProject', { body: { name: 'Made in a page', prefix: 'WEB' } })
    expect(created).toMatchObject({ kind: 'success', status: 201 })
    const listed = await call(sameOrigin, 'listProjects', { query: { per_page: 1 } })
    expect(listed).toMatchObject({ kind: 'success', data: { data: [{ name: 'Made in a page' }], meta: { total: 1 } } })
    expect(await call(sameOrigin, 'signOut')).toEqual({ kind: 'success', status: 204, data: null })
  })

  it('names the URL of an event stream, which the session cookie opens, and which resumes after its last event', async () => {
    const { email } = await makeUserWithPassword(server)
    await call({ url: '' }, 'signIn', { body: { email, password: PASSWORD } })
    const created = await call({ url: '' }, 'createProject', { body: { name: 'Live', prefix: 'WEB' } })
    const { id } = (created as { data: { data: { id: string } } }).data.data
    const params = JSON.stringify({ project_id: id })
    const received = await page.evaluate<{ name: string; id: string; data: object }[]>(`new Promise((resolve) => {
      const client = createClient({ url: '' })
      const source = new EventSource(client.getUrl(endpoints.streamProjectEvents, { params: ${params} }))
      const events = []
      const receive = ({ type, lastEventId, data }) => {
        events.push({ name: type, id: lastEventId, data: JSON.parse(data) })
        if (events.length === 1)
          client.call(endpoints.createTestCase, { params: ${params}, body: { title: 'Seen at once' } })
        // The proxy closes the connection.
        if (events.length === 2) fetch('/cut')
        if (events.length === 3) resolve(events), source.close()
      }
      for (const name of ['sync', 'test_cases']) source.addEventListener(name, receive)
    })`)
    expect(received.map(({ name, data }) => [name, data])).toEqual([
      ['sync', { at: received[0]?.id, quiet_ms: expect.any(Number) }],
      ['test_cases', { ids: ['WEB-1'], more: false }],
      ['sync', { at: received[1]?.id, quiet_ms: expect.any(Number) }],
    ])
    await call({ url: '' }, 'signOut')
  })

  it('returns reason redirect without a location, which a page cannot read', async () => {
    const reply = await call({ url: '/moved' }, 'listProjects')
    expect(reply).toMatchObject({ kind: 'unreadable', reason: 'redirect', status: 0, location: null })
  })

  it('returns unreachable when the connection is refused', async () => {
    const closedProxy = await startProxy(server.url)
    const { port } = closedProxy.address() as AddressInfo
    await new Promise((resolve) => closedProxy.close(resolve))
    const reply = await call({ url: `http://127.0.0.1:${port}`, retries: { limit: 0 } }, 'listProjects')
    expect(reply).toMatchObject({ kind: 'unreachable', reason: 'network', mayHaveReachedServer: true })
  })
})
