import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'

import { onTestFinished } from 'vitest'

import { findFreePort } from '@caseward/embedded-postgres/find-free-port'
import { findOrInstallProgram } from './programs.ts'

/** A Redis of a test's own, that stores nothing on disk. */
export interface TestRedis {
  url: string
  port: number
  /** Kills it, as a machine that fails would. */
  kill(): Promise<void>
  /** From now on it takes connections and answers nothing. */
  hang(): void
  resume(): void
}

export const findOrInstallRedis = () => findOrInstallProgram('redis-server', 'redis-server')

interface RedisOptions {
  port?: number
  password?: string
}

/** Starts a Redis that ends with the test at the latest. */
export async function startRedis(options: RedisOptions = {}): Promise<TestRedis> {
  const redis = await launchRedis(options)
  onTestFinished(redis.kill)
  return redis
}

/** Starts a Redis that has to be killed. */
export async function launchRedis({ port, password }: RedisOptions = {}): Promise<TestRedis> {
  const listening = port ?? (await findFreePort())
  const settings = ['--port', String(listening), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const secret = password === undefined ? [] : ['--requirepass', password]
  const child: ChildProcess = spawn(await findOrInstallRedis(), [...settings, ...secret, '--dir', tmpdir()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  await ready(child)
  const login = password === undefined ? '' : `:${encodeURIComponent(password)}@`
  return {
    url: `redis://${login}127.0.0.1:${listening}`,
    port: listening,
    kill,
    hang: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('Ready to accept connections')) resolve()
    })
    child.once('close', () => reject(new Error(`Redis did not start: ${said}`)))
  })
}
