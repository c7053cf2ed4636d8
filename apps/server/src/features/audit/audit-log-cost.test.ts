import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { countRowsRead } from '@caseward/test-support/count-rows-read'
import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin } from '@caseward/test-support/users'

const server = useTestServer()
let rootToken: string
let project: Awaited<ReturnType<typeof makeProject>>

/** A page has 20 entries; indexes are read for some more. */
const MAX_ROWS = 200

beforeAll(async () => {
  rootToken = (await makeInstanceAdmin(server)).token
  project = await makeProject(server)
  // One entry a minute, the newest now.
  await sql`
    insert into audit_log (id, at, action, actor_kind, actor_id, actor_name, subject_kind, subject_name, project_id)
    select uuid_v7_in_batch(moment, n), moment, 'test_case.delete', 'user', gen_random_uuid(), 'Ada', 'test_case', 'Case',
      case when n % 2 = 0 then ${project.id}::uuid else gen_random_uuid() end
    from generate_series(1, 20000) n, lateral (select now() - n * interval '1 minute' as moment) m`.execute(server.db)
  await sql`analyze audit_log`.execute(server.db)
})

const list = async (path: string, token = rootToken) => {
  const { status, body } = await server.request<{ data: unknown[] }>('GET', path, { token })
  expect(status).toBe(200)
  return body.data
}
const toIso = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()

describe('an audit log with 20,000 entries', () => {
  it.each([
    ['the first page', () => ''],
    ['a time long ago', () => `?from=${toIso(15_000)}&to=${toIso(14_000)}`],
    ['a rare action', () => '?action=project.create'],
    ['one actor', () => `?actor=${project.admin.id}`],
    ['one actor and a frequent action', () => `?actor=${project.admin.id}&action=test_case.delete`],
  ])('reads few rows for %s', async (_, getQuery) => {
    const path = `/v1/admin/audit-log${getQuery()}`
    await list(path)
    expect(await countRowsRead(server, 'audit_log', () => list(path))).toBeLessThan(MAX_ROWS)
  })

  it('reads few rows for a page of one project', async () => {
    const { token } = project.admin
    const path = `/v1/projects/${project.id}/audit-log?to=${toIso(10_000)}`
    expect(await list(path, token)).toHaveLength(20)
    expect(await countRowsRead(server, 'audit_log', () => list(path, token))).toBeLessThan(MAX_ROWS)
  })
})
