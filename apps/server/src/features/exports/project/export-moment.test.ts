import { makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { fetchExport, readBundleRecords } from '@caseward/test-support/project-export'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

describe('GET /v1/projects/:project_id/export', () => {
  it('contains one moment while people write, and releases its connection', async () => {
    const busy = await makeProject(server)
    const writing = { isOver: false }
    const writer = (async () => {
      for (let count = 1; !writing.isOver; count += 1) {
        const { id } = await makeTestCase(server, busy, { title: `Case ${count}` })
        await makeRun(server, busy, { name: `Of ${id}`, test_case_ids: [id] })
      }
    })()
    for (let round = 0; round < 5; round += 1) {
      const records = await readBundleRecords(await fetchExport(server, busy))
      const cases = new Set(records.filter(({ kind }) => kind === 'case').map(({ key }) => key))
      const runs = new Map(records.filter(({ kind }) => kind === 'run').map(({ key, name }) => [key, String(name)]))
      const results = records.filter(({ kind }) => kind === 'result')
      // Written one after another: a later read of one of them would have more.
      for (const name of runs.values()) expect(cases).toContain(name.replace('Of ', ''))
      expect(cases.size - runs.size).toBeLessThanOrEqual(1)
      expect(new Set(results.map(({ run }) => run))).toEqual(new Set(runs.keys()))
      expect(results).toHaveLength(runs.size)
    }
    writing.isOver = true
    await writer
    const countConnections = async () =>
      (await sql`select from pg_stat_activity where application_name = 'caseward export'`.execute(server.db)).rows
        .length
    // The client has the whole file a moment before the server closes the connection.
    await expect.poll(countConnections).toBe(0)
  })
})
