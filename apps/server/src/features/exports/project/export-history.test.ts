import type { ImportedPerson } from '@caseward/contract/imported-people'
import type { Person } from '@caseward/contract/members'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeMilestone, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { actOnImport, countLosses, planFile } from '@caseward/test-support/import-scenario'
import { type ExportedRecord, fetchExport, readBundleRecords, withoutIds } from '@caseward/test-support/project-export'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

import { joinImportedPeopleJob } from '../../imported-people/join-imported-people.ts'
import { packBundle } from './pack-bundle.test.helper.ts'

const server = useTestServer()

type MadeProject = Awaited<ReturnType<typeof makeProject>>

async function call(token: string, method: string, path: string, body: object) {
  const response = await server.request<{ data: { id: string } }>(method, path, { token, body })
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body.data
}

/** Milestones with every value, a completed run with earlier results of two people, and one in progress. */
async function makeHistory(project: MadeProject) {
  const { token } = project.admin
  const ada = await makeMember(server, project.id, 'member')
  const steps = ['Open', 'Pay'].map((action, index) => ({ position: index + 1, action, expected: '' }))
  for (const title of ['Pays by card', 'Pays later', 'Pays never'])
    await makeTestCase(server, project, { title, steps })
  const release = await makeMilestone(server, project, {
    name: 'Release 2',
    description: 'All of it\n',
    start_date: '2026-11-01T08:00:00.123Z',
    due_date: '2026-12-01T00:00:00.000Z',
  })
  const payments = await makeMilestone(server, project, { name: 'Payments', parent_id: release.id })
  const twice = await makeMilestone(server, project, { name: 'Twice', description: 'The first one' })
  await makeMilestone(server, project, { name: 'Twice', description: 'The second one' })
  await call(token, 'PATCH', `/v1/projects/${project.id}/milestones/${twice.id}`, { status: 'archived' })
  const metadata = { branch: 'main', build: '17' }
  const run = await makeRun(server, project, { name: 'Nightly', milestone_id: payments.id, metadata })
  const path = `/v1/runs/${run.id}/results`
  await call(ada.token, 'PUT', `${path}/WEB-1`, { status: 'failed', note: '  was red\n\n- twice\n', elapsed: 12 })
  await call(token, 'PUT', `${path}/WEB-1`, { status: 'blocked', note: 'No server' })
  await call(token, 'PUT', `${path}/WEB-1`, { status: 'passed', note: 'Now it works', elapsed: 90 })
  const failed = [{ position: 2, status: 'failed', actual: 'Error 500' }]
  await call(token, 'PUT', `${path}/WEB-2`, { status: 'blocked', steps: [{ position: 1, status: 'blocked' }] })
  await call(token, 'PUT', `${path}/WEB-2`, { status: 'failed', steps: failed })
  const links = `${path}/WEB-2/links`
  await call(token, 'POST', links, { url: 'https://tracker.example/browse/BUG-7', kind: 'defect', label: 'The bug' })
  await call(token, 'POST', links, { url: 'https://tracker.example/log/1', kind: 'other' })
  await call(token, 'PUT', `${path}/WEB-3`, { status: 'passed' })
  await call(token, 'PUT', `${path}/WEB-3`, { status: 'not_tested', note: 'Set by mistake' })
  await call(token, 'PATCH', `/v1/runs/${run.id}`, { status: 'completed' })
  const rerun = await call(token, 'POST', `/v1/runs/${run.id}/reruns`, { statuses: ['failed'] })
  await call(token, 'PATCH', `/v1/runs/${rerun.id}`, { adds_test_cases: true })
  await call(token, 'POST', `/v1/runs/${rerun.id}/reruns`, { statuses: ['not_tested'] })
  const open = await makeRun(server, project, { name: 'Release', milestone_id: twice.id })
  await call(ada.token, 'PUT', `/v1/runs/${open.id}/results/WEB-2`, { status: 'retest', note: 'Again' })
  return { ada, open }
}

const HISTORY: ReadonlySet<string> = new Set(['milestone', 'run', 'result'])

