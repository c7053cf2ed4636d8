import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type pg from 'pg'
import { onTestFinished } from 'vitest'

import { measureStep } from './measured-steps.ts'
import { sendHttp } from './send-http.ts'

/** The service as users run it: a process of its own, from the build. */
export interface CasewardProcess {
  /** Where it listens; empty until it does. */
  url: string
  /** The id of its process. */
  pid: number
  /** Returns the lines of its standard output so far: the log. */
  log(): string[]
  /** Returns its standard error so far: the messages for the person who starts it. */
  stderr(): string
  /** Sends a request, with the first user's token by default. */
  request(method: string, path: string, body?: unknown, token?: string): Promise<{ status: number; body: unknown }>
  signal(signal: NodeJS.Signals): void
  /** Closes our end of its output, as `| head` does. */
  closePipes(): void
  /** Stops reading its standard output, so that the pipe fills up. */
  pauseStdout(): void
  resumeStdout(): void
  /** Resolves when it listens. */
  ready: Promise<void>
  /** Resolves with its exit code when it has ended; null if a signal ended it. */
  ended: Promise<number | null>
}

const main = fileURLToPath(new URL('../../../apps/server/dist/main.js', import.meta.url))
const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** The `ADMIN_TOKEN` and `ADMIN_PASSWORD` of the first user. */
export const ADMIN_TOKEN = 'an-admin-token-of-32-characters-or-more'
export const ADMIN_PASSWORD = 'a secret of eight or more'

/** The environment variables of a service with a first user. */
export const FIRST_USER_SETTINGS = {
  PORT: '0',
  ADMIN_EMAIL: 'admin@example.test',
  ADMIN_PASSWORD,
  ADMIN_TOKEN,
  SHUTDOWN_DELAY_MS: '0',
}

/** Formats a connection as a `DATABASE_URL`. */
export function getDatabaseUrl({ user, password, host = '', port, database }: pg.PoolConfig): string {
  const secret = encodeURIComponent(String(password))
  return `postgres://${user}:${secret}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

interface SpawnOptions {
  /** Receives the function that kills the process; by default it is called when the current test ends. */
  onCleanup?: (kill: () => void) => void
  /** The arguments of the built server. */
  serverArgs?: readonly string[]
  /** The command to run instead of the built server, such as `npm start`. */
  command?: [program: string, ...args: string[]]
  /** The working directory; the repository by default. */
  directory?: string
  /** The descriptor of an open file for its standard output. */
  logTo?: number
}

/** Starts the service with these environment variables, and waits until it listens or has ended. */
export async function startCaseward(
  settings: Record<string, string>,
  options: SpawnOptions = {},
): Promise<CasewardProcess> {
  const caseward = spawnCaseward(settings, options)
  await measureStep('process of the service', () => Promise.race([caseward.ready, caseward.ended]))
  return caseward
}

/** Starts the service with these environment variables, and does not wait. */
export function spawnCaseward(
  settings: Record<string, string>,
  { onCleanup = onTestFinished, serverArgs = [], command, directory = repository, logTo }: SpawnOptions = {},
): CasewardProcess {
  const [program, ...args] = command ?? [process.execPath, main, ...serverArgs]
  const child: ChildProcess = spawn(program, args, {
    cwd: directory,
    env: { PATH: process.env['PATH'], ...FIRST_USER_SETTINGS, ...settings },
    stdio: ['ignore', logTo ?? 'pipe', 'pipe'],
    detached: command !== undefined,
  })
  onCleanup(() => (command === undefined ? void child.kill('SIGKILL') : endProcessGroup(child)))
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  const ready = new Promise<void>((resolve) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      if (stderr.includes('started in')) resolve()
    })
  })
  return {
    get url() {
      return readUrl(stderr)
    },
    pid: child.pid ?? 0,
    log: () => stdout.split('\n').filter(Boolean),
    stderr: () => stderr,
    request: (method, path, body, token = ADMIN_TOKEN) => sendJson(readUrl(stderr) + path, method, token, body),
    signal: (signal) => void child.kill(signal),
    closePipes: () => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    },
    pauseStdout: () => void child.stdout?.pause(),
    resumeStdout: () => void child.stdout?.resume(),
    ready,
    ended,
  }
}

/** Reads where the service listens from its messages. */
export const readUrl = (stderr: string): string => /listening on (\S+),/.exec(stderr)?.[1] ?? ''

export async function sendJson(url: string, method: string, token: string, body: unknown) {
  const { status, text } = await sendHttp(url, method, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return { status, body: text === '' ? null : (JSON.parse(text) as unknown) }
}

/** Ends a command and every process that it has started. */
function endProcessGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // The group has already ended.
  }
}
