import { makeProject } from '@caseward/test-support/factories'
import { actOnImport, listImportRecords, planFile } from '@caseward/test-support/import-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

const toCsv = (titles: readonly string[]) =>
  ['id,title,action,expected', ...titles.map((title, index) => `T-${index + 1},${title},Pay,Paid`)].join('\n')

describe('the plan of an import', () => {
  it('marks and counts new test cases that are like others, which are created all the same', async () => {
    const project = await makeProject(server)
    const { token } = project.admin
    const root = `/v1/projects/${project.id}`
    const steps = [{ action: 'pay', expected: 'PAID' }]
    const rows = [
      { title: 'A customer pays by card', steps },
      { title: 'A guest pays by invoice' },
      { title: 'Archived' },
    ]
    await server.request('POST', `${root}/test-cases/import`, { token, body: { rows } })
    await server.request('PATCH', `${root}/test-cases/WEB-3`, { token, body: { archived: true } })
    const titles = ['A customer pays by card', 'A guest pays by invoices', 'A supplier ships', 'Archived']
    const planned = await planFile(server, project, toCsv(titles))
    expect(planned.planning?.similar).toEqual({ count: 2, not_compared: 0, is_complete: true })
    const records = await listImportRecords(server, project, planned.id, '&kind=case')
    expect(
      records.map(({ title, action, similar }) => [title, action, ...similar.map(({ id, same }) => `${id} ${same}`)]),
    ).toEqual([
      ['A customer pays by card', 'create', 'WEB-1 content'],
      ['A guest pays by invoices', 'create', 'WEB-2 similar'],
      ['A supplier ships', 'create'],
      ['Archived', 'create'],
    ])
    expect(records.every(({ after }) => after !== null && !('similar_cases' in after))).toBe(true)
    expect((await listImportRecords(server, project, planned.id, '&similar=true')).map(({ seq }) => seq)).toEqual(
      records.slice(0, 2).map(({ seq }) => seq),
    )
    const report = await server.request<string>('GET', `${root}/imports/${planned.id}/report?format=csv`, { token })
    expect(report.body).toMatch(/A guest pays by invoices.*WEB-2/)

    const done = await actOnImport(server, project, planned, 'apply')
    expect(done).toMatchObject({ state: 'done', proof: { is_equal: true, cases: { read: 4, stored: 4 } } })
    // What comes again is known, and not compared any more.
    const again = await planFile(server, project, toCsv(titles))
    expect(again.planning?.similar).toEqual({ count: 0, not_compared: 0, is_complete: true })
  })

  it('compares whole titles only with test cases beyond the newest 50,000, and says so', async () => {
    const project = await makeProject(server)
    const { token } = project.admin
    const rows = [{ title: 'A customer pays by card' }, { title: 'A guest pays by invoice' }]
    await server.request('POST', `/v1/projects/${project.id}/test-cases/import`, { token, body: { rows } })
    await sql`
      insert into test_cases (project_id, number, title, priority, type, created_at, updated_at)
      select ${project.id}, number, 'Filler ' || number, 'medium', 'other', now(), now()
      from generate_series(3, 50002) number`.execute(server.db)
    const planned = await planFile(server, project, toCsv(['A customer pays by card', 'A guest pays by invoices']))
    expect(planned.planning?.similar).toEqual({ count: 1, not_compared: 0, is_complete: false })
    const [one, other] = await listImportRecords(server, project, planned.id, '&kind=case')
    expect([one?.similar, other?.similar]).toMatchObject([[{ id: 'WEB-1', same: 'title' }], []])
  })
})
