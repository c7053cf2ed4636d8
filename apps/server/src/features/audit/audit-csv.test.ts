import { parseCsv } from '@caseward/case-files/csv'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin } from '@caseward/test-support/users'

const server = useTestServer()
let token: string
beforeAll(async () => {
  token = (await makeInstanceAdmin(server)).token
})

const readCsv = async (path: string, headers: Record<string, string> = {}) => {
  const response = await server.request<string>('GET', path, { token, headers })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  return { ...response, lines: response.body.split('\r\n').slice(0, -1) }
}

/** Inserts entries of the system for an action that no other test uses. */
const insertEntries = (count: number, action: string) =>
  sql`
    insert into audit_log (id, at, action, actor_kind, actor_name, subject_kind, subject_name)
    select uuid_v7_in_batch(now(), n), now(), ${action}, 'system', 'System', 'instance', 'Entry ' || n
    from generate_series(1, ${count}::int) n`.execute(server.db)

describe('the audit log as CSV', () => {
  it('has a header row, and a row with the fields of each entry', async () => {
    const project = await makeProject(server)
    const { headers, lines } = await readCsv(`/v1/admin/audit-log?format=csv&action=project.create`)
    expect(headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"')
    expect(lines[0]).toBe(
      'id,at,action,actor_kind,actor_id,actor_name,actor_email,token_id,token_name,subject_kind,subject_id,subject_name,subject_email,project_id,project_name,address,detail',
    )
    expect(lines[1]).toMatch(
      new RegExp(
        `^[\\w-]{36},\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z,project\\.create,user,${project.admin.id},Person \\d+,.*,project,${project.id},Web shop,,${project.id},Web shop,127\\.0\\.0\\.1,"\\{""prefix"":""WEB""\\}"$`,
      ),
    )
  })

  it('is returned for Accept: text/csv, unless JSON is accepted too or format says otherwise', async () => {
    const path = '/v1/admin/audit-log'
    await readCsv(path, { accept: 'text/csv' })
    for (const [url, accept] of [
      [path, 'application/json, text/csv'],
      [`${path}?format=json`, 'text/csv'],
    ] as const) {
      const { headers } = await server.request('GET', url, { token, headers: { accept } })
      expect(headers.get('content-type')).toMatch(/^application\/json/)
    }
  })

  it('escapes names that a spreadsheet would run as formulas', async () => {
    for (const name of ['=HYPERLINK("http://evil.test")', '+1', '-1', '@SUM(1)']) await makeProject(server, { name })
    const { lines } = await readCsv('/v1/admin/audit-log?format=csv&action=project.create')
    for (const name of [`"'=HYPERLINK(""http://evil.test"")"`, `'+1`, `'-1`, `'@SUM(1)`]) {
      expect(lines.filter((line) => line.includes(`,${name},`))).toHaveLength(1)
    }
  })

  it('quotes names with line breaks of either kind, so that each entry is one record', async () => {
    await sql`
      insert into audit_log (id, at, action, actor_kind, actor_name, subject_kind, subject_name)
      values (uuid_v7_in_batch(now(), 1), now(), 'milestone.delete', 'system', 'System', 'instance', ${'one\ntwo\rthree\r\nfour'})`.execute(
      server.db,
    )
    const { body } = await readCsv('/v1/admin/audit-log?format=csv&action=milestone.delete')
    const records = parseCsv(body)
    expect(records).toHaveLength(2)
    expect(body).toContain(',"one\ntwo\rthree\r\nfour",')
  })

  it('is filtered like JSON, and continues after an id', async () => {
    await insertEntries(2500, 'run.delete')
    const { lines } = await readCsv('/v1/admin/audit-log?format=csv&action=run.delete&per_page=2')
    expect(lines).toHaveLength(2501)
    expect(new Set(lines).size).toBe(2501)
    const id = lines[2000]?.slice(0, 36)
    const others = await readCsv(`/v1/admin/audit-log?format=csv&action=run.delete&after=${id}`)
    expect(others.lines.slice(1)).toEqual(lines.slice(2001))
  })
})