/** What cannot be equal: keys of earlier values contain ids, the versions of test cases begin anew, and a copy says that it is one. */
function normalize(records: readonly ExportedRecord[], userIds: readonly string[]) {
  return withoutIds(records, new Set(userIds))
    .filter(({ kind }) => HISTORY.has(kind))
    .map(({ key, ...record }) => ({
      ...record,
      case_version: null,
      sources: ((record['sources'] ?? []) as { system: string }[]).filter(({ system }) => system !== 'caseward'),
      key: key.replace(/^[-0-9a-f]{36}/, 'result'),
      ...(record.kind === 'run' ? { metadata: { ...(record['metadata'] as object), 'Imported from': '' } } : {}),
    }))
}

const withoutMoment = (records: readonly ExportedRecord[]) => records.filter(({ kind }) => kind !== 'source')

const summarize = ({ planning }: Awaited<ReturnType<typeof planFile>>) =>
  (planning?.actions ?? [])
    .filter(({ kind }) => HISTORY.has(kind))
    .map(({ kind, action, count }) => `${kind} ${action} ${count}`)

/** A person without an account is named, becomes a member later with all that they did, and is forgotten when an admin asks for it. */
async function expectNamedPeople(copy: MadeProject, ada: Awaited<ReturnType<typeof makeMember>> & { name: string }) {
  const { token } = copy.admin
  const path = `/v1/projects/${copy.id}`
  const list = async (as = token) =>
    (await server.request<{ data: ImportedPerson[] }>('GET', `${path}/imported-people`, { token: as })).body.data
  const [person] = await list()
  if (person === undefined) throw new Error('The imported person is missing')
  expect(person).toMatchObject({ name: ada.name, source: 'Web shop', email: ada.email, user_id: null })
  const shown = await server.request<{ data: Person[] }>('GET', `${path}/people`, { token })
  expect(shown.body.data).toContainEqual(
    expect.objectContaining({ id: person.id, name: `${ada.name} (Web shop)`, is_member: false, role: null }),
  )
  const countOf = async (id: string) =>
    (await readBundleRecords(await fetchExport(server, copy))).filter((record) => record['person'] === id).length
  const count = await countOf(person.id)
  expect(count).toBeGreaterThan(0)
  const change = { token, body: { user_id: ada.id } }
  await server.expectProblem(400, 'PATCH', `${path}/imported-people/${person.id}`, change)
  await joinImportedPeopleJob.run(server.db, AbortSignal.timeout(10_000))
  expect(await countOf(person.id)).toBe(count)

  const forgotten = await server.request('DELETE', `${path}/imported-people/${person.id}`, { token })
  expect(forgotten.status).toBe(204)
  expect(await list()).toMatchObject([{ name: 'Former person', email: null, is_forgotten: true }])
  await server.db.insertInto('memberships').values({ project_id: copy.id, user_id: ada.id, role: 'member' }).execute()
  expect(await list(ada.token)).toMatchObject([{ email: null }])
  // The address of a forgotten person is gone: an admin says who it is.
  await joinImportedPeopleJob.run(server.db, AbortSignal.timeout(10_000))
  expect(await countOf(person.id)).toBe(count)
  expect((await server.request('PATCH', `${path}/imported-people/${person.id}`, change)).status).toBe(200)
  await joinImportedPeopleJob.run(server.db, AbortSignal.timeout(10_000))
  expect([await countOf(person.id), await countOf(ada.id)]).toEqual([0, count])
  expect(await list()).toEqual([])
}

