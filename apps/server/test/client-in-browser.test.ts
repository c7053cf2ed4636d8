import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Chromium, startChromium } from '@caseward/test-support/chromium'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import type { Tab } from '@caseward/test-support/tab'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

/* The client of packages/client in a page, as the modules that are published, without a bundler. */

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** What stands before a service: it has a page and the client's modules, and passes on everything else. */
async function startProxy(target: string): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    if (url === '/page')
      return outgoing.setHeader('content-type', 'text/html').end('<!doctype html><title>Page</title>')
    if (url === '/moved/v1/projects') return outgoing.writeHead(302, { location: '/v1/projects' }).end()
    if (url.startsWith('/client/')) {
      outgoing.setHeader('content-type', 'text/javascript')
      return createReadStream(`${root}/packages/client/dist/${url.slice('/client/'.length)}`).pipe(outgoing)
    }
    const passedOn = request(target + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    return incoming.pipe(passedOn)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return proxy
}

let chromium: Chromium
let server: TestServer
let proxy: Server
let tab: Tab
beforeAll(async () => {
  const built = promisify(execFile)(`${root}/node_modules/.bin/tsc`, ['-b', 'packages/client'], { cwd: root })
  server = await startTestServer()
  proxy = await startProxy(server.url)
  chromium = await startChromium()
  tab = await chromium.newTab()
  await built
  await tab.goto(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/page`)
  await tab.evaluate(`Promise.all([import('/client/client.js'), import('/client/endpoints.generated.js')]).then(
    ([{ createClient }, endpoints]) => void Object.assign(globalThis, { createClient, endpoints }),
  )`)
}, INSTALL_TIMEOUT_MS)
afterAll(async () => {
  await chromium.close()
  proxy.close()
  await server.close()
})

/** The reply to a call in the page, but for what cannot leave it. */
const call = (options: object, endpoint: string, input: object = {}) =>
  tab.evaluate(`createClient(${JSON.stringify(options)})
    .call(endpoints.${endpoint}, ${JSON.stringify(input)})
    .then(({ headers, error, ...reply }) => reply)`)

describe('the client in a browser', () => {
  it('signs in and makes calls by the cookie of the session', async () => {
    const { email } = await makeUserWithPassword(server)
    const here = { url: '' }
    expect(await call(here, 'listProjects')).toMatchObject({ kind: 'problem', status: 401 })
    expect(await call(here, 'signIn', { body: { email, password: PASSWORD } })).toMatchObject({ status: 201 })
    const made = await call(here, 'createProject', { body: { name: 'Made in a page', prefix: 'WEB' } })
    expect(made).toMatchObject({ kind: 'success', status: 201 })
    const listed = await call(here, 'listProjects', { query: { per_page: 1 } })
    expect(listed).toMatchObject({ kind: 'success', data: { data: [{ name: 'Made in a page' }], meta: { total: 1 } } })
    expect(await call(here, 'signOut')).toEqual({ kind: 'success', status: 204, data: null })
  })

  it('takes a redirect for what it is, although a page may not see where it leads', async () => {
    const reply = await call({ url: '/moved' }, 'listProjects')
    expect(reply).toMatchObject({ kind: 'unreadable', reason: 'redirect', status: 0, location: null })
  })

  it('tells that nobody could be reached', async () => {
    const nowhere = await startProxy(server.url)
    const { port } = nowhere.address() as AddressInfo
    await new Promise((resolve) => nowhere.close(resolve))
    const reply = await call({ url: `http://127.0.0.1:${port}`, retries: { limit: 0 } }, 'listProjects')
    expect(reply).toMatchObject({ kind: 'unreachable', reason: 'network', mayHaveReachedServer: true })
  })
})
