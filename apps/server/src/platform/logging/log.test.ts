import { closeSync, openSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import {
  ADMIN_PASSWORD,
  ADMIN_TOKEN,
  type CasewardProcess,
  getDatabaseUrl,
  spawnCaseward,
  startCaseward,
} from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { fillDisk, mountSmallDisk } from '@caseward/test-support/small-disk'
import { findFreePort } from '@caseward/embedded-postgres/find-free-port'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
let settings: Record<string, string>
beforeAll(async () => {
  database = await cloneDatabase()
  settings = { DATABASE_URL: getDatabaseUrl(database.connection), RATE_LIMIT_OTHER: '1000000' }
})
afterAll(() => database.drop())

async function ask(caseward: CasewardProcess, times: number): Promise<void> {
  for (let asked = 0; asked < times; asked++) {
    expect(await caseward.request('GET', '/v1/projects')).toMatchObject({ status: 200 })
  }
}

/** One line; null when it is not whole. */
function parsed(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return null
  }
}

/** A line of the log is 150 bytes at least: more than is gathered, so that it is written at once. */
const MORE_THAN_IS_GATHERED = 50
const LONGER_THAN_IS_GATHERED_MS = 700

it('is JSON lines that hold no token, password or address of the database', async () => {
  const caseward = await startCaseward({ ...settings, LOG_LEVEL: 'trace' })
  await caseward.request('GET', '/v1/projects?search=x')
  await caseward.request('POST', '/v1/projects', { name: 5 })
  await caseward.request('GET', '/nowhere')
  caseward.signal('SIGTERM')
  await caseward.ended
  const lines = caseward.log()
  expect(lines.length).toBeGreaterThan(3)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) })
  const said = lines.join('\n') + caseward.stderr()
  const { password, database: name = '' } = database.connection
  for (const secret of [ADMIN_TOKEN, ADMIN_PASSWORD, String(password), 'Bearer', 'postgres://', name]) {
    expect(said).not.toContain(secret)
  }
})

describe('a log that cannot be written', () => {
  it('since its reader is gone keeps no request and no stop waiting', async () => {
    const caseward = await startCaseward(settings)
    caseward.closePipes()
    await ask(caseward, 2 * MORE_THAN_IS_GATHERED)
    await ask(caseward, 1)
    await sleep(LONGER_THAN_IS_GATHERED_MS)
    await ask(caseward, 1)
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
  })

  it('since nobody listens from the beginning does not keep the service from starting', async () => {
    const port = await findFreePort()
    const caseward = spawnCaseward({ ...settings, PORT: String(port), LOG_LEVEL: 'trace' })
    caseward.closePipes()
    const answers = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status)
    await expect.poll(() => answers().catch(() => 0), { timeout: 10_000 }).toBe(200)
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
  })

  it('since its reader hangs keeps no request waiting, and says later how many lines were lost', async () => {
    const caseward = await startCaseward(settings)
    caseward.pauseStdout()
    const headers = { 'x-request-id': 'x'.repeat(128) }
    for (let round = 0; round < 120; round++) {
      const answers = Array.from({ length: 50 }, () => fetch(`${caseward.url}/healthz`, { headers }))
      for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200)
    }
    caseward.resumeStdout()
    const told = () => caseward.log().find((line) => line.includes('lines of this log were lost')) ?? ''
    await expect.poll(told, { timeout: 10_000 }).not.toBe('')
    const { lines: lost } = parsed(told()) as { lines: number }
    expect(lost).toBeGreaterThan(1000)
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    const requests = caseward
      .log()
      .map(parsed)
      .filter((line) => line?.['msg'] === 'request')
    expect(requests.length + lost).toBe(6000)
  })

  it('since its disk is full keeps nothing waiting, and goes on when there is space again', async (context) => {
    const disk = await mountSmallDisk(context, 1)
    const file = join(disk, 'log')
    const logTo = openSync(file, 'a')
    onTestFinished(() => closeSync(logTo))
    const caseward = spawnCaseward(settings, { logTo })
    await caseward.ready
    const filler = await fillDisk(disk)
    await ask(caseward, 2 * MORE_THAN_IS_GATHERED)
    await rm(filler)
    await ask(caseward, MORE_THAN_IS_GATHERED)
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n').map(parsed)
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'lines of this log were lost', reason: 'ENOSPC' }))
    expect(lines.at(-1)).toMatchObject({ msg: 'stopping' })
    expect(lines.filter((line) => line === null).length).toBeLessThanOrEqual(1)
  })
})
