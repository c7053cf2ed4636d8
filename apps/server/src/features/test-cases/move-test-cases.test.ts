import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeFolder, makeTestCase } from '@caseward/test-support/factories'
import { getErrorPaths } from '@caseward/test-support/send-request'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMoveScenario } from '@caseward/test-support/move-scenario'

const server = useSharedServer()

describe('POST /v1/projects/:project_id/test-cases/move', () => {
  it('puts test cases after another one, in the order of the request', async () => {
    const { move, order } = await makeMoveScenario(server, 6)
    expect(await move(['WEB-6', 'WEB-1'], 'WEB-3')).toMatchObject({ moved: 2 })
    expect(await order()).toEqual(['WEB-2', 'WEB-3', 'WEB-6', 'WEB-1', 'WEB-4', 'WEB-5'])
  })

  it('puts test cases at the start with null, and at the end without `after`', async () => {
    const { move, order } = await makeMoveScenario(server, 4)
    await move(['WEB-3', 'WEB-2'], null)
    await move(['WEB-1'], undefined)
    expect(await order()).toEqual(['WEB-3', 'WEB-2', 'WEB-4', 'WEB-1'])
  })

  it('moves test cases of several folders into one, and the counts with them', async () => {
    const { project, root, token, move } = await makeMoveScenario(server, 2)
    const [a, b] = [await makeFolder(server, project), await makeFolder(server, project)]
    await makeTestCase(server, project, { folder_id: a.id })
    await makeTestCase(server, project, { folder_id: b.id })
    const { test_cases } = await move(['WEB-2', 'WEB-3'], null, b.id)
    expect(test_cases).toMatchObject([
      { id: 'WEB-2', folder_id: b.id, version: 2 },
      { id: 'WEB-3', folder_id: b.id, version: 2 },
    ])
    const { body } = await server.request('GET', `${root}/folders`, { token })
    expect(body['data']).toMatchObject([{ test_case_count: 0 }, { test_case_count: 3 }])
    await expectCorrectCounters(server, project.id)
  })

  it('does not change the version when the test case stays in its folder', async () => {
    const { move } = await makeMoveScenario(server, 3)
    expect((await move(['WEB-3'], 'WEB-1')).test_cases).toMatchObject([{ id: 'WEB-3', version: 1 }])
  })

  it('is undone by a bulk update that restores `before`', async () => {
    const { project, root, token, move, order } = await makeMoveScenario(server, 5)
    const folder = await makeFolder(server, project)
    await move(['WEB-4'], 'WEB-1')
    const orderBefore = await order()
    const { before } = await move(['WEB-5', 'WEB-4', 'WEB-2'], null, folder.id)
    expect(await order()).toEqual(['WEB-5', 'WEB-4', 'WEB-2', 'WEB-1', 'WEB-3'])
    await server.request('POST', `${root}/test-cases/bulk-update`, { token, body: { restore: before } })
    expect(await order()).toEqual(orderBefore)
  })

  it('finds a place even where a restored position is that of another test case', async () => {
    const { root, token, move, order } = await makeMoveScenario(server, 6)
    const { before } = await move(['WEB-3'], undefined)
    const [{ position } = { position: '' }] = before
    const body = { restore: ['WEB-3', 'WEB-5', 'WEB-6'].map((id) => ({ id, position })) }
    expect((await server.request('POST', `${root}/test-cases/bulk-update`, { token, body })).status).toBe(200)
    expect(await order()).toEqual(['WEB-1', 'WEB-2', 'WEB-3', 'WEB-5', 'WEB-6', 'WEB-4'])
    await move(['WEB-1'], 'WEB-3')
    await move(['WEB-4'], 'WEB-5')
    expect(await order()).toEqual(['WEB-2', 'WEB-3', 'WEB-1', 'WEB-5', 'WEB-4', 'WEB-6'])
  })

  it('makes room when so many moves went to the same place that positions would become long', async () => {
    const { project, move, order } = await makeMoveScenario(server, 6)
    // What some five hundred moves leave.
    const own_position = `a1${'0'.repeat(76)}V`
    const second = server.db.updateTable('test_cases').set({ own_position }).where('number', '=', 2)
    await second.where('project_id', '=', project.id).execute()
    let shifted = 0
    for (let turn = 0; turn < 60; turn += 1) {
      const { test_cases } = await move([turn % 2 === 0 ? 'WEB-5' : 'WEB-6'], 'WEB-1')
      expect(Math.max(...test_cases.map(({ position }) => position.length))).toBeLessThanOrEqual(100)
      if (test_cases.length > 1) shifted += 1
    }
    expect(shifted).toBeGreaterThan(0)
    expect(shifted).toBeLessThan(3)
    expect(await order()).toEqual(['WEB-1', 'WEB-6', 'WEB-5', 'WEB-2', 'WEB-3', 'WEB-4'])
  })

  it('returns 400 for an `after` that is unknown, in another folder or itself moved, and moves nothing', async () => {
    const { project, root, token, order } = await makeMoveScenario(server, 3)
    const folder = await makeFolder(server, project)
    await makeTestCase(server, project, { folder_id: folder.id })
    const before = await order()
    for (const after of ['WEB-4', 'WEB-9', 'nonsense', 'WEB-1']) {
      const body = { test_case_ids: ['WEB-1'], folder_id: null, after }
      const problem = await server.expectProblem(400, 'POST', `${root}/test-cases/move`, { token, body })
      expect(getErrorPaths(problem)).toEqual(['/after'])
    }
    expect(await order()).toEqual(before)
  })

  it.each([
    [{ test_case_ids: ['WEB-1', 'WEB-7'], folder_id: null, after: null }, '/test_case_ids/1'],
    [{ test_case_ids: ['WEB-1'], folder_id: 'nonsense' }, '/folder_id'],
    [{ test_case_ids: ['WEB-1'] }, '/folder_id'],
    [{ folder_id: null }, '/test_case_ids'],
  ])('returns 400 with the field for %j', async (body, path) => {
    const { root, token } = await makeMoveScenario(server, 2)
    const problem = await server.expectProblem(400, 'POST', `${root}/test-cases/move`, { token, body })
    expect(getErrorPaths(problem)).toEqual([path])
  })
})
