import type { TestCase, UpdateTestCaseBody } from '@caseward/contract/test-case-schemas'
import { makeField, makeFolder, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeVersionScenario } from '@caseward/test-support/version-scenario'

const server = useSharedServer()

const options = ['low', 'high'].map((key) => ({ key, label: key }))
const texts = fc.constantFrom('', 'A', 'B "quoted" \\ ☃', 'long '.repeat(50))
const change = (folders: readonly (string | null)[]): fc.Arbitrary<UpdateTestCaseBody> =>
  fc.record(
    {
      title: fc.constantFrom('One', 'Two', 'Three'),
      precondition: texts,
      expected_result: texts,
      priority: fc.constantFrom('low', 'high'),
      tags: fc.subarray(['a', 'b', 'c']),
      estimate: fc.constantFrom(null, 60, 120),
      folder_id: fc.constantFrom(...folders),
      automation_keys: fc.subarray(['key one', 'key two']),
      steps: fc.array(fc.record({ action: texts, expected: texts }), { maxLength: 3 }),
      fields: fc.record(
        { severity: fc.constantFrom(null, 'low', 'high'), risk: fc.constantFrom(null, 1, 2.5) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  )
const ways = fc.constantFrom('patch', 'save', 'bulk', 'import', 'move', 'restore')

const omit = (value: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

/** What versions keep of a test case. */
const toContent = (testCase: TestCase) =>
  omit(testCase, ['position', 'updated_at', 'archived_at']) as Omit<TestCase, 'position'>
const ENTRY_NAMES = ['changed_at', 'changed_by', 'via', 'changed', 'summary']

describe('GET of versions of a test case', () => {
  it('returns every version as the test case was, after any sequence of changes', async () => {
    const scenario = await makeVersionScenario(server)
    const { project, id, root, send, read, save, patch, get, list, restore } = scenario
    await makeField(server, project, { key: 'severity', type: 'select', options })
    await makeField(server, project, { key: 'risk', type: 'number' })
    const folders = [null, (await makeFolder(server, project)).id, (await makeFolder(server, project)).id]
    const apply = async (way: string, body: UpdateTestCaseBody) => {
      const { title, priority, folder_id: folderId, fields, estimate, precondition, steps } = body
      if (way === 'patch') return await patch(body)
      if (way === 'save') return await save(body)
      if (way === 'restore') return await restore(1)
      if (way === 'move') {
        const moved = { test_case_ids: [id], folder_id: folderId ?? null }
        return await send('POST', `${root}/test-cases/move`, moved)
      }
      if (way === 'bulk') {
        const set = { priority, folder_id: folderId, fields, estimate }
        return await send('POST', `${root}/test-cases/bulk-update`, { test_case_ids: [id], set, add_tags: body.tags })
      }
      const rows = [
        { id, title, precondition, steps, estimate, fields, folder_path: folderId === null ? [] : undefined },
      ]
      return await send('POST', `${root}/test-cases/import`, { rows })
    }
    const copies = new Map([[1, toContent(await read())]])
    const steps = fc.sample(fc.tuple(ways, change(folders)), {
      numRuns: 25,
      seed: Number(process.env['FUZZ_SEED'] ?? 7),
    })
    for (const [way, body] of steps) {
      const { status } = await apply(way, body)
      // A restore of the current version is refused.
      expect([200, 422]).toContain(status)
      const now = toContent(await read())
      // A result in between keeps what the browser has saved.
      if (body.estimate === 60) {
        await sql`update test_cases set last_pinned_version = version where number = ${scenario.number}`.execute(
          server.db,
        )
      }
      copies.set(now.version, now)
    }
    const { data, meta } = await list()
    const all = [...data, ...(meta.next_after === null ? [] : (await list(meta.next_after)).data)]
    expect(all.at(-1)).toMatchObject({ version: 1, changed: [], via: null, changed_by: project.admin.id })
    expect(all[0]?.version).toBe((await read()).version)
    const listed = new Set(all.map(({ version }) => version))
    expect(listed.size).toBeGreaterThan(20)
    const actual: object[] = []
    const expected: object[] = []
    for (const [version, copy] of copies) {
      const { status, body } = await get(version)
      const isListed = listed.has(version)
      actual.push({ version, status, content: isListed ? omit(body.data, ENTRY_NAMES) : body.detail })
      const next = Math.min(...[...listed].filter((other) => other > version))
      const detail = `Later saves have become part of version ${version}: read version ${next}.`
      expected.push({ version, status: isListed ? 200 : 404, content: isListed ? copy : detail })
    }
    expect(actual).toEqual(expected)
  })

  it('lists who changed what, and how', async () => {
    const { project, id, root, path, send, patch, list } = await makeVersionScenario(server)
    const ada = await makeMember(server, project.id, 'member')
    await server.request('PATCH', path, { token: ada.token, body: { title: 'By Ada', summary: '  Clearer ' } })
    await patch({ title: 'By the admin', tags: ['a'] })
    await send('POST', `${root}/test-cases/bulk-update`, { test_case_ids: [id], set: { priority: 'low' } })
    await send('POST', `${root}/test-cases/import`, { rows: [{ id, precondition: 'None' }] })
    const { data } = await list()
    const admin = project.admin.id
    expect(data).toEqual([
      {
        version: 5,
        changed_at: expect.any(String),
        changed_by: admin,
        via: 'import',
        changed: ['precondition'],
        summary: null,
      },
      {
        version: 4,
        changed_at: expect.any(String),
        changed_by: admin,
        via: 'bulk',
        changed: ['priority'],
        summary: null,
      },
      {
        version: 3,
        changed_at: expect.any(String),
        changed_by: admin,
        via: 'api',
        changed: ['title', 'tags'],
        summary: null,
      },
      {
        version: 2,
        changed_at: expect.any(String),
        changed_by: ada.id,
        via: 'api',
        changed: ['title'],
        summary: 'Clearer',
      },
      { version: 1, changed_at: expect.any(String), changed_by: admin, via: null, changed: [], summary: null },
    ])
  })

  it('keeps what a folder was that is deleted', async () => {
    const { project, root, send, patch, list, get } = await makeVersionScenario(server)
    const folder = await makeFolder(server, project)
    await patch({ folder_id: folder.id })
    await send('DELETE', `${root}/folders/${folder.id}`)
    expect((await list()).data[0]).toMatchObject({ version: 3, via: 'bulk', changed: ['folder_id'] })
    expect((await get(2)).body.data.folder_id).toBe(folder.id)
  })

  it('returns 404 for what is before a change that a server of an earlier version made', async () => {
    const { number, patch, list, get } = await makeVersionScenario(server)
    await patch({ title: 'Two' })
    await sql`update test_cases set title = 'Three', version = version + 1 where number = ${number}`.execute(server.db)
    await patch({ title: 'Four' })
    expect((await list()).data).toMatchObject([
      { version: 4, changed: ['title'] },
      { version: 3, changed_at: null },
    ])
    expect((await get(3)).body.data.title).toBe('Three')
    for (const version of [1, 2, 5]) expect((await get(version)).status).toBe(404)
  })

  it('keeps 1,000 earlier versions', async () => {
    const { number, project, patch, get, list } = await makeVersionScenario(server, { title: 'Version 1' })
    await sql`
      insert into case_versions (project_id, case_number, version, next_version, before, changed, via, changed_at)
      select ${project.id}, ${number}, v, v + 1, json_build_object('title', 'Version ' || v), '{title}', 'api', now()
      from generate_series(1, 1000) v`.execute(server.db)
    await sql`update test_cases set version = 1001, title = 'Version 1001' where number = ${number}`.execute(server.db)
    expect((await get(1)).body.data.title).toBe('Version 1')
    await patch({ title: 'Version 1002' })
    expect((await get(1)).status).toBe(404)
    expect((await get(2)).body.data.title).toBe('Version 2')
    const { data, meta } = await list()
    expect(data).toHaveLength(50)
    const second = await list(meta.next_after ?? 0)
    expect(second.data[0]?.version).toBe((data.at(-1)?.version ?? 0) - 1)
    expect((await list(52)).data.at(-1)).toMatchObject({ version: 2, changed_at: null })
  })
})

describe('saves of a test case in the browser', () => {
  it('are one version within ten minutes, and two with a result in between', async () => {
    const { project, id, send, save, list, get } = await makeVersionScenario(server, { title: 'First' })
    const run = await makeRun(server, project)
    for (let count = 1; count <= 40; count += 1)
      await save({ title: `Title ${count}`, precondition: 'x'.repeat(count) })
    expect((await list()).data).toMatchObject([
      { version: 41, via: 'web', changed: ['title', 'precondition'] },
      { version: 1 },
    ])
    expect((await get(1)).body.data).toMatchObject({ title: 'First', precondition: '' })
    expect((await send('PUT', `/v1/runs/${run.id}/results/${id}`, { status: 'passed' })).status).toBe(200)
    for (let count = 41; count <= 45; count += 1) await save({ title: `Title ${count}` })
    expect((await list()).data.map(({ version }) => version)).toEqual([46, 41, 1])
    expect((await get(41)).body.data).toMatchObject({ title: 'Title 40', precondition: 'x'.repeat(40) })
  })

  it.each([
    ['ten minutes later', sql`changed_at = statement_timestamp() - interval '10 minutes'`],
    ['thirty minutes after the first', sql`started_at = statement_timestamp() - interval '30 minutes'`],
    ['after one of someone else', sql`changed_by = uuid_in(md5('else')::cstring)`],
    ['after one with a summary', sql`summary = 'Done'`],
  ])('begin a version %s', async (_, set) => {
    const { number, save, list } = await makeVersionScenario(server)
    await save({ title: 'Two' })
    await sql`update case_versions set ${set} where case_number = ${number}`.execute(server.db)
    await save({ title: 'Three' })
    expect((await list()).data.map(({ version }) => version)).toEqual([3, 2, 1])
  })
})

describe('a bulk update of 10,000 test cases', () => {
  it('keeps a version of each that changes, and none of the others', async () => {
    const { project, root, send } = await makeVersionScenario(server)
    await sql`
      insert into test_cases (project_id, number, title, priority)
      select ${project.id}, n, 'Case ' || n, case when n % 2 = 0 then 'high' else 'low' end::test_case_priority
      from generate_series(2, 10000) n`.execute(server.db)
    await sql`
      update projects set test_case_count = 10000, last_test_case_number = 10000 where id = ${project.id}`.execute(
      server.db,
    )
    const ids = Array.from({ length: 10_000 }, (_, index) => `${project.prefix}-${index + 1}`)
    const { body } = await send<{ updated: number; before: object[] }>('POST', `${root}/test-cases/bulk-update`, {
      test_case_ids: ids,
      set: { priority: 'high' },
    })
    expect(body.data.updated).toBe(5000)
    const count = async () =>
      (
        await sql<{
          count: number
        }>`select count(*)::int as count from case_versions where project_id = ${project.id}`.execute(server.db)
      ).rows[0]?.count
    expect(await count()).toBe(5000)
    await send('POST', `${root}/test-cases/bulk-update`, { restore: body.data.before })
    expect(await count()).toBe(10_000)
    expect((await send('POST', `${root}/test-cases/bulk-delete`, { test_case_ids: ids })).status).toBe(200)
    expect(await count()).toBe(0)
  })
})

describe('a test case that is never changed', () => {
  it('has no rows of versions', async () => {
    const { project, root, send } = await makeVersionScenario(server)
    await makeTestCase(server, project)
    const rows = [{ title: 'Imported', folder_path: ['A'] }]
    await send('POST', `${root}/test-cases/import`, { rows })
    const { rows: stored } = await sql`select from case_versions where project_id = ${project.id}`.execute(server.db)
    expect(stored).toHaveLength(0)
  })
})
