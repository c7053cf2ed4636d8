import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

import { findProgram } from './programs.ts'
import { openTab, type Tab } from './tab.ts'

/** A real browser, without windows. */
export interface Chromium {
  /** A tab with cookies of its own, as of somebody at another machine. */
  newTab(): Promise<Tab>
  close(): Promise<void>
}

export type Params = Record<string, unknown>

/** The DevTools protocol: calls, and what the browser tells by itself. */
export interface Protocol {
  call<T>(method: string, params?: Params, sessionId?: string): Promise<T>
  /** Resolves with the next event of this name. */
  next(event: string, sessionId: string): Promise<Params>
}

const TIMEOUT_MS = 15_000

/** Chromium or Chrome: the one that `CHROMIUM` names, or what is on the path, or where macOS keeps programs. */
async function findChromium(): Promise<string> {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  const places = [
    process.env['CHROMIUM'] ?? '',
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ]
  for (const place of places.filter(Boolean)) {
    const canRun = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (canRun) return place
  }
  return await findProgram('chromium', 'chromium')
}

/**
 * Starts one, in a hook that has the time to install it.
 * @param hosts names that lead to this machine; to a browser none of them is as safe as `localhost`
 */
export async function startChromium({ hosts = [] }: { hosts?: readonly string[] } = {}): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), 'caseward-chromium-'))
  const child = spawn(
    await findChromium(),
    [
      '--headless',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      '--no-first-run',
      '--hide-scrollbars',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      // Containers and root have no sandbox to offer; it visits nobody but the service under test.
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      `--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1`).join(',')}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  const protocol = speak(child)
  await protocol.call('Browser.getVersion')
  return {
    async newTab() {
      const { browserContextId } = await protocol.call<{ browserContextId: string }>('Target.createBrowserContext')
      const target = { url: 'about:blank', browserContextId }
      const { targetId } = await protocol.call<{ targetId: string }>('Target.createTarget', target)
      const attach = { targetId, flatten: true }
      const { sessionId } = await protocol.call<{ sessionId: string }>('Target.attachToTarget', attach)
      return await openTab(protocol, sessionId)
    },
    async close() {
      await protocol.call('Browser.close').catch(() => child.kill('SIGKILL'))
      await ended
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Messages go over two pipes, each JSON that ends with a zero byte. */
function speak(child: ChildProcess): Protocol {
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable]
  const calls = new Map<number, Waiting>()
  const listeners = new Map<string, ((params: Params) => void)[]>()
  let lastId = 0
  let unread = ''
  input.on('error', () => {})
  child.once('close', () => {
    for (const { reject } of calls.values()) reject(new Error('The browser has ended'))
  })
  output.setEncoding('utf8').on('data', (text: string) => {
    const messages = (unread + text).split('\0')
    unread = messages.pop() ?? ''
    for (const message of messages) hear(JSON.parse(message) as Message)
  })

  function hear({ id, method, params = {}, sessionId, result, error }: Message): void {
    if (id === undefined) {
      const key = `${sessionId} ${method}`
      const heard = listeners.get(key) ?? []
      listeners.delete(key)
      for (const listener of heard) listener(params)
      return
    }
    const waiting = calls.get(id)
    calls.delete(id)
    if (error === undefined) waiting?.resolve(result)
    else waiting?.reject(new Error(error.message))
  }

  return {
    call<T>(method: string, params: Params = {}, sessionId?: string) {
      const id = (lastId += 1)
      const answer = new Promise<T>((resolve, reject) => {
        calls.set(id, { resolve: (value) => resolve(value as T), reject })
      })
      input.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`)
      return withTimeout(answer, method)
    },
    next(event, sessionId) {
      const key = `${sessionId} ${event}`
      const heard = new Promise<Params>((resolve) => {
        listeners.set(key, [...(listeners.get(key) ?? []), resolve])
      })
      return withTimeout(heard, event)
    },
  }
}

interface Message {
  id?: number
  method?: string
  params?: Params
  sessionId?: string
  result?: unknown
  error?: { message: string }
}

function withTimeout<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited in vain for ${what}`)), TIMEOUT_MS)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
