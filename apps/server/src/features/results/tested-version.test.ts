import type { ResultDetail } from '@caseward/contract/result-rows'
import { makeCiToken, makeConfigurations, makeRun } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeVersionScenario } from '@caseward/test-support/version-scenario'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

const steps = ['Open the shop', 'Pay', 'Log out'].map((action) => ({ action, expected: '' }))

async function makeTestedScenario() {
  const scenario = await makeVersionScenario(server, { title: 'First', steps })
  const { project, id, send, number } = scenario
  const run = await makeRun(server, project)
  const path = `/v1/runs/${run.id}/results/${id}`
  return {
    ...scenario,
    run,
    set: (body: object) => send<ResultDetail>('PUT', path, body),
    change: (body: object) => send<ResultDetail>('PATCH', path, body),
    bulk: (item: object) =>
      send('POST', `/v1/runs/${run.id}/results/bulk`, { results: [{ test_case_id: id, ...item }] }),
    detail: async () => (await send<ResultDetail>('GET', path)).body.data,
    complete: () => send('PATCH', `/v1/runs/${run.id}`, { status: 'completed' }),
    pinned: async () => {
      const { rows } = await sql<{ case_version: number | null; last: number | null }>`
        select r.case_version, c.last_pinned_version as last from test_results r
        join test_cases c on c.project_id = r.project_id and c.number = ${number} where r.run_id = ${run.id}`.execute(
        server.db,
      )
      return rows[0]
    },
  }
}

describe('the tested version of a result', () => {
  it('is absent in a test case that was never changed', async () => {
    const { set, detail, pinned } = await makeTestedScenario()
    await set({ status: 'passed' })
    const result = await detail()
    for (const name of ['case_version', 'is_outdated', 'tested_case']) expect(result).not.toHaveProperty(name)
    expect(await pinned()).toEqual({ case_version: 1, last: null })
  })

  it.each(['PUT', 'bulk'])('stays that of the first status that a person sets by %s', async (way) => {
    const { set, bulk, patch, detail } = await makeTestedScenario()
    const write = way === 'PUT' ? set : bulk
    await patch({ title: 'Second' })
    expect(await detail()).toMatchObject({ case_version: null, is_outdated: false, tested_case: null })
    await write({ status: 'failed' })
    expect(await detail()).toMatchObject({ case_version: 2, is_pinned: true, is_outdated: false, tested_case: null })
    await patch({ title: 'Third' })
    await write({ status: 'passed' })
    expect(await detail()).toMatchObject({
      case_version: 2,
      is_outdated: true,
      tested_case: { title: 'Second', version: 2 },
      test_case: { title: 'Third' },
    })
    await write({ status: 'passed', case_version: 3 })
    expect(await detail()).toMatchObject({ case_version: 3, is_outdated: false, tested_case: null })
    await write({ status: 'not_tested' })
    expect(await detail()).toMatchObject({ case_version: null, is_pinned: false })
  })

  it('says the same again after a change of tags only, or back', async () => {
    const { set, patch, detail } = await makeTestedScenario()
    await set({ status: 'passed' })
    await patch({ tags: ['a'] })
    expect(await detail()).toMatchObject({ case_version: 1, is_outdated: false, tested_case: null })
    await patch({ title: 'Other' })
    await patch({ title: 'First' })
    expect(await detail()).toMatchObject({ case_version: 1, is_outdated: false, tested_case: null })
  })

  it('takes the positions of steps of the version that is sent', async () => {
    const { set, change, patch, detail } = await makeTestedScenario()
    await set({ status: 'failed', steps: [{ position: 2, status: 'failed' }] })
    await patch({ steps: steps.slice(1) })
    await change({
      case_version: 1,
      steps: [
        { position: 1, status: 'passed' },
        { position: 3, status: 'blocked' },
      ],
    })
    const { steps: now, tested_steps: tested, tested_case: testedCase } = await detail()
    expect(testedCase?.steps[0]?.action).toBe('Open the shop')
    expect(tested?.map(({ position, status }) => [position, status])).toEqual([
      [1, 'passed'],
      [2, 'failed'],
      [3, 'blocked'],
    ])
    expect(now.map(({ position, status }) => [position, status])).toEqual([
      [1, 'failed'],
      [2, 'blocked'],
    ])
  })

  it('is that of the end of a completed run if nobody has tested it, and stays when the test case changes', async () => {
    const { patch, complete, detail, restore } = await makeTestedScenario()
    await patch({ title: 'Second' })
    await complete()
    await patch({ title: 'Third' })
    await restore(1)
    expect(await detail()).toMatchObject({
      case_version: 2,
      is_pinned: false,
      is_outdated: true,
      tested_case: { title: 'Second' },
    })
  })

  it('is not pinned by CI, and follows from the time of its result', async () => {
    const { project, run, id, set, patch, detail, pinned } = await makeTestedScenario()
    const token = await makeCiToken(server, project)
    await set({ status: 'passed' })
    const { status } = await server.request('POST', `/v1/results?run_id=${run.id}`, {
      token,
      body: { results: [{ test_case_id: id, status: 'failed' }] },
    })
    expect(status).toBe(200)
    expect((await pinned())?.case_version).toBeNull()
    await patch({ title: 'Second' })
    expect(await detail()).toMatchObject({
      case_version: 1,
      is_pinned: false,
      is_outdated: true,
      tested_case: { title: 'First' },
    })
  })

  it('is no longer extended by saves in the browser', async () => {
    const { save, set, list, detail, pinned } = await makeTestedScenario()
    await save({ title: 'Second' })
    await save({ title: 'Third' })
    await set({ status: 'passed' })
    expect(await pinned()).toEqual({ case_version: 3, last: 3 })
    await save({ title: 'Fourth' })
    await save({ title: 'Fifth' })
    expect((await list()).data.map(({ version }) => version)).toEqual([5, 3, 1])
    expect(await detail()).toMatchObject({ case_version: 3, tested_case: { title: 'Third' } })
  })

  it('is known without a text when the version is no longer kept', async () => {
    const { number, set, patch, detail } = await makeTestedScenario()
    await set({ status: 'passed' })
    await patch({ title: 'Second' })
    await patch({ title: 'Third' })
    await sql`delete from case_versions where case_number = ${number} and version = 1`.execute(server.db)
    expect(await detail()).toMatchObject({ case_version: 1, is_outdated: true, tested_case: null })
  })
})

describe('the tested version of a result with combinations', () => {
  it('is that of the first combination that a person sets, until none is tested', async () => {
    const { project, id, send, patch } = await makeVersionScenario(server, { title: 'First', steps })
    await makeConfigurations(server, project, { browser: ['chrome', 'firefox'] })
    const run = await makeRun(server, project, { configurations: { groups: { browser: ['chrome', 'firefox'] } } })
    const path = `/v1/runs/${run.id}/results/${id}`
    const detail = async () => (await send<ResultDetail>('GET', path)).body.data
    await patch({ title: 'Second' })
    await send('PUT', `${path}/combinations/1`, { status: 'passed' })
    await patch({ title: 'Third' })
    await send('PUT', `${path}/combinations/2`, { status: 'failed' })
    expect(await detail()).toMatchObject({ case_version: 2, is_outdated: true, tested_case: { title: 'Second' } })
    await send('PUT', path, { status: 'passed', case_version: 3 })
    expect(await detail()).toMatchObject({ case_version: 3, is_outdated: false })
    await send('PUT', path, { status: 'not_tested' })
    expect(await detail()).toMatchObject({ case_version: null, is_pinned: false })
  })
})
