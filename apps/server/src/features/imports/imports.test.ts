import type { CaseSource } from '@caseward/contract/import-schemas'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeProject } from '@caseward/test-support/factories'
import {
  actOnImport,
  createImport,
  insertImport,
  listImportRecords,
  planFile,
  waitForImport,
} from '@caseward/test-support/import-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { CASES, toXml, type XmlCase } from './testrail-xml.test.helper.ts'

const server = useSharedServer()

type MadeProject = Awaited<ReturnType<typeof makeProject>>

async function listCases(project: MadeProject): Promise<TestCase[]> {
  const { body } = await server.request<{ data: TestCase[] }>(
    'GET',
    `/v1/projects/${project.id}/test-cases?fields=all&per_page=100`,
    { token: project.admin.token },
  )
  return body.data.toSorted((a, b) => a.id.localeCompare(b.id))
}

const edit = (project: MadeProject, id: string, body: object) =>
  server.request('PATCH', `/v1/projects/${project.id}/test-cases/${id}`, { token: project.admin.token, body })

const countActions = (planning: { actions: { kind: string; action: string; count: number }[] } | null, kind: string) =>
  Object.fromEntries(
    (planning?.actions ?? []).filter((item) => item.kind === kind).map(({ action, count }) => [action, count]),
  )

/** What a project contains, as far as an import could change it. */
async function digestProject({ id }: MadeProject): Promise<unknown> {
  const { rows } = await sql`
    select (select json_agg(c order by number) from test_cases c where project_id = ${id}) as cases,
      (select json_agg(f order by id) from folders f where project_id = ${id}) as folders,
      (select json_agg(f order by id) from custom_fields f where project_id = ${id}) as fields,
      (select count(*)::int from links where project_id = ${id}) as links,
      (select count(*)::int from case_versions where project_id = ${id}) as versions`.execute(server.db)
  return rows[0]
}

describe('import of a file of another tool', () => {
  let project: MadeProject
  beforeAll(async () => {
    project = await makeProject(server)
  })

  it('plans without changing the project, and shows what gets lost and what is unknown', async () => {
    const before = await digestProject(project)
    const plan = await planFile(server, project, toXml(CASES))
    expect(await digestProject(project)).toEqual(before)
    expect(plan).toMatchObject({ state: 'planned', system: 'testrail', format: 'testrail-xml', source: 'TestRail' })
    expect(plan.reading?.counts).toContainEqual({ kind: 'case', count: 5 })
    expect(countActions(plan.planning, 'case')).toEqual({ create: 5 })
    expect(countActions(plan.planning, 'folder')).toEqual({ create: 2 })
    expect(plan.planning?.needs_settings).toBe(true)
    expect(plan.planning?.values).toContainEqual({
      field: 'priority',
      from: 'Showstopper',
      to: 'medium',
      count: 1,
      is_known: false,
    })
    expect(plan.planning?.questions.map(({ id }) => id)).toEqual(['priority:Showstopper', 'id_pattern'])
    expect(plan.planning?.losses).toContainEqual(expect.objectContaining({ code: 'value_unknown', count: 1 }))
    const [unknown] = await listImportRecords(server, project, plan.id, '&loss=value_unknown')
    expect(unknown).toMatchObject({ key: 'C12', kind: 'case', action: 'create', after: { priority: 'medium' } })
  })

  it('plans again with the choices of the user, and refuses the earlier plan', async () => {
    const first = await planFile(server, project, toXml(CASES))
    const path = `/v1/projects/${project.id}/imports/${first.id}`
    const { token } = project.admin
    const settings = {
      priorities: [{ from: 'Showstopper', to: 'critical' }],
      id_pattern: 'https://tracker.test/browse/{id}',
    }
    expect((await server.request('POST', `${path}/plan`, { token, body: settings })).status).toBe(202)
    const second = await waitForImport(server, project, first.id)
    await server.expectProblem(409, 'POST', `${path}/apply`, { token, body: { plan: first.plan } })
    const done = await actOnImport(server, project, second, 'apply')
    expect(done).toMatchObject({
      state: 'done',
      proof: {
        is_equal: true,
        cases: { read: 5, stored: 5 },
        folders: { read: 2, stored: 2 },
        steps: { read: 7, stored: 7 },
        differences: [],
      },
    })
    const cases = await listCases(project)
    expect(cases.map(({ title }) => title)).toEqual([...CASES.map(({ title }) => title), 'Refuses a card'])
    expect(cases[0]).toMatchObject({
      priority: 'high',
      precondition: 'Signed in',
      fields: { severity: 'major' },
      version: 1,
      steps: [
        { position: 1, action: 'Open **basket**', expected: 'It is shown' },
        { position: 2, action: 'Pay', expected: '' },
      ],
    })
    expect(cases[1]).toMatchObject({ priority: 'critical', fields: { severity: 'minor' } })
    const links = await server.request<{ data: object[] }>('GET', `/v1/projects/${project.id}/test-cases/WEB-1/links`, {
      token,
    })
    expect(links.body.data).toMatchObject([
      { kind: 'requirement', url: 'https://tracker.test/browse/SHOP-1', label: 'SHOP-1' },
    ])
    const source = await server.request<{ data: CaseSource[] }>(
      'GET',
      `/v1/projects/${project.id}/test-cases/WEB-1/source`,
      { token },
    )
    expect(source.body.data).toMatchObject([{ system: 'testrail', source: 'TestRail', key: 'C11' }])
    await expectCorrectCounters(server, project.id)
  })

  it('refuses to write while another import of the project does', async () => {
    const other = await makeProject(server)
    await insertImport(server, other.id, { state: 'applying' })
    const { id, plan } = await insertImport(server, other.id, { state: 'planned' })
    const path = `/v1/projects/${other.id}/imports/${id}/apply`
    const problem = await server.expectProblem(409, 'POST', path, { token: other.admin.token, body: { plan } })
    expect(problem.code).toBe('import_running')
  })

  it('fails with the code of a file that is none to import, and reads no records', async () => {
    const failed = await planFile(server, project, '<testsuites><testsuite name="a"/></testsuites>', 'junit.xml')
    expect(failed).toMatchObject({ state: 'failed', error: { code: 'is_results_file' }, plan: null })
    expect(await listImportRecords(server, project, failed.id)).toEqual([])
  })

  it('lets a member plan without custom fields, and keeps their values in the details', async () => {
    const other = await makeProject(server)
    const { token } = await makeMember(server, other.id, 'member')
    const { id } = await createImport(server, other, { content: toXml(CASES), name: 'shop.xml', token })
    const plan = await waitForImport(server, other, id)
    expect(plan.planning).toMatchObject({ needs_settings: false })
    expect(plan.planning?.fields.map(({ to }) => to)).toEqual(plan.planning?.fields.map(() => 'details'))
    const [record] = await listImportRecords(server, other, id, '&kind=case&search=voucher')
    expect(record).toMatchObject({
      key: 'C12',
      details: { severity: 'Minor' },
      losses: expect.arrayContaining(['field_in_details']),
    })
    const path = `/v1/projects/${other.id}/imports/${id}/undo`
    await server.expectProblem(403, 'POST', path, { token })
  })
})

