import type { Run } from '@caseward/contract/run-schemas'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'
import { makeCombinationScenario, makeVariant, THREE } from '@caseward/test-support/combination-scenario'

const server = useSharedServer()

describe('uploads to a run with configurations', () => {
  it('fill the columns of their variants, and never turn the failure of another one green', async () => {
    const { project, ids, upload, status, statuses, combinations } = await makeCombinationScenario(server, 1)
    const [id = ''] = ids
    const at = (second: number) => ({ finished_at: `2026-01-01T00:00:0${second}Z` })
    await upload([makeVariant(id, 'firefox', 'failed'), makeVariant(id, 'chrome', 'passed')], at(1))
    expect(await statuses(id)).toEqual(['chrome passed', 'firefox failed', 'safari not_tested'])
    expect((await combinations(id))[1]?.note).toContain('broken in firefox')
    const receipt = await upload([makeVariant(id, 'chrome', 'passed'), makeVariant(id, 'safari', 'passed')], at(2))
    expect(receipt.body).toMatchObject({ stats: { failed: 1, passed: 0 } })
    expect(await status(id)).toBe('failed')
    // A browser that the run does not know is part of the roll-up, too.
    await upload([makeVariant(id, 'firefox', 'passed'), makeVariant(id, 'edge', 'failed')], at(3))
    expect(await statuses(id)).toEqual(['chrome passed', 'firefox passed', 'safari passed', 'Other tests failed'])
    expect(await status(id)).toBe('failed')
    await upload([makeVariant(id, 'edge', 'passed')], at(4))
    expect(await status(id)).toBe('passed')
    // An older report changes nothing.
    await upload([makeVariant(id, 'safari', 'failed')], at(1))
    expect(await status(id)).toBe('passed')
    await expectCorrectCounters(server, project.id)
  })

  it('keep all tests of one combination together: the worst counts, from whichever upload', async () => {
    const { ids, upload, statuses } = await makeCombinationScenario(server, 1)
    const [id = ''] = ids
    await upload([makeVariant(id, 'chrome', 'failed', 'Total'), makeVariant(id, 'firefox', 'passed', 'Total')])
    await upload([makeVariant(id, 'chrome', 'passed', 'Discount')])
    expect(await statuses(id)).toEqual(['chrome failed', 'firefox passed', 'safari not_tested'])
  })

  it('of what a user set by hand, set only what was tested later, place by place', async () => {
    const { ids, upload, set, statuses } = await makeCombinationScenario(server, 1)
    const [id = ''] = ids
    await upload([makeVariant(id, 'chrome', 'failed', 'Total'), makeVariant(id, 'firefox', 'failed', 'Total')])
    await set(id, 1, 'passed')
    await upload([makeVariant(id, 'chrome', 'passed', 'Discount'), makeVariant(id, 'firefox', 'passed', 'Discount')])
    // The failure in Firefox still counts; that in Chrome was set aside.
    expect(await statuses(id)).toEqual(['chrome passed', 'firefox failed', 'safari not_tested'])
  })

  it('set all combinations by id, or those of the variant of the upload', async () => {
    const { ids, uploadItems, statuses, status } = await makeCombinationScenario(server, 1)
    const [id = ''] = ids
    await uploadItems([{ test_case_id: id, status: 'passed', note: 'fine' }])
    expect(await statuses(id)).toEqual(['chrome passed', 'firefox passed', 'safari passed'])
    await uploadItems([{ test_case_id: id, status: 'failed' }], { variant: 'firefox' })
    await uploadItems([{ test_case_id: id, status: 'passed' }], { variant: 'chrome' })
    expect(await status(id)).toBe('failed')
    const dry = await uploadItems([{ test_case_id: id, status: 'passed' }], { dry_run: true })
    expect(dry.body).toMatchObject({ uploaded_count: 1, stats: { passed: 1 } })
    expect(await statuses(id)).toEqual(['chrome passed', 'firefox failed', 'safari passed'])
  })

  it('give test cases that join the run its configurations', async () => {
    const { project, ids, token } = await makeCombinationScenario(server, 2, null)
    const body = { name: 'CI', run_key: 'build-1', configurations: THREE }
    const { body: created } = await server.request<{ data: Run }>('POST', `/v1/projects/${project.id}/runs`, {
      token,
      body,
    })
    expect(created.data).toMatchObject({ combination_count: 0, configurations: [{}, {}, {}] })
    const ci = await makeCiToken(server, project)
    const tests = ids.flatMap((id) => [makeVariant(id, 'chrome', 'passed'), makeVariant(id, 'safari', 'failed')])
    await server.request('POST', '/v1/results', {
      token: ci,
      body: { run_id: created.data.id, format: 'tests', tests },
    })
    const { body: run } = await server.request<{ data: Run }>('GET', `/v1/runs/${created.data.id}`, { token })
    expect(run.data).toMatchObject({
      combination_count: 6,
      stats: { failed: 2 },
      configurations: [{ stats: { passed: 2 } }, { stats: { not_tested: 2 } }, { stats: { failed: 2 } }],
    })
    await expectCorrectCounters(server, project.id)
  })
})
