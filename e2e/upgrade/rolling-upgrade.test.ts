import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { findFreePort } from '@caseward/embedded-postgres/find-free-port'
import { listMigrations } from '@caseward/server/platform/database/migrate'
import {
  ADMIN_TOKEN,
  type CasewardProcess,
  getDatabaseUrl,
  startCaseward,
} from '@caseward/test-support/caseward-process'
import { createEmptyDatabase, type TestDatabase } from '@caseward/test-support/database'
import { startPlainBalancer, waitForBalancer } from '@caseward/test-support/load-balancers'
import { query } from '@caseward/test-support/query'
import { sendRequest } from '@caseward/test-support/send-request'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startLoad, type Written } from './load.ts'
import { buildPreviousRelease, type PreviousRelease } from './previous-release.ts'

/** Long enough for the load balancer to notice that a server is back, and for both to serve. */
const PAUSE_MS = 3000

let previous: PreviousRelease
beforeAll(async () => {
  previous = await buildPreviousRelease()
  return previous.remove
})

type Version = 'previous' | 'this'

function startServer(version: Version, port: number, database: TestDatabase): Promise<CasewardProcess> {
  const settings = {
    DATABASE_URL: getDatabaseUrl(database.connection),
    PORT: String(port),
    DATABASE_POOL_SIZE: '5',
    RATE_LIMIT: '1000000',
    RATE_LIMIT_OTHER: '1000000',
    RATE_LIMIT_SIGN_IN: '1000000',
    // The default.
    SHUTDOWN_DELAY_MS: '',
  }
  const main = join(previous.directory, 'apps/server/dist/main.js')
  return startCaseward(
    settings,
    version === 'this' ? {} : { command: [process.execPath, main], directory: previous.directory },
  )
}

const readMigrations = async ({ connection }: TestDatabase) =>
  (await query<{ name: string }>(connection, 'select name from kysely_migration order by name')).map(({ name }) => name)

/** Reads everything that was acknowledged, and compares the counters of the run with its results. */
async function readWritten(url: string, database: TestDatabase, { projectId, runId, titles, statuses }: Written) {
  const rows = await query<{ title: string }>(
    database.connection,
    `select title from test_cases where project_id = '${projectId}' and title like 'Another case %'`,
  )
  const stored = new Set(rows.map(({ title }) => title))
  const missing = [...titles].filter((title) => !stored.has(title))
  for (const [id, status] of statuses) {
    const { body } = await sendRequest<{ data: { status: string } }>(url, 'GET', `/v1/runs/${runId}/results/${id}`, {
      token: ADMIN_TOKEN,
    })
    if (body.data.status !== status) missing.push(`${id} is ${body.data.status} instead of ${status}`)
  }
  const [counters] = await query<Record<string, number>>(
    database.connection,
    `select (passed_count - count(*) filter (where r.status = 'passed'))::int as passed,
       (blocked_count - count(*) filter (where r.status = 'blocked'))::int as blocked
     from runs join test_results r on r.run_id = runs.id where runs.id = '${runId}' group by runs.id`,
  )
  return { missing, counters }
}

describe('a rolling upgrade from the previous release, and back', () => {
  it('fails no request and loses no acknowledged write', async () => {
    const database = await createEmptyDatabase()
    onTestFinished(database.drop)
    const ports: [number, number] = [await findFreePort(), await findFreePort()]
    const servers: CasewardProcess[] = []
    for (const port of ports) servers.push(await startServer('previous', port, database))
    expect(await readMigrations(database)).toEqual(previous.migrations.toSorted())
    const port = await findFreePort()
    await startPlainBalancer(port, ports)
    const url = `http://127.0.0.1:${port}`
    await waitForBalancer(url)
    const load = await startLoad(url)

    const replace = async (index: 0 | 1, version: Version) => {
      await sleep(PAUSE_MS)
      servers[index]?.signal('SIGTERM')
      expect(await servers[index]?.ended).toBe(0)
      const server = await startServer(version, ports[index], database)
      expect(server.stderr()).toContain('listening on')
      servers[index] = server
    }
    await replace(0, 'this')
    expect(await readMigrations(database)).toEqual(await listMigrations())
    await replace(1, 'this')
    await replace(0, 'previous')
    await replace(1, 'previous')
    await sleep(PAUSE_MS)
    await load.stop()

    expect(load.failures).toEqual([])
    expect(load.getCount()).toBeGreaterThan(300)
    expect(await readWritten(url, database, load.written)).toEqual({ missing: [], counters: { passed: 0, blocked: 0 } })
    const covered = (await listMigrations()).filter((name) => !previous.migrations.includes(name))
    process.stderr.write(
      `${load.getCount()} requests from ${previous.name} and back; migrations: ${covered.join(', ') || 'none'}\n`,
    )
  })
})
