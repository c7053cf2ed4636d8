import { MAX_USAGE_RUNS, type SharedStepUsage } from '@caseward/contract/shared-step-usage'
import { makeFolder, makeRun } from '@caseward/test-support/factories'
import { makeSharedStepScenario } from '@caseward/test-support/shared-step-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

describe('GET /v1/projects/:project_id/shared-steps/:shared_step_id/usage', () => {
  it('counts test cases by folder, and those in the newest runs in progress, with what is not tested yet', async () => {
    const { project, token, make, create, send } = await makeSharedStepScenario(server)
    const [{ id }, other] = [await make('Sign in', 'User'), await make('Pay', 'Card')]
    const read = async (of = id) => (await send<SharedStepUsage>('GET', `/shared-steps/${of}/usage`)).body.data
    const checkout = await makeFolder(server, project, { name: 'Checkout' })
    const steps = [{ shared_step_id: id }]
    const twice = [...steps, { action: 'Wait' }, ...steps]
    const one = await create({ title: 'One', folder_id: checkout.id, steps: twice })
    const two = await create({ title: 'Two', folder_id: checkout.id, steps })
    const top = await create({ title: 'Top', steps: [...steps, { shared_step_id: other.id }] })
    const unrelated = await create({ title: 'Unrelated', steps: [{ action: 'Wait' }] })
    const makeRunOf = (name: string, ...cases: { id: string }[]) =>
      makeRun(server, project, { name, test_case_ids: cases.map((testCase) => testCase.id) })
    const all = await makeRunOf('All', one, two, top, unrelated)
    const completed = await makeRunOf('Completed', one)
    await server.request('PATCH', `/v1/runs/${completed.id}`, { token, body: { status: 'completed' } })
    await makeRunOf('Unrelated', unrelated)
    const small = await makeRunOf('Small', top)
    await server.request('PUT', `/v1/runs/${all.id}/results/${one.id}`, { token, body: { status: 'failed' } })
    await server.request('PUT', `/v1/runs/${small.id}/results/${top.id}`, { token, body: { status: 'passed' } })

    expect(await read()).toEqual({
      test_case_count: 3,
      folders: [
        { folder_id: checkout.id, test_case_count: 2 },
        { folder_id: null, test_case_count: 1 },
      ],
      folder_count: 2,
      runs: [
        { run_id: small.id, name: 'Small', test_case_count: 1, not_tested_count: 0 },
        { run_id: all.id, name: 'All', test_case_count: 3, not_tested_count: 2 },
      ],
      searched_run_count: 3,
      open_run_count: 3,
    })
    const uses = await send<{ test_case_id: string }[]>('GET', `/shared-steps/${id}/uses?after=${one.id}`)
    expect(uses.body.data.map((use) => use.test_case_id)).toEqual([two.id, top.id])
    const none = { test_case_count: 0, folders: [], folder_count: 0, runs: [] }
    expect(await read((await make('Unused', 'Wait')).id)).toMatchObject(none)

    // What is not searched is said.
    for (let count = 0; count < MAX_USAGE_RUNS - 2; count += 1) await makeRunOf(`Run ${count}`, top)
    const { runs, ...counts } = await read(other.id)
    expect(counts).toMatchObject({ searched_run_count: MAX_USAGE_RUNS, open_run_count: MAX_USAGE_RUNS + 1 })
    expect(runs).toHaveLength(MAX_USAGE_RUNS - 1)
  })
})
