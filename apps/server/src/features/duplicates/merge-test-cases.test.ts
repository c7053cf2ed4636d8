import type { HistoryItem } from '@caseward/contract/test-case-history'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeRun } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest } from '@caseward/test-support/tests-scenario'
import { describe, expect, it } from 'vitest'

import { makeMergeScenario } from '@caseward/test-support/merge-scenario'

const server = useSharedServer()

describe('a merge', () => {
  it('moves what belongs to the test cases, writes versions and the audit log, and leads later results to the target', async () => {
    const scenario = await makeMergeScenario(server, 3)
    const { project, send, request, update, attach, merge, getCase, uploadTests, upload, makeRunByKey } = scenario
    await update('WEB-1', { automation_keys: ['cart > first'] })
    await update('WEB-2', {
      automation_keys: ['src/cart.test.ts > by key'],
      title: 'Pays by card',
      steps: [{ action: 'Pay' }],
    })
    for (const id of ['WEB-1', 'WEB-2']) await send('POST', `/test-cases/${id}/links`, { url: 'https://acme.test/1' })
    await send('POST', '/test-cases/WEB-2/links', { url: 'https://acme.test/2' })
    const file = await attach('WEB-2', 'name=step.txt&step=1')
    await send('POST', '/test-cases/WEB-3/comments', { body: 'Twice' })
    const named = makeTest('[WEB-2] by id')
    const keyed = makeTest('by key')
    await uploadTests([named, keyed])

    const merged = await merge('WEB-1', ['WEB-2', 'WEB-3', 'WEB-2'])
    expect(merged).toEqual({
      id: expect.any(String),
      test_case_id: 'WEB-1',
      merged_ids: ['WEB-2', 'WEB-3'],
      moved: { automation_keys: 1, tests: 2, links: 1, attachments: 1, comments: 1 },
    })
    expect(await getCase('WEB-1')).toMatchObject({ automation_keys: ['cart > first', 'src/cart.test.ts > by key'] })
    expect(await send('GET', '/test-cases/WEB-1/attachments')).toMatchObject([{ id: file, step: null }])
    expect(await send('GET', '/test-cases/WEB-1/links')).toHaveLength(2)
    expect(await send('GET', '/test-cases/WEB-2/links')).toHaveLength(1)
    const versions = async (id: string) =>
      (await send<{ via: string; summary: string; changed: string[] }[]>('GET', `/test-cases/${id}/versions`))[0]
    expect(await versions('WEB-1')).toMatchObject({
      via: 'merge',
      summary: 'Merged WEB-2, WEB-3',
      changed: ['automation_keys'],
    })
    const source = await versions('WEB-2')
    expect(source).toMatchObject({ via: 'merge', summary: 'Merged into WEB-1' })
    expect(source?.changed.toSorted()).toEqual(['archived', 'automation_keys'])
    const audit = await request<{ data: { action: string; subject: { id: string }; detail: object }[] }>(
      'GET',
      '/audit-log',
    )
    expect(audit.body.data.slice(0, 2).map(({ action, subject: { id }, detail }) => [action, id, detail])).toEqual(
      expect.arrayContaining(['WEB-2', 'WEB-3'].map((id) => ['test_case.merge', id, { into: 'WEB-1' }])),
    )

    // Known tests, new tests that name a merged id, keys, and items with the id.
    const run = await makeRunByKey('build 2')
    const { body } = await uploadTests([named, keyed, makeTest('[WEB-3] is new', ['failed'])], { run_id: run.id })
    expect(body.tests).toMatchObject({ matched: 3, unmatched: 0 })
    const history = async (query = '') =>
      (await request<{ data: HistoryItem[] }>('GET', `/test-cases/WEB-1/results?${query}`)).body.data
    const shown = (items: readonly HistoryItem[]) =>
      items.map((item) => `${item.run_name} ${item.test_case_id} ${item.status}`)
    expect(shown(await history())).toEqual([
      'build 2 WEB-1 failed',
      'build 1 WEB-2 passed',
      ...['WEB-1', 'WEB-2', 'WEB-3'].map((id) => `Nightly ${id} not_tested`),
    ])
    await expectCorrectCounters(server, project.id)
    const items = { run_id: run.id, format: 'json', results: [{ test_case_id: 'WEB-2', status: 'passed' }] }
    expect((await upload(items)).body).toMatchObject({ uploaded_count: 1, failed_count: 0 })
    expect(shown(await history()).at(0)).toBe('build 2 WEB-1 passed')
    // A page of the search has all results of its last run.
    expect(shown(await history('status=passed&per_page=1'))).toEqual(['build 2 WEB-1 passed'])
    const paged = await request<{ data: HistoryItem[]; meta: object }>(
      'GET',
      '/test-cases/WEB-1/results?status=not_tested&per_page=1',
    )
    expect([shown(paged.body.data), paged.body.meta]).toEqual([
      ['WEB-1', 'WEB-2', 'WEB-3'].map((id) => `Nightly ${id} not_tested`),
      { next_after: paged.body.data[0]?.run_id, searched_runs: 3 },
    ])
    expect(shown(await history(`per_page=5&after=${run.id}`))).toHaveLength(4)

    // By hand, the id leads to the target, too; a restored test case is of its own.
    const { data: tests } = await scenario.listTests()
    const linked = await scenario.link(tests[0]?.id ?? '', 'WEB-3')
    expect(linked.body.data.test_case_ids).toEqual(['WEB-1'])
    await update('WEB-3', { archived: false })
    expect(await getCase('WEB-3')).not.toHaveProperty('merged_into')
    expect((await request('DELETE', '/test-cases/WEB-1')).status).toBe(200)
    expect(await getCase('WEB-2')).not.toHaveProperty('merged_into')
    await expectCorrectCounters(server, project.id)
  })

  it('of what was merged into leads on to the last target, and its undo is refused once that is no longer so', async () => {
    const { project, send, merge, undo, getCase, update, request, upload } = await makeMergeScenario(server, 3)
    await update('WEB-1', { automation_keys: ['one'] })
    const { id: run_id } = await makeRun(server, project, { test_case_ids: ['WEB-1'] })
    const first = await merge('WEB-2', ['WEB-1'])
    // The run has only what was merged.
    const results = [{ test_case_id: 'WEB-1', status: 'passed' }]
    const { body: receipt } = await upload({ run_id, format: 'json', results })
    expect(receipt.errors).toMatchObject([{ test_case_id: 'WEB-1', code: 'not_in_run' }])
    const second = await merge('WEB-3', ['WEB-2'])
    expect(await getCase('WEB-1')).toMatchObject({ merged_into: 'WEB-3' })
    expect(await undo('WEB-2', first.id)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
    expect((await undo('WEB-1', second.id)).status).toBe(404)
    expect((await undo('WEB-3', second.id)).body.data.restored_ids).toEqual(['WEB-2'])
    expect(await getCase('WEB-1')).toMatchObject({ merged_into: 'WEB-2', archived_at: expect.any(String) })
    // What is deleted or added meanwhile stays so.
    const link = await send<{ id: string }>('POST', '/test-cases/WEB-2/links', { url: 'https://acme.test/new' })
    await update('WEB-2', { automation_keys: ['other'] })
    expect((await undo('WEB-2', first.id)).status).toBe(200)
    expect(await getCase('WEB-1')).toMatchObject({ automation_keys: [], archived_at: null })
    expect(await getCase('WEB-2')).toMatchObject({ automation_keys: ['other'] })
    expect(await send('GET', '/test-cases/WEB-2/links')).toMatchObject([{ id: link.id }])

    const refused = async (target: string, ids: string[]) => {
      const { status, body } = await request<{ code: string; reason?: string }>('POST', `/test-cases/${target}/merge`, {
        from_ids: ids,
      })
      return [status, body.code, body.reason]
    }
    expect(await refused('WEB-1', ['WEB-2', 'WEB-1'])).toEqual([422, 'cannot_merge', 'same_test_case'])
    for (const [target, from] of [
      ['WEB-1', 'WEB-99'],
      ['WEB-99', 'WEB-1'],
      ['WEB-1', 'x'],
    ] as const) {
      expect(await refused(target, [from])).toEqual([404, 'not_found', undefined])
    }
    await merge('WEB-1', ['WEB-2'])
    expect(await refused('WEB-3', ['WEB-2'])).toEqual([422, 'cannot_merge', 'already_merged'])
    expect(await refused('WEB-2', ['WEB-3'])).toEqual([422, 'cannot_merge', 'target_archived'])
    const keys = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix} ${index}`)
    await update('WEB-1', { automation_keys: keys('a', 11) })
    await update('WEB-3', { automation_keys: keys('b', 10) })
    expect(await refused('WEB-1', ['WEB-3'])).toEqual([422, 'cannot_merge', 'too_many_automation_keys'])
    expect(await getCase('WEB-3')).toMatchObject({ archived_at: null, automation_keys: keys('b', 10) })
  })

  it('at the same time as others, and as comments and files that are deleted, keeps counters right', async () => {
    const { project, send, request, attach } = await makeMergeScenario(server, 4)
    const comments: string[] = []
    const files: string[] = []
    for (const id of ['WEB-1', 'WEB-2', 'WEB-3']) {
      comments.push((await send<{ id: string }>('POST', `/test-cases/${id}/comments`, { body: 'x' })).id)
      files.push(await attach(id, 'name=a.txt'))
    }
    const merge = (target: number, from: number) =>
      request('POST', `/test-cases/WEB-${target}/merge`, { from_ids: [`WEB-${from}`] })
    const answers = await Promise.all([
      merge(1, 2),
      merge(2, 1),
      merge(4, 3),
      ...comments.map((id) => request('DELETE', `/comments/${id}`)),
      ...files.map((id) => request('DELETE', `/attachments/${id}`)),
      request('PATCH', '/test-cases/WEB-1', { automation_keys: ['k'] }),
      request('POST', '/test-cases/WEB-2/comments', { body: 'late' }),
    ])
    for (const { status } of answers) expect(status).toBeOneOf([200, 201, 204, 404, 422])
    const [one, other, third] = answers.map(({ status }) => status)
    expect([[one, other].toSorted((a = 0, b = 0) => a - b), third]).toEqual([[200, 422], 200])
    await expectCorrectCounters(server, project.id)
  })
})
