import type { Run } from '@caseward/contract/run-schemas'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import {
  getRunResults,
  insertTestCases,
  makeField,
  makeFolder,
  makeProject,
  makeRun,
  makeTestCase,
} from '@caseward/test-support/factories'
import { getErrorPaths } from '@caseward/test-support/send-request'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

const TITLE = 'Pays by card'

/** WEB-1 stays, WEB-2 is archived; both have the same fields, and a run from before. */
async function makeArchiveScenario() {
  const project = await makeProject(server)
  const { token } = project.admin
  const root = `/v1/projects/${project.id}`
  interface Answer<T> {
    data: T
    meta: { total: number }
  }
  const send = async <T = object>(method: string, path: string, body?: object): Promise<Answer<T>> => {
    const response = await server.request<Answer<T>>(method, path, {
      token,
      ...(body && { body }),
    })
    expect([method, path, response.status, response.body]).toEqual([
      method,
      path,
      expect.toBeOneOf([200, 201]),
      expect.anything(),
    ])
    return response.body
  }
  const folder = await makeFolder(server, project, { name: 'Checkout' })
  await makeField(server, project, { key: 'risk', type: 'number' })
  const fields = { risk: 3 }
  for (const automation_key of ['pays 1', 'pays 2']) {
    const shared = { folder_id: folder.id, tags: ['payment'], estimate: 60, owner_id: project.admin.id, fields }
    await makeTestCase(server, project, { title: TITLE, automation_key, priority: 'high', type: 'smoke', ...shared })
  }
  const run = await makeRun(server, project)
  const update = (body: object) => send<TestCase>('PATCH', `${root}/test-cases/WEB-2`, body)
  await update({ archived: true })
  return { project, token, root, send, folder, run, update }
}

