import { setTimeout as sleep } from 'node:timers/promises'

import { getTestPostgres } from '@caseward/test-support/database'
import { openEventStream } from '@caseward/test-support/event-stream'
import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import { startServerForTest, type TestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'

import { connect } from '../../platform/database/connect.ts'

const LISTENERS = `pg_stat_activity where application_name = 'caseward events' and datname = current_database()`

async function countListeners({ db }: TestServer): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.raw(LISTENERS)}`.execute(db)
  return rows[0]?.count ?? 0
}

async function openProjectStream(server: TestServer) {
  const project = await makeProject(server)
  const { token } = project.admin
  return { project, stream: await openEventStream(server.url, `/v1/projects/${project.id}/events`, { token }) }
}

describe('the database connection of event streams', () => {
  it('is opened with the first stream, and shared by all', async () => {
    const server = await startServerForTest()
    expect(await countListeners(server)).toBe(0)
    const streams = await Promise.all([openProjectStream(server), openProjectStream(server)])
    for (const { stream } of streams) await stream.next('sync')
    expect(await countListeners(server)).toBe(1)
  })

  it('is replaced when it is lost, and streams receive sync at their last event', async () => {
    const server = await startServerForTest()
    const { project, stream } = await openProjectStream(server)
    await stream.next('sync')
    await makeTestCase(server, project)
    const { id } = await stream.next('test_cases')
    await sql`select pg_terminate_backend(pid) from ${sql.raw(LISTENERS)}`.execute(server.db)
    expect(await stream.next('sync')).toEqual({ name: 'sync', id, data: { at: id, quiet_ms: expect.any(Number) } })
    await makeTestCase(server, project)
    expect((await stream.next('test_cases')).data).toEqual({ ids: ['WEB-2'], more: false })
    expect(await countListeners(server)).toBe(1)
    expect(server.logged.filter((line) => line.includes('lost the database connection of event streams'))).toHaveLength(
      1,
    )
  })

  it('is opened again and again until the database accepts connections, while other requests succeed', async () => {
    const server = await startServerForTest()
    const { project, stream } = await openProjectStream(server)
    await stream.next('sync')
    const allowConnections = await createConnectionSwitch(server)
    // Existing connections, those of requests, remain.
    await allowConnections(false)
    await sql`select pg_terminate_backend(pid) from ${sql.raw(LISTENERS)}`.execute(server.db)
    await makeTestCase(server, project)
    await sleep(400)
    expect(stream.events.map(({ name }) => name)).toEqual(['sync'])
    await allowConnections(true)
    await stream.next('sync')
    await makeTestCase(server, project)
    expect((await stream.next('test_cases')).data).toEqual({ ids: ['WEB-2'], more: false })
  })
})

/** Returns a function that lets the database of a server accept new connections, or not. */
async function createConnectionSwitch({ db }: TestServer) {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const connection = { ...(await getTestPostgres()), database: 'postgres' }
  const maintenance = connect(connection, { poolSize: 1, onError: () => {} })
  onTestFinished(maintenance.close)
  return async (isAllowed: boolean) => {
    const name = sql.id(rows[0]?.name ?? '')
    await sql`alter database ${name} with allow_connections ${sql.raw(String(isAllowed))}`.execute(maintenance.db)
  }
}
