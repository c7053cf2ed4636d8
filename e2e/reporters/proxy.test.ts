import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { startForwardingProxy } from '@caseward/test-support/forwarding-proxy'
import { makeCertificate, type OwnCertificate } from '@caseward/test-support/certificates'
import { useTestServer } from '@caseward/test-support/test-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { createFixtureProject, type FreshProject } from './fresh-project.ts'
import { createScenario } from './scenario.ts'

/* A reporter and the command in the network of a company: only the proxy knows the name of the server. */

const HOST = 'caseward.corp.invalid'
const caseward = fileURLToPath(new URL('../../packages/cli/bin/caseward.js', import.meta.url))

const server = useTestServer()
let project: FreshProject
let certificate: OwnCertificate
let tlsServer: Server
beforeAll(async () => {
  ;[project, certificate] = await Promise.all([
    createFixtureProject('node-test', 'node-test', ['@caseward/node-test']),
    makeCertificate(HOST),
  ])
  tlsServer = createServer({ key: certificate.key, cert: certificate.certificate }, (from, to) => {
    const { method, url: path, headers } = from
    const onward = request(server.url, { method, path, headers }, (response) => {
      to.writeHead(response.statusCode ?? 502, response.rawHeaders)
      response.pipe(to)
    })
    from.pipe(onward)
  })
  await new Promise<void>((resolve) => tlsServer.listen(0, '127.0.0.1', resolve))
})
afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
afterAll(async () => {
  tlsServer.closeAllConnections()
  tlsServer.close()
  await Promise.all([project.remove(), certificate.remove()])
})

const getPort = (url: string) => Number(new URL(url).port)
const startProxy = (credentials?: string) =>
  startForwardingProxy({
    ...(credentials === undefined ? {} : { credentials }),
    resolve: (host) =>
      host === `${HOST}:443` ? (tlsServer.address() as AddressInfo).port : host === HOST ? getPort(server.url) : null,
  })
const runSuite = (env: Record<string, string>) =>
  project.run(
    'node',
    ['--test', '--test-reporter=@caseward/node-test', '--test-reporter-destination=stdout', 'standalone/passes.js'],
    env,
  )

describe('a reporter behind a proxy', () => {
  it('stores results on an https server whose certificate the authority of the company has signed', async () => {
    const scenario = await createScenario(server)
    const proxy = await startProxy('jane:p@ss word')
    const env = {
      ...scenario.env,
      SERVICE_URL: `https://${HOST}`,
      HTTPS_PROXY: `http://jane:p%40ss%20word@${proxy.host}`,
      NODE_EXTRA_CA_CERTS: certificate.path,
    }
    expect((await runSuite(env)).stderr).toContain('stored 2 results (2 passed)')
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'passed' })
    expect(new Set(proxy.requests)).toEqual(new Set([`CONNECT ${HOST}:443`]))
    const { exitCode } = await project.run('node', [caseward, 'run', 'show'], env)
    expect(exitCode).toBe(0)
  })

  it('stores results on an http server', async () => {
    const scenario = await createScenario(server)
    const proxy = await startProxy()
    await runSuite({ ...scenario.env, SERVICE_URL: `http://${HOST}`, http_proxy: proxy.host })
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'passed' })
    expect(proxy.requests).toContain(`POST http://${HOST}/v1/results`)
  })

  it('does not use the proxy for a server in NO_PROXY', async () => {
    const scenario = await createScenario(server)
    const proxy = await startProxy()
    await runSuite({
      ...scenario.env,
      HTTP_PROXY: `http://${proxy.host}`,
      NO_PROXY: `[::1],127.0.0.1:${getPort(server.url)}`,
    })
    expect([await scenario.statuses(), proxy.requests]).toEqual([{ 'WEB-1': 'passed', 'WEB-2': 'passed' }, []])
  })

  it.each([
    ['the password is missing', 'jane:secret', {}, 'requires a user name and password (407): set HTTPS_PROXY'],
    [
      'the proxy refuses',
      undefined,
      { SERVICE_URL: 'https://other.invalid' },
      'refused to connect to other.invalid:443 (403)',
    ],
    ['the certificate is not trusted', undefined, {}, 'set NODE_EXTRA_CA_CERTS'],
    [
      'the proxy is down',
      undefined,
      { HTTPS_PROXY: 'http://127.0.0.1:9' },
      'The proxy 127.0.0.1:9 is not reachable: check HTTPS_PROXY',
    ],
    ['the proxy has no valid address', undefined, { HTTPS_PROXY: 'socks5://127.0.0.1:9' }, 'Invalid HTTPS_PROXY'],
  ])('names the proxy and what to set when %s', async (_, credentials, settings, message) => {
    const scenario = await createScenario(server)
    const proxy = await startProxy(credentials)
    const env = { ...scenario.env, SERVICE_URL: `https://${HOST}`, HTTPS_PROXY: `http://${proxy.host}`, ...settings }
    const { exitCode, stderr } = await runSuite(env)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(message) })
    expect(await project.spooled()).toContain('WEB-2 passes')
  })
})