describe('archived test cases', () => {
  it('are in no list of test cases and no total, whatever the filter, unless it asks for them', async () => {
    const { project, root, send, folder } = await makeArchiveScenario()
    const filters = [
      '',
      'search=card',
      'tag=payment',
      'priority=high',
      'type=smoke',
      `folder_id=${folder.id}`,
      `owner_id=${project.admin.id}`,
      'estimate=any',
      'field.risk=3',
      'field.risk.min=2',
      'changed_since=2020-01-01T00:00:00Z',
    ]
    const list = async (query: string) => {
      const { data, meta } = await send<TestCase[]>('GET', `${root}/test-cases?${query}`)
      return { query, ids: data.map(({ id }) => id), total: meta.total }
    }
    const expected = {
      '': ['WEB-1'],
      'archived=false': ['WEB-1'],
      'archived=true': ['WEB-2'],
      'archived=any': ['WEB-1', 'WEB-2'],
    }
    const forms = ['', 'sort=tree', 'fields=all', 'fields=all&sort=tree', 'fields=row', 'fields=row&columns=risk']
    const compare = async () => {
      for (const filter of filters) {
        for (const form of filter === '' || filter === 'search=card' ? forms : ['', 'fields=row']) {
          for (const [archived, ids] of Object.entries(expected)) {
            const query = [filter, form, archived].filter(Boolean).join('&')
            expect(await list(query)).toEqual({ query, ids, total: ids.length })
          }
        }
      }
    }
    await compare()
    // A page that is full, and one behind the end.
    expect(await list('fields=row&per_page=1&archived=any&after=WEB-1')).toMatchObject({ ids: ['WEB-2'], total: 2 })
    expect(await list('fields=row&per_page=1&after=WEB-1')).toMatchObject({ ids: [], total: 1 })
    // A large project takes other statements.
    await sql`update projects set test_case_count = test_case_count + 1000 where id = ${project.id}`.execute(server.db)
    const large = filters.filter((filter) => filter !== '')
    filters.splice(0, filters.length, ...large)
    await compare()
  })

  it('say since when they are, wherever they are listed or read', async () => {
    const { root, send } = await makeArchiveScenario()
    for (const form of ['', 'fields=all&', 'fields=row&']) {
      const { data } = await send<TestCase[]>('GET', `${root}/test-cases?${form}archived=any`)
      expect(data.map(({ archived_at: at }) => at ?? null)).toEqual([null, expect.stringMatching(/^\d{4}-.*Z$/)])
    }
    const { data } = await send<TestCase>('GET', `${root}/test-cases/WEB-2`)
    expect(data).toMatchObject({ title: TITLE, automation_key: 'pays 2', archived_at: expect.any(String) })
    expect((await send<TestCase>('GET', `${root}/test-cases/WEB-1`)).data.archived_at).toBeNull()
  })

  it('are left out of counts, tags, search and suggestions, and are found by their id', async () => {
    const { project, root, send, folder } = await makeArchiveScenario()
    expect((await send('GET', root)).data).toMatchObject({ test_case_count: 1 })
    expect((await send('GET', '/v1/me/projects')).data).toMatchObject([{ test_case_count: 1 }])
    expect((await send('GET', `${root}/folders`)).data).toMatchObject([{ id: folder.id, test_case_count: 1 }])
    expect((await send('GET', `${root}/tags`)).data).toEqual([{ tag: 'payment', test_case_count: 1 }])
    const find = async (text: string) =>
      (await send<{ id: string }[]>('GET', `/v1/search?q=${encodeURIComponent(text)}`)).data.map(({ id }) => id)
    expect(await find(TITLE)).toEqual(['WEB-1'])
    expect(await find('WEB-2')).toEqual(['WEB-2'])
    await expectCorrectCounters(server, project.id)
  })

  it('are in no new run, and a request that names one says so', async () => {
    const { project, token, root, send, folder, run } = await makeArchiveScenario()
    const idsOf = async ({ id }: Pick<Run, 'id'>) => [...(await getRunResults(server, id, token)).keys()]
    expect(await idsOf(await makeRun(server, project))).toEqual(['WEB-1'])
    const inFolder = await send<Run>('POST', `${root}/runs`, { name: 'Folder', folder_ids: [folder.id] })
    expect(await idsOf(inFolder.data)).toEqual(['WEB-1'])
    const refuse = async (path: string, body: object) => {
      const problem = await server.expectProblem(400, 'POST', path, { token, body })
      expect(problem.errors?.map(({ message }) => message)).toEqual(['is archived: restore it, or leave it out'])
      return getErrorPaths(problem)
    }
    const ids = { test_case_ids: ['WEB-1', 'WEB-2'] }
    expect(await refuse(`${root}/runs`, { name: 'Named', ...ids })).toEqual(['/test_case_ids/1'])
    expect(await refuse(`/v1/runs/${inFolder.data.id}/test-cases`, ids)).toEqual(['/test_case_ids/1'])
    expect(await refuse(`/v1/runs/${run.id}/reruns`, ids)).toEqual(['/test_case_ids/1'])
    const rerun = await send<Run>('POST', `/v1/runs/${run.id}/reruns`, { statuses: ['not_tested'] })
    expect(await idsOf(rerun.data)).toEqual(['WEB-1'])
    // It can still leave a run.
    await send('DELETE', `/v1/runs/${run.id}/test-cases`, { test_case_ids: ['WEB-2'] })
    expect(await idsOf(run)).toEqual(['WEB-1'])
    await expectCorrectCounters(server, project.id)
  })

  it('keep their results, versions, place and runs, can be changed, and come back as they were', async () => {
    const { project, root, token, send, folder, run, update } = await makeArchiveScenario()
    await send('POST', `/v1/runs/${run.id}/results/bulk`, {
      results: [{ test_case_id: 'WEB-2', status: 'failed', note: 'Broken' }],
    })
    expect((await getRunResults(server, run.id, token)).get('WEB-2')).toMatchObject({ status: 'failed' })
    expect((await send('GET', `${root}/test-cases/WEB-2/results`)).data).toMatchObject([{ status: 'failed' }])
    const { data: archived } = await send<TestCase>('GET', `${root}/test-cases/WEB-2`)
    const again = await update({ archived: true, title: 'Pays by voucher' })
    expect(again.data).toMatchObject({ archived_at: archived.archived_at, title: 'Pays by voucher' })
    const restored = await update({ archived: false })
    expect(restored.data).toMatchObject({ archived_at: null })
    const { data } = await send<TestCase>('GET', `${root}/test-cases/WEB-2`)
    const { position, folder_id } = archived
    expect(data).toMatchObject({ title: 'Pays by voucher', position, folder_id, archived_at: null })
    const versions = await send<{ changed: string[] }[]>('GET', `${root}/test-cases/WEB-2/versions`)
    expect(versions.data.map(({ changed }) => changed)).toEqual([['archived'], ['title'], ['archived'], []])
    expect((await send('GET', `${root}/test-cases/WEB-2/versions/1`)).data).toMatchObject({ title: TITLE })
    expect((await send('GET', `${root}/folders`)).data).toMatchObject([{ id: folder.id, test_case_count: 2 }])
    await expectCorrectCounters(server, project.id)
  })

  it('are archived together and with a new folder as one version, and undone', async () => {
    const { project, root, send, update } = await makeArchiveScenario()
    await makeTestCase(server, project)
    const ids = ['WEB-1', 'WEB-2', 'WEB-3']
    const { data } = await send<{ updated: number; before: object[] }>('POST', `${root}/test-cases/bulk-update`, {
      test_case_ids: ids,
      set: { archived: true },
    })
    expect(data).toMatchObject({
      updated: 2,
      before: [
        { id: 'WEB-1', archived: false },
        { id: 'WEB-3', archived: false },
      ],
    })
    const listEntries = async () => {
      const entries = await send<{ action: string; subject: object }[]>('GET', `${root}/audit-log?per_page=3`)
      return entries.data.map(({ action, subject }) => ({ action, subject }))
    }
    const subjects = ['WEB-3', 'WEB-1', 'WEB-2'].map((id) => ({
      kind: 'test_case',
      id,
      name: expect.any(String) as unknown,
    }))
    const archives = subjects.map((subject) => ({ action: 'test_case.archive', subject }))
    expect(await listEntries()).toMatchObject(archives)
    const list = async () => (await send<TestCase[]>('GET', `${root}/test-cases`)).data.map(({ id }) => id)
    expect(await list()).toEqual([])
    await send('POST', `${root}/test-cases/bulk-update`, { restore: data.before })
    expect(await list()).toEqual(['WEB-1', 'WEB-3'])
    expect((await listEntries()).map(({ action }) => action)).toEqual([
      'test_case.restore',
      'test_case.restore',
      'test_case.archive',
    ])
    await update({ archived: false, folder_id: null })
    const { data: versions } = await send<{ changed: string[] }[]>('GET', `${root}/test-cases/WEB-2/versions`)
    expect(versions[0]?.changed.toSorted()).toEqual(['archived', 'folder_id'])
    await expectCorrectCounters(server, project.id)
  })

  it('move to the parent of a deleted folder, also if they are alone in it', async () => {
    const { project, root, send, folder } = await makeArchiveScenario()
    const count = { test_case_ids: ['WEB-1', 'WEB-2', 'WEB-9'], dry_run: true }
    const counted = await send('POST', `${root}/test-cases/bulk-delete`, count)
    expect(counted.data).toEqual({ deleted: 2, result_count: 2 })
    await send('DELETE', `${root}/test-cases/WEB-1`)
    await send('DELETE', `${root}/folders/${folder.id}`)
    expect((await send('GET', `${root}/test-cases/WEB-2`)).data).toMatchObject({ folder_id: null })
    await send('DELETE', `${root}/test-cases/WEB-2`)
    await expectCorrectCounters(server, project.id)
  })

  it('keep their automation keys: results of CI are stored and shown, and no second test case appears', async () => {
    const { project, run, uploadTests, getRun, token } = await makeTestsScenario(server)
    await makeTestCase(server, project, { title: 'Ships', automation_key: 'ships' })
    const root = `/v1/projects/${project.id}/test-cases`
    await server.request('PATCH', `${root}/WEB-1`, { token: project.admin.token, body: { archived: true } })
    const { body } = await uploadTests([makeTest('ships', ['failed'], { suite: '' })], { create_test_cases: true })
    expect(body).toMatchObject({ uploaded_count: 1, tests: { matched: 1, created: 0 } })
    expect(await getRun()).toMatchObject({ result_count: 1, stats: { failed: 1 } })
    expect((await getRunResults(server, run.id, token)).get('WEB-1')).toMatchObject({ status: 'failed' })
    // A run that takes only what it has says what it left out.
    const other = await makeRun(server, project)
    const refused = await uploadTests([makeTest('ships', ['failed'], { suite: '' })], { run_id: other.id })
    expect(refused.body).toMatchObject({ errors: [{ test_case_id: 'WEB-1', code: 'not_in_run' }] })
    const create = { token: project.admin.token, body: { title: 'Again', automation_key: 'ships' } }
    expect(await server.expectProblem(409, 'POST', root, create)).toMatchObject({
      code: 'automation_key_taken',
      detail: expect.stringContaining('archived'),
    })
    await expectCorrectCounters(server, project.id)
  })

  it('are listed by their own index', async () => {
    const project = await makeProject(server)
    await insertTestCases(server, project, 3000)
    await sql`update test_cases set archived_at = now() where project_id = ${project.id} and number % 100 = 0`.execute(
      server.db,
    )
    await sql`analyze test_cases`.execute(server.db)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select number from test_cases c where c.project_id = ${sql.lit(project.id)} and c.archived_at is not null
      order by number limit 20`.execute(server.db)
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('test_cases_archived')
  })
})
