import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import { findOrInstallProgram } from './programs.ts'
import { createTemporaryDirectory } from './temporary-directory.ts'
import { waitUntil } from './wait-until.ts'

/** Installs the load balancers ahead of the tests, in a hook with `INSTALL_TIMEOUT_MS`. */
export async function findOrInstallLoadBalancers(): Promise<void> {
  await findOrInstallProgram('nginx', 'nginx')
  await findOrInstallProgram('haproxy', 'haproxy')
}

/** Starts nginx with this content of its `http` block until the current test ends. */
export async function startNginx(http: string): Promise<void> {
  const directory = await createTemporaryDirectory()
  const file = join(directory, 'nginx.conf')
  const modules = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = modules.map((name) => `${name}_temp_path ${join(directory, name)};`)
  const main = `daemon off; master_process off; pid ${join(directory, 'pid')}; error_log stderr;`
  await writeFile(file, `${main}\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${http}\n}\n`)
  const nginx = await findOrInstallProgram('nginx', 'nginx')
  start(nginx, ['-p', directory, '-e', 'stderr', '-c', file])
}

/** Starts HAProxy with this configuration until the current test ends. */
export async function startHaproxy(config: string): Promise<void> {
  const file = join(await createTemporaryDirectory(), 'haproxy.cfg')
  await writeFile(file, config)
  start(await findOrInstallProgram('haproxy', 'haproxy'), ['-db', '-q', '-f', file])
}

function start(program: string, args: string[]): void {
  const child: ChildProcess = spawn(program, args, { cwd: '/', stdio: ['ignore', 'ignore', 'ignore'] })
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
}

/** How often the plain load balancer asks whether a server is ready. */
const CHECK_INTERVAL_MS = 250

/**
 * Starts a load balancer that does only what every one does: it checks `/readyz`, and passes requests to the servers that
 * are ready in turn. It repeats no request.
 */
export async function startPlainBalancer(port: number, serverPorts: readonly number[]): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const readyPorts = new Set(serverPorts)
  const check = async (serverPort: number) => {
    const isReady = await fetch(`http://127.0.0.1:${serverPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) readyPorts.add(serverPort)
    else readyPorts.delete(serverPort)
  }
  const checks = setInterval(() => serverPorts.forEach((serverPort) => void check(serverPort)), CHECK_INTERVAL_MS)
  let count = 0
  const balancer = createServer((incoming, outgoing) => {
    const ports = [...readyPorts]
    count += 1
    forward(incoming, outgoing, { port: ports[count % ports.length] ?? 0, agent })
  }).listen(port, '127.0.0.1')
  await once(balancer, 'listening')
  onTestFinished(() => {
    clearInterval(checks)
    agent.destroy()
    balancer.close()
    balancer.closeAllConnections()
  })
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, target: { port: number; agent: Agent }): void {
  const { method, url: path, headers } = incoming
  const upstream = request({
    host: '127.0.0.1',
    ...target,
    method,
    path,
    headers: { ...headers, connection: 'keep-alive' },
  })
  upstream.on('response', (response) => {
    const { connection: _, 'keep-alive': __, ...others } = response.headers
    outgoing.writeHead(response.statusCode ?? 502, others)
    response.pipe(outgoing)
  })
  upstream.on('error', ({ message }) => outgoing.writeHead(502).end(message))
  incoming.pipe(upstream)
}

/** Waits until a load balancer passes requests on. */
export async function waitForBalancer(url: string): Promise<void> {
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitUntil(isUp, 'the load balancer is up')
}
