import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeProject } from '@caseward/test-support/factories'
import { actOnImport, listImportRecords, planFile } from '@caseward/test-support/import-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { cleanUpImportsJob } from './clean-up-imports.ts'

const server = useSharedServer()
type MadeProject = Awaited<ReturnType<typeof makeProject>>

const COUNT = 300
const NUMBERS = Array.from({ length: COUNT }, (_, index) => index + 1)
const toCsv = (title: (number: number) => string) =>
  `ID,Title,Section,Template,Steps\n${NUMBERS.map((number) => `C${number},${title(number)},Shop,Test Case (Text),Open`).join('\n')}\n`

async function send<T>({ id, admin: { token } }: MadeProject, method: string, path: string, body?: object) {
  return await server.request<T>(method, `/v1/projects/${id}${path}`, {
    token,
    ...(body === undefined ? {} : { body }),
  })
}

const getTitle = async (project: MadeProject, id: string) =>
  (await send<{ data: TestCase }>(project, 'GET', `/test-cases/${id}`)).body.data.title

/** A project whose test cases were all changed here and in the source. */
async function makeConflicts() {
  const project = await makeProject(server)
  await actOnImport(
    server,
    project,
    await planFile(
      server,
      project,
      toCsv((number) => `Case ${number}`),
    ),
    'apply',
  )
  await sql`update test_cases set title = title || ' here' where project_id = ${project.id}`.execute(server.db)
  const done = await actOnImport(
    server,
    project,
    await planFile(
      server,
      project,
      toCsv((number) => `Case ${number} there`),
    ),
    'apply',
  )
  return { project, done }
}

const countOf = (planning: { actions: { kind: string; action: string; count: number }[] } | null, action: string) =>
  planning?.actions.find((item) => item.kind === 'case' && item.action === action)?.count ?? 0

describe('POST /v1/projects/:project_id/imports/:import_id/conflicts', () => {
  it('takes what the source says, or keeps what is here, and the next import asks no more', async () => {
    const { project, done } = await makeConflicts()
    expect(countOf(done.planning, 'conflict')).toBe(COUNT)
    const [first, second] = await listImportRecords(server, project, done.id, '&action=conflict')
    expect(first).toMatchObject({
      target: 'WEB-1',
      changed: ['title'],
      before: { title: 'Case 1 here' },
      after: { title: 'Case 1 there' },
    })
    const path = `/imports/${done.id}/conflicts`
    const one = await send<{ data: typeof done }>(project, 'POST', path, { record_ids: [first?.seq], use: 'source' })
    expect(one.body.data.planning?.losses.find(({ code }) => code === 'conflict_kept')?.count).toBe(COUNT - 1)
    expect(await getTitle(project, 'WEB-1')).toBe('Case 1 there')
    await send(project, 'POST', path, { record_ids: [second?.seq], use: 'current' })
    expect(await getTitle(project, 'WEB-2')).toBe('Case 2 here')
    const all = await send<{ data: typeof done }>(project, 'POST', path, { use: 'source' })
    expect(all.status).toBe(200)
    expect(countOf(all.body.data.planning, 'conflict')).toBe(0)
    expect(countOf(all.body.data.planning, 'update')).toBe(COUNT - 1)
    expect(await getTitle(project, `WEB-${COUNT}`)).toBe(`Case ${COUNT} there`)
    // What was decided is what the source has said: the same file changes nothing.
    const again = await planFile(
      server,
      project,
      toCsv((number) => `Case ${number} there`),
    )
    expect(again.planning?.actions).toContainEqual({ kind: 'case', action: 'unchanged', count: COUNT })
    expect(await getTitle(project, 'WEB-2')).toBe('Case 2 here')
    const refused = await send<{ code: string }>(project, 'POST', `/imports/${again.id}/conflicts`, { use: 'source' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'not_applied' } })
  })
})

describe('GET /v1/projects/:project_id/imports/:import_id/report', () => {
  it('has every object of the source, and outlives its records and its file, which are deleted after 30 days', async () => {
    const { project, done } = await makeConflicts()
    const path = `/v1/projects/${project.id}/imports/${done.id}/report`
    const headers = { authorization: `Bearer ${project.admin.token}` }
    const csv = await (await fetch(`${server.url}${path}?format=csv`, { headers })).text()
    expect(csv.trim().split('\r\n')).toHaveLength(COUNT + 2)
    expect(csv).toContain('case,C1,Case 1 there,conflict,WEB-1,title,conflict_kept,')
    const read = async () =>
      (await (await fetch(`${server.url}${path}`, { headers })).json()) as {
        import: typeof done
        records: { target: string }[]
      }
    expect((await read()).records).toHaveLength(COUNT + 1)

    await sql`
      update imports set created_at = created_at - interval '31 days', planned_at = planned_at - interval '31 days',
        applied_at = applied_at - interval '31 days'
      where project_id = ${project.id} and id = ${done.id}`.execute(server.db)
    await cleanUpImportsJob.run(server.db, new AbortController().signal)
    const report = await read()
    expect(report).toMatchObject({
      import: { state: 'done', files: [], planning: { actions: done.planning?.actions } },
      records: [],
    })
    const undone = await send<{ code: string }>(project, 'POST', `/imports/${done.id}/undo`)
    expect(undone).toMatchObject({ status: 409, body: { code: 'nothing_to_undo' } })
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from import_records where project_id = ${project.id}`.execute(server.db)
    expect(rows).toEqual([{ count: COUNT + 1 }])
    expect(await getTitle(project, 'WEB-1')).toBe('Case 1 here')
  })
})
