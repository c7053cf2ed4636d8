import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'

import { onTestFinished } from 'vitest'

import { findFreePort } from '@caseward/embedded-postgres/find-free-port'
import { findOrInstallProgram } from './programs.ts'

/** A Redis that stores nothing on disk. */
export interface TestRedis {
  url: string
  port: number
  /** Kills it, as when its machine fails. */
  kill(): Promise<void>
  /** Suspends it: it accepts connections and does not respond until `resume`. */
  hang(): void
  resume(): void
}

/** Installs Redis ahead of the tests, in a hook with `INSTALL_TIMEOUT_MS`. */
export const findOrInstallRedis = () => findOrInstallProgram('redis-server', 'redis-server')

interface RedisOptions {
  port?: number
  password?: string
}

/** Starts a Redis that is killed when the current test ends, if not before. */
export async function startRedis(options: RedisOptions = {}): Promise<TestRedis> {
  const redis = await launchRedis(options)
  onTestFinished(redis.kill)
  return redis
}

/** Starts a Redis that the caller kills. */
export async function launchRedis({ port, password }: RedisOptions = {}): Promise<TestRedis> {
  const listenPort = port ?? (await findFreePort())
  const settings = ['--port', String(listenPort), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const secret = password === undefined ? [] : ['--requirepass', password]
  const child: ChildProcess = spawn(await findOrInstallRedis(), [...settings, ...secret, '--dir', tmpdir()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  await waitUntilReady(child)
  const login = password === undefined ? '' : `:${encodeURIComponent(password)}@`
  return {
    url: `redis://${login}127.0.0.1:${listenPort}`,
    port: listenPort,
    kill,
    hang: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  }
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('Ready to accept connections')) resolve()
    })
    child.once('close', () => reject(new Error(`Redis did not start: ${output}`)))
  })
}
