import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { createCommandRunner } from '@caseward/test-support/caseward-command'
import { startForwardingProxy } from '@caseward/test-support/forwarding-proxy'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startFakeProxy, startFakeServer } from './fake-server.ts'
import { runInProcess } from './run-in-process.ts'

/* The command where no Caseward server responds: network failures, proxies, other services. */

let runner: Awaited<ReturnType<typeof createCommandRunner>>
beforeAll(async () => {
  runner = await createCommandRunner()
  await writeFile(join(runner.cwd, 'a.xml'), '<testsuites/>')
  await writeFile(join(runner.cwd, 'b.xml'), '<testsuites/>')
})
afterAll(() => runner.remove())

const getSettings = (url: string) => ({ SERVICE_URL: url, SERVICE_TOKEN: 'cwc_t', SERVICE_RUN_ID: 'run-1' })
const caseward = (args: readonly string[], env: Record<string, string>) => runInProcess(args, { cwd: runner.cwd, env })
const upload = (url: string, ...args: string[]) => caseward(['upload', '--retries', '0', ...args], getSettings(url))

describe('caseward upload when the network fails', () => {
  it('reports a refused connection with a hint, and counts the files that were not sent', async () => {
    const { url, close } = await startFakeServer(() => {})
    await close()
    // A process of its own: what it prints and its exit code are all that CI sees.
    const args = ['upload', '--retries', '0', 'a.xml', 'b.xml']
    const { exitCode, stdout, stderr } = await runner.run(args, { env: getSettings(url) })
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: 'Stored nothing; not stored: 2 files.\n' })
    expect(stderr).toBe(
      `error: Connection refused by ${url} (ECONNREFUSED).\n` +
        '       Check that Caseward is running there, and that SERVICE_URL has the right host and port.\n' +
        '       No proxy was used: if this network requires one, set HTTP_PROXY.\n',
    )
  })

  it.each([
    ['http', 'HTTP_PROXY', 'POST http://caseward.invalid/v1/results'],
    ['https', 'HTTPS_PROXY', 'CONNECT caseward.invalid:443'],
  ])('uses the proxy for an %s server', async (protocol, variable, request) => {
    const proxy = await startForwardingProxy({ resolve: () => null })
    const { stderr } = await caseward(['upload', '--retries', '0', 'a.xml'], {
      ...getSettings(`${protocol}://caseward.invalid`),
      [variable]: `http://${proxy.host}`,
    })
    expect(proxy.requests.map((text) => text.split('?')[0])).toEqual([request])
    expect(stderr).toContain('(403)')
  })

  it('names the proxy that refuses a connection, and what to set', async () => {
    const { url, close } = await startFakeServer(() => {})
    await close()
    const { stderr } = await caseward(['upload', '--retries', '0', 'a.xml'], {
      ...getSettings('https://caseward.invalid'),
      HTTPS_PROXY: url,
    })
    expect(stderr).toContain(`The proxy ${url.replace('http://', '')} is not reachable: check HTTPS_PROXY`)
  })

  it('retries, and announces each attempt', async () => {
    let requests = 0
    const { url } = await startFakeServer((request, response) => {
      request.resume()
      requests += 1
      response.writeHead(requests < 3 ? 503 : 401, { 'retry-after': '0' }).end()
    })
    const { stderr } = await caseward(['upload', 'a.xml'], getSettings(url))
    expect(requests).toBe(3)
    expect(stderr).toMatch(/cannot reach Caseward \(503\)\. Trying again in 1 s \(attempt 2 of 5\)\.\n.*attempt 3 of 5/)
  })

  it('continues when the reader of its output has gone', async () => {
    let requests = 0
    const { url } = await startFakeServer((request, response) => {
      request.resume()
      requests += 1
      response.writeHead(413).end()
    })
    const command = fileURLToPath(new URL('../../packages/cli/bin/caseward.js', import.meta.url))
    const script = `"${process.execPath}" "${command}" upload a.xml b.xml | true`
    await promisify(execFile)('sh', ['-c', script], { cwd: runner.cwd, env: { ...process.env, ...getSettings(url) } })
    // Together, and then each alone.
    expect(requests).toBe(3)
  })
})

describe('caseward upload behind a proxy, or to another service', () => {
  it.each([
    [
      'a redirect',
      301,
      { location: 'https://new.example.com/v1/results?run_id=run-1' },
      /redirects to https:\/\/new\.example\.com \(301\)/,
    ],
    ['a size limit of the proxy', 413, {}, /client_max_body_size 10m/],
    ['an error page of the proxy', 502, {}, /A proxy in front of http:\S+ cannot reach Caseward \(502\)/],
    ['another site', 200, {}, /did not respond like Caseward \(200\): <html>No<\/html>\n.*Check SERVICE_URL/],
    ['a sign-in page', 403, {}, /did not respond like Caseward \(403\)/],
  ] as const)('reports %s as not being Caseward', async (_, status, headers, message) => {
    const { url } = await startFakeProxy(status, headers)
    const { exitCode, stdout, stderr } = await upload(url, 'a.xml')
    expect(exitCode).toBe(1)
    expect(stdout + stderr).toMatch(message)
  })

  it('sends the next file after the proxy has rejected one for its size', async () => {
    const { url } = await startFakeProxy(413)
    const { exitCode, stdout } = await upload(url, 'a.xml', 'b.xml')
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^a\.xml: not stored\n(.*\n){2}b\.xml: not stored\n/)
  })
})

describe('JSON of another service', () => {
  it.each([
    [['token', 'check'], { data: [null], meta: {} }],
    [['token', 'check'], { data: [{ id: '7', type: 'projects', attributes: {} }], meta: { total: 1 } }],
    [['token', 'check'], { data: null, meta: { total: 0 } }],
    [['run', 'show'], { data: null }],
    [['cases', 'export', '--project', '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01'], { data: [null], meta: {} }],
  ])('is reported by %j as not being from Caseward: %j', async (args, body) => {
    const { url } = await startFakeProxy(200, { 'content-type': 'application/json' }, JSON.stringify(body))
    const { exitCode, stdout, stderr } = await caseward([...args, '--retries', '0'], getSettings(url))
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(/did not respond like Caseward \(200\): \{"data":.*\n.*Check SERVICE_URL/)
  })

  it('is read once when it is a list without a total', async () => {
    let requests = 0
    const { url } = await startFakeServer((request, response) => {
      request.resume()
      requests += 1
      const project = { id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01', name: 'Web shop', prefix: 'WEB' }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: [project], meta: {} }))
    })
    await caseward(['run', 'create', '--project', 'APP'], getSettings(url))
    expect(requests).toBe(1)
  })
})
