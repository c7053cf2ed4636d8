import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

import { findOrInstallProgram } from '@caseward/test-support/programs'

/** A WebDriver server for WebdriverIO. */
export interface Driver {
  port: number
  /** Path of the browser that it starts. */
  chromium: string
  stop(): Promise<void>
}

/** Starts a chromedriver, which starts a browser for each session. */
export async function startChromedriver(): Promise<Driver> {
  const chromium = process.env['CHROMIUM'] ?? (await findOrInstallProgram('chromium', 'chromium'))
  const program = await findOrInstallProgram('chromedriver', 'chromium-driver')
  const child = spawn(program, ['--port=0', '--allowed-ips='], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await readPort(child)
  const stop = async () => {
    await endSessions(`http://127.0.0.1:${port}`)
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  return { port, chromium, stop }
}

/** Ends the sessions of crashed workers, because a browser outlives its chromedriver. */
async function endSessions(url: string): Promise<void> {
  const { value } = (await (await fetch(`${url}/sessions`)).json()) as { value: { id: string }[] }
  await Promise.all(value.map(({ id }) => fetch(`${url}/session/${id}`, { method: 'DELETE' })))
}

async function readPort(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error('chromedriver has no output')
  for await (const line of createInterface(child.stdout)) {
    const port = /started successfully on port (\d+)/.exec(line)?.[1]
    if (port !== undefined) return Number(port)
  }
  throw new Error('chromedriver did not start')
}

/** Starts a server of sessions without a browser, for suites that do not use one. Starting a browser takes too long. */
export async function startEmptyDriver(): Promise<Driver> {
  const session = { sessionId: 'session', capabilities: { browserName: 'none' } }
  const http = createServer((request, response) => {
    const value = request.method === 'POST' && request.url === '/session' ? session : null
    request.resume().once('end', () => {
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ value }))
    })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const stop = async () => {
    http.closeAllConnections()
    http.close()
    await once(http, 'close')
  }
  return { port: (http.address() as AddressInfo).port, chromium: '', stop }
}

/**
 * Returns the variables with which suites in JavaScript take a third less time: each process of WebdriverIO loads a TypeScript
 * compiler first, unless it finds it in Node's options.
 * @param folder the directory in which WebdriverIO is installed
 */
export function skipCompiler(folder: string): { NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `--title=${pathToFileURL(join(folder, 'node_modules/tsx/dist/loader.mjs')).href}` }
}