describe('GET /v1/projects/:project_id/export, with history', () => {
  it('keeps where milestones and runs come from, so that the file of the earlier tool changes nothing in a copy', async () => {
    const file = JSON.stringify({
      datasets: Object.entries({
        repository_cases: [{ id: 1, title: 'Pays' }],
        statuses: [{ id: 1, name: 'Passed' }],
        milestones: [{ id: 8, name: 'Release 2', due_at: '2024-05-01T00:00:00Z' }],
        runs: [{ id: 60, name: 'First', milestone_id: 8, created_at: '2024-03-01T08:00:00Z' }],
        run_tests: [{ id: 504, run_id: 60, case_id: 1 }],
        run_results: [{ id: 5, test_id: 504, status_id: 1, created_at: '2024-03-01T09:00:00Z' }],
      }).map(([name, rows]) => ({ name, rows })),
    })
    const project = await makeProject(server)
    await actOnImport(server, project, await planFile(server, project, file, 'testmo.json'), 'apply')
    const copy = await makeProject(server)
    const bundle = await fetchExport(server, project)
    await actOnImport(server, copy, await planFile(server, copy, bundle, 'shop.caseward.zip'), 'apply')
    const again = await planFile(server, copy, file, 'testmo.json')
    expect(summarize(again)).toEqual(['milestone unchanged 1', 'result unchanged 1', 'run unchanged 1'])
  })

  it('returns a bundle whose import gives equal milestones, runs, results and earlier values', async () => {
    const project = await makeProject(server)
    const { ada, open } = await makeHistory(project)
    const userIds = [project.admin.id, ada.id]
    const bundle = await fetchExport(server, project)
    const before = await readBundleRecords(bundle)
    const copy = { ...(await makeProject(server, { token: project.admin.token })), admin: project.admin }
    const plan = await planFile(server, copy, bundle, 'shop.caseward.zip')
    expect(summarize(plan)).toEqual(['milestone create 4', 'result create 12', 'run create 4'])
    expect(plan.planning?.questions).toEqual([])
    // Ada is no member of the copy.
    expect(countLosses(plan)).toMatchObject({ tester_unknown: 2 })
    const done = await actOnImport(server, copy, plan, 'apply')
    expect(done).toMatchObject({
      state: 'done',
      proof: { is_equal: true, milestones: { stored: 4 }, runs: { stored: 4 }, results: { stored: 12 } },
    })
    await expectCorrectCounters(server, copy.id)

    const after = await readBundleRecords(await fetchExport(server, copy))
    const name = String(before.find(({ key }) => key === ada.id)?.['name'])
    const imported = after.find((record) => record['imported_from'] === 'Web shop')
    expect(imported).toMatchObject({ kind: 'person', name, email: ada.email })
    const expected = normalize(before, userIds).map((record) => ({
      ...record,
      ...('person' in record && record['person'] === ada.id ? { person: `person //${name}` } : {}),
    }))
    expect(normalize(after, userIds)).toEqual(expected)
    expect(expected.filter(({ kind }) => kind === 'result')).toHaveLength(12)
    expect(before.filter(({ rerun_number: number }) => typeof number === 'number')).toMatchObject([
      { rerun_number: 1, adds_test_cases: true },
      { rerun_number: 2, adds_test_cases: false },
    ])

    const again = await actOnImport(server, copy, await planFile(server, copy, bundle, 'shop.caseward.zip'), 'apply')
    expect(summarize(again)).toEqual(['milestone unchanged 4', 'result unchanged 12', 'run unchanged 4'])
    expect(again.proof).toMatchObject({ is_equal: true })
    expect(withoutMoment(await readBundleRecords(await fetchExport(server, copy)))).toEqual(withoutMoment(after))

    await expectNamedPeople(copy, { ...ada, name })
    await actOnImport(server, copy, done, 'undo')
    const undone = await readBundleRecords(await fetchExport(server, copy))
    expect(undone.filter((record) => record['imported_from'] !== undefined)).toEqual([])
    expect(undone.filter(({ kind }) => HISTORY.has(kind) || kind === 'case')).toEqual([])

    // Where it came from, everything is there, and what was deleted stays deleted.
    const own = await planFile(server, project, bundle, 'shop.caseward.zip')
    expect(summarize(own)).toEqual(['milestone unchanged 4', 'result unchanged 12', 'run unchanged 4'])
    await server.request('DELETE', `/v1/runs/${open.id}`, { token: project.admin.token })
    const changed = await readBundleRecords(await fetchExport(server, project))
    const later = await actOnImport(server, project, await planFile(server, project, bundle, 'b.zip'), 'apply')
    expect(later).toMatchObject({ state: 'done', proof: { is_equal: true } })
    expect(summarize(later)).toEqual([
      'milestone unchanged 4',
      'result deleted_here 3',
      'result unchanged 9',
      'run deleted_here 1',
      'run unchanged 3',
    ])
    const history = (records: readonly ExportedRecord[]) => records.filter(({ kind }) => HISTORY.has(kind))
    expect(history(await readBundleRecords(await fetchExport(server, project)))).toEqual(history(changed))

    // With the account of Ada among the members, and without email addresses, people are found by their ids.
    const second = await makeProject(server)
    for (const id of userIds) {
      await server.db.insertInto('memberships').values({ project_id: second.id, user_id: id, role: 'member' }).execute()
    }
    const viewer = await makeMember(server, project.id, 'viewer')
    const seen = await fetchExport(server, project, '', viewer.token)
    const moved = await actOnImport(server, second, await planFile(server, second, seen, 'c.zip'), 'apply')
    expect(moved.planning?.losses.map(({ code }) => code)).not.toContain('tester_unknown')
    const brought = await readBundleRecords(await fetchExport(server, second))
    const first = brought.find(({ kind }) => kind === 'result')
    expect(first).toMatchObject({ case: 'WEB-1', status: 'failed', person: ada.id })
  })

  it('is imported with values that none has, and counts what cannot be stored', async () => {
    const project = await makeProject(server)
    await makeTestCase(server, project, { title: 'Pays by card' })
    const run = await makeRun(server, project)
    const base = { kind: 'run', name: 5, created_at: 'yesterday', created_by: { id: 1 } }
    const records = [
      // As if it were an export of this project.
      { kind: 'source', key: project.id, source: 'Shop', prefix: 'WEB' },
      { kind: 'person', key: 'p', name: 'Nobody', email: 'nobody@elsewhere.example' },
      { kind: 'milestone', key: 'm', parent: 'm', name: '', status: 'lost', due: '9999-99-99' },
      { ...base, key: "'; drop table runs; --", rerun_of: 'x', root_run: { a: 1 }, rerun_number: 1e99 },
      { ...base, key: run.id.toUpperCase(), metadata: { 'a\u0000\ud800': 'b\u0000', c: 5 }, status: [] },
      { ...base, key: 'a', rerun_of: 'b', root_run: 'b', rerun_number: 1 },
      { ...base, key: 'b', rerun_of: 'a', root_run: 'a', rerun_number: 1, created_at: '2098-01-01' },
      { kind: 'case', key: 'A-1', title: 'Twin', merged_into: 'A-2', archived_at: '2026-01-01' },
      { kind: 'case', key: 'A-2', title: 'Twin', merged_into: 'A-1', archived_at: 'yes', estimate: -1e300 },
      { kind: 'case', key: 'A-3', title: 'Twin', merged_into: 'A-1' },
      { kind: 'result', run: 'a', case: 'A-1', status: 'passed', elapsed_seconds: -5, at: '2099-01-01T00:00:00Z' },
      { kind: 'field', key: 'x', subject: 'case', field_key: 'org_none', name: 'x', type: 'text', scope: 'instance' },
      { kind: 'result', run: run.id, case: null, status: 'x'.repeat(1000), elapsed_seconds: 1e99, at: 'never' },
      { kind: 'result', run: 7, case: 'WEB-1', links: [{ kind: 'defect', url: 5 }, null], person: 'p' },
    ]
    const importAs = async (made: MadeProject) => {
      const bundle = await packBundle(records)
      return await actOnImport(server, made, await planFile(server, made, bundle, 'shop.caseward.zip'), 'apply')
    }
    const own = await importAs(project)
    expect(own).toMatchObject({ state: 'done', proof: { is_equal: true } })
    expect(summarize(own)).toEqual([
      'milestone deleted_here 1',
      'result deleted_here 1',
      'result not_imported 2',
      'run deleted_here 4',
    ])
    const other = await makeProject(server)
    const done = await importAs(other)
    expect(done).toMatchObject({ state: 'done', proof: { is_equal: true } })
    expect(summarize(done)).toEqual(['milestone create 1', 'result create 1', 'result not_imported 2', 'run create 4'])
    expect(countLosses(done)).toMatchObject({
      'not_imported:chains_of_reruns': 1,
      merge_target_missing: 3,
      duration_out_of_range: 2,
      time_in_future: 3,
      date_unreadable: 1,
      instance_field_missing: 1,
    })
    const { body } = await server.request('GET', `/v1/projects/${other.id}/runs`, { token: other.admin.token })
    expect(body).toMatchObject({
      data: expect.arrayContaining(
        [
          { name: 'Untitled', metadata: { 'a\uFFFD': 'b', 'Imported from': 'Shop' } },
          { name: 'Untitled', metadata: { 'Imported from': 'Shop' } },
        ].map((wanted) => expect.objectContaining(wanted) as unknown),
      ),
    })
  })
})
