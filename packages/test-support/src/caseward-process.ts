import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type pg from 'pg'
import { onTestFinished } from 'vitest'

/** The service as it is really run: a process of its own, from the build. */
export interface Caseward {
  /** Where it listens; empty as long as it does not. */
  url: string
  /** What it logged, line by line, up to now. */
  log(): string[]
  /** What it told whoever started it, up to now. */
  told(): string
  /** With the first user's token, if with no other. */
  request(method: string, path: string, body?: unknown, token?: string): Promise<{ status: number; body: unknown }>
  signal(signal: NodeJS.Signals): void
  /** Closes our end of what it writes, as `| head` does. */
  stopListening(): void
  /** Leaves what it logs unread, and reads on. */
  stopReading(): void
  readOn(): void
  /** Resolves when it says that it listens. */
  ready: Promise<void>
  /** Its exit code, once it has ended; null when a signal ended it. */
  ended: Promise<number | null>
}

const main = fileURLToPath(new URL('../../../apps/server/dist/main.js', import.meta.url))
const repository = fileURLToPath(new URL('../../../', import.meta.url))

export const ADMIN_TOKEN = 'an-admin-token-of-32-characters-or-more'
export const ADMIN_PASSWORD = 'a secret of eight or more'

/** The `DATABASE_URL` for a connection. */
export function getDatabaseUrl({ user, password, host = '', port, database }: pg.PoolConfig): string {
  const secret = encodeURIComponent(String(password))
  return `postgres://${user}:${secret}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

export interface LaunchOptions {
  /** Takes what ends it for certain; a file that starts it for all its tests gives another than theirs. */
  atEnd?: (end: () => void) => void
  /** What runs it. */
  command?: [program: string, ...args: string[]]
  /** The folder in which it is started. */
  folder?: string
  /** The descriptor of an open file to log to. */
  logTo?: number
}

/** Starts it with these settings, and resolves when it listens or has ended. */
export async function startCaseward(
  settings: Record<string, string>,
  atEnd: (end: () => void) => void = onTestFinished,
  folder = repository,
): Promise<Caseward> {
  const caseward = launchCaseward(settings, { atEnd, folder })
  await Promise.race([caseward.ready, caseward.ended])
  return caseward
}

/** Starts it with these settings, and does not wait. */
export function launchCaseward(
  settings: Record<string, string>,
  { atEnd = onTestFinished, command, folder = repository, logTo }: LaunchOptions = {},
): Caseward {
  const [program, ...args] = command ?? [process.execPath, main]
  const child: ChildProcess = spawn(program, args, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      ADMIN_EMAIL: 'admin@example.test',
      ADMIN_PASSWORD,
      ADMIN_TOKEN,
      ...settings,
    },
    stdio: ['ignore', logTo ?? 'pipe', 'pipe'],
    detached: command !== undefined,
  })
  atEnd(() => (command === undefined ? void child.kill('SIGKILL') : endGroup(child)))
  let log = ''
  let told = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  const ready = new Promise<void>((resolve) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      told += text
      if (told.includes('started in')) resolve()
    })
  })
  const url = () => /listening on (\S+),/.exec(told)?.[1] ?? ''
  return {
    get url() {
      return url()
    },
    log: () => log.split('\n').filter(Boolean),
    told: () => told,
    async request(method, path, body, token = ADMIN_TOKEN) {
      const response = await fetch(url() + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : JSON.parse(text) }
    },
    signal: (signal) => void child.kill(signal),
    stopListening: () => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    },
    stopReading: () => void child.stdout?.pause(),
    readOn: () => void child.stdout?.resume(),
    ready,
    ended,
  }
}

/** Has all that a command started end, should any of it still run. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // It has ended.
  }
}
