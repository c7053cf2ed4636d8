import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type pg from 'pg'

import { ADMIN_TOKEN, getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { query } from '@caseward/test-support/query'
import { type Service, startService } from '@caseward/test-support/service'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

const start = () => startCaseward({ DATABASE_URL: getDatabaseUrl(database.connection) })

const KEYS = Array.from({ length: 20 }, (_, index) => `key-${index}`)

/** Returns the status and whether it is the response to an earlier request; null when the connection is lost. */
async function createProject(caseward: Service, key: string) {
  try {
    const { status, headers } = await fetch(`${caseward.url}/v1/projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ name: key, prefix: 'WEB' }),
    })
    return { status, isReplayed: headers.has('idempotent-replayed') }
  } catch {
    return null
  }
}

const countCreated = async () => (await query(database.connection, 'select from projects')).length

describe('a server that is killed while it creates 20 projects', () => {
  it('has created each once, after every request was repeated with its key', async () => {
    const first = await start()
    const sent = KEYS.map((key) => createProject(first, key))
    // Some are committed then, of some only the response is missing, and others have not begun.
    while ((await countCreated()) === 0) await sleep(1)
    first.signal('SIGKILL')
    const responses = await Promise.all(sent)
    await first.ended
    expect(responses).toContain(null)
    const createdBefore = await countCreated()
    expect(createdBefore).toBeGreaterThan(0)

    const second = await startService({ DATABASE_URL: getDatabaseUrl(database.connection) })
    const repeated = await Promise.all(KEYS.map((key) => createProject(second, key)))
    expect(repeated.map((response) => response?.status)).toEqual(KEYS.map(() => 201))
    expect(repeated.filter((response) => response?.isReplayed)).toHaveLength(createdBefore)
    expect(
      await query(database.connection, 'select name from projects group by name having count(*) = 1'),
    ).toHaveLength(20)
    expect(await countCreated()).toBe(20)
  })
})