describe('import of a file of the same source', () => {
  /** Imports the cases into a new project. */
  async function makeImported(cases = CASES) {
    const project = await makeProject(server)
    const first = await actOnImport(server, project, await planFile(server, project, toXml(cases)), 'apply')
    return { project, first }
  }
  const importAgain = async (project: MadeProject, cases: readonly XmlCase[]) => {
    const plan = await planFile(server, project, toXml(cases))
    return { plan, done: await actOnImport(server, project, plan, 'apply') }
  }
  const change = (id: string, changes: Partial<XmlCase>) =>
    CASES.map((item) => (item.id === id ? { ...item, ...changes } : item))

  const findByAlias = async ({ id, admin }: MadeProject, key: string) => {
    const path = `/v1/projects/${id}/case-aliases?key=${key}`
    const { body } = await server.request<{ data: unknown[] }>('GET', path, { token: admin.token })
    return body.data
  }

  it('changes nothing when the file is the same, and its ids find the test cases', async () => {
    const { project } = await makeImported()
    expect(await findByAlias(project, 'C11')).toEqual([
      { test_case_id: 'WEB-1', system: 'testrail', source: 'TestRail', key: 'C11' },
    ])
    const before = await digestProject(project)
    const { plan, done } = await importAgain(project, CASES)
    expect(countActions(plan.planning, 'case')).toEqual({ unchanged: 5 })
    expect(done).toMatchObject({ state: 'done', proof: { is_equal: true } })
    expect(await listImportRecords(server, project, plan.id)).toContainEqual(
      expect.objectContaining({ key: 'C11', action: 'unchanged', target: 'WEB-1', after: null }),
    )
    expect(await digestProject(project)).toEqual(before)
  })

  it('changes exactly what the source has changed, as a version of an import', async () => {
    const { project } = await makeImported()
    const before = await listCases(project)
    const { plan } = await importAgain(
      project,
      change('C12', {
        steps: [
          ['Open', 'Shown'],
          ['Redeem', 'Paid'],
        ],
      }),
    )
    expect(countActions(plan.planning, 'case')).toEqual({ unchanged: 4, update: 1 })
    const after = await listCases(project)
    expect(after.filter((testCase, index) => testCase.updated_at !== before[index]?.updated_at)).toMatchObject([
      { title: 'Pays by voucher', version: 2, steps: [{}, { action: 'Redeem', expected: 'Paid' }] },
    ])
    const { rows } = await sql`
      select via, changed from case_versions where project_id = ${project.id}`.execute(server.db)
    expect(rows).toEqual([{ via: 'import', changed: ['steps'] }])
  })

  it('keeps what was edited here, also where the source has changed it, and creates nothing again that was deleted here', async () => {
    const { project } = await makeImported()
    await edit(project, 'WEB-1', { title: 'Pays by credit card' })
    await edit(project, 'WEB-2', { title: 'Redeems' })
    await server.request('DELETE', `/v1/projects/${project.id}/test-cases/WEB-4`, { token: project.admin.token })
    const changed = CASES.map((item) => {
      if (item.id === 'C11') return { ...item, priority: 'Critical' }
      return item.id === 'C12' ? { ...item, title: 'Pays by coupon', priority: 'Low' } : item
    })
    const { done } = await importAgain(project, changed)
    expect(countActions(done.planning, 'case')).toEqual({ unchanged: 2, update: 1, conflict: 1, deleted_here: 1 })
    const cases = await listCases(project)
    expect(cases.map(({ id }) => id)).toEqual(['WEB-1', 'WEB-2', 'WEB-3', 'WEB-5'])
    expect(cases[0]).toMatchObject({ title: 'Pays by credit card', priority: 'critical' })
    expect(cases[1]).toMatchObject({ title: 'Redeems', priority: 'low' })
    const [conflict] = await listImportRecords(server, project, done.id, '&action=conflict')
    expect(conflict).toMatchObject({
      key: 'C12',
      losses: expect.arrayContaining(['conflict_kept']),
      before: { title: 'Redeems' },
      after: { title: 'Pays by coupon' },
    })
  })

  it('refuses a plan whose test cases were changed here since, until it is made again', async () => {
    const { project } = await makeImported()
    const plan = await planFile(server, project, toXml(change('C13', { title: 'Pays tomorrow' })))
    await edit(project, 'WEB-1', { title: 'Not in the plan' })
    await edit(project, 'WEB-3', { title: 'Pays at once' })
    const path = `/v1/projects/${project.id}/imports/${plan.id}`
    const { token } = project.admin
    const problem = await server.expectProblem(409, 'POST', `${path}/apply`, { token, body: { plan: plan.plan } })
    expect(problem).toMatchObject({ code: 'plan_changed', detail: expect.stringContaining('Plan again') })
    await server.request('POST', `${path}/plan`, { token, body: {} })
    const again = await waitForImport(server, project, plan.id)
    expect(countActions(again.planning, 'case')).toEqual({ unchanged: 4, conflict: 1 })
    expect(await actOnImport(server, project, again, 'apply')).toMatchObject({ state: 'done' })
  })

  it('takes back what nobody has touched since, and leaves what someone works with', async () => {
    const { project, first } = await makeImported()
    const { done } = await importAgain(project, change('C13', { title: 'Pays tomorrow' }))
    expect((await listCases(project))[2]).toMatchObject({ title: 'Pays tomorrow', version: 2 })
    expect(await actOnImport(server, project, done, 'undo')).toMatchObject({ state: 'undone' })
    expect((await listCases(project))[2]).toMatchObject({ title: 'Pays later', version: 3 })
    await edit(project, 'WEB-2', { title: 'Redeems' })
    expect(await actOnImport(server, project, first, 'undo')).toMatchObject({ state: 'undone' })
    expect((await listCases(project)).map(({ id }) => id)).toEqual(['WEB-2', 'WEB-3'])
    const left = await listImportRecords(server, project, first.id, '&loss=left_by_undo')
    expect(left.map(({ kind, key, title }) => [kind, key ?? title])).toEqual([
      ['folder', 'Basket'],
      ['case', 'C12'],
      ['case', 'C13'],
    ])
    const { rows } = await sql`select name from folders where project_id = ${project.id}`.execute(server.db)
    expect(rows).toEqual([{ name: 'Basket' }])
    await expectCorrectCounters(server, project.id)
  })

  it('imports every test case when ids are missing or repeated', async () => {
    const project = await makeProject(server)
    const csv = `Test ID;Module;Test Case;Test Steps;Expected Result;Priority
T1;Basket;Pays;Open;Shown;High
T1;Basket;Refuses;Pay;Refused;Low
;Basket;Waits;Wait;Done;Low
;Basket;Waits;Wait longer;Done;Low
`
    const done = await actOnImport(server, project, await planFile(server, project, csv, 'cases.csv'), 'apply')
    expect(done).toMatchObject({ state: 'done', system: 'sheet', proof: { cases: { read: 4, stored: 4 } } })
    expect(done.planning?.losses.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['duplicate_key', 'duplicate_title', 'no_key']),
    )
    expect(await findByAlias(project, 'T1')).toEqual([])
    const again = await planFile(server, project, csv, 'cases.csv')
    expect(countActions(again.planning, 'case')).toEqual({ unchanged: 4 })
  })
})
