import type { MilestoneReadiness } from '@caseward/contract/milestone-readiness'
import { describe, expect, it } from 'vitest'

import { makeMilestoneScenario } from '@caseward/test-support/milestone-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { computeReadiness } from './milestone-readiness.ts'

const server = useSharedServer()
const now = new Date('2026-11-23T12:00:00Z')
const counts = { tested: 70, total: 100, failed: 12, failed_critical: 2, blocked: 3 }
const compute = (executed: number, firstRunAt: string | null, changed = {}) =>
  computeReadiness(
    { ...counts, executed, first_run_at: firstRunAt === null ? null : new Date(firstRunAt), ...changed },
    now,
  )

describe('computeReadiness', () => {
  it('uses the pace of the last seven days', () => {
    expect(compute(42, '2026-10-01')).toEqual({ ...counts, pace_per_day: 6, expected_on: '2026-11-28' })
  })

  it('uses the days since the first run if these are fewer', () => {
    expect(compute(20, '2026-11-22T00:00:00Z')).toMatchObject({ pace_per_day: 10, expected_on: '2026-11-26' })
    expect(compute(30, '2026-11-23T11:59:00Z')).toMatchObject({ pace_per_day: 30, expected_on: '2026-11-24' })
  })

  it.each([
    ['without runs', compute(0, null, { tested: 0, total: 0 })],
    ['without a pace', compute(0, '2026-10-01')],
    ['when everything is tested', compute(7, '2026-10-01', { tested: 100 })],
    ['when it is more than ten years away', compute(1, '2026-10-01', { total: 1_000_000 })],
  ])('expects no day %s', (_, readiness) => {
    expect(readiness.expected_on).toBeNull()
  })
})

describe('GET /v1/projects/:project_id/milestones/:milestone_id/readiness', () => {
  it('counts the runs of the milestone and of its sub-milestones', async () => {
    const { project, make, link, token } = await makeMilestoneScenario(server, 3)
    const parent = await make()
    const sub = await make({ name: 'Beta', parent_id: parent.id })
    const read = async (id: string) => {
      const path = `/v1/projects/${project.id}/milestones/${id}/readiness`
      return (await server.request<{ data: MilestoneReadiness }>('GET', path, { token })).body.data
    }
    const none = { tested: 0, total: 0, failed: 0, failed_critical: 0, blocked: 0, pace_per_day: 0, expected_on: null }
    expect(await read(parent.id)).toEqual(none)
    const testCase = `/v1/projects/${project.id}/test-cases/WEB-2`
    expect((await server.request('PATCH', testCase, { token, body: { priority: 'critical' } })).status).toBe(200)
    await link(parent.id, 3)
    await link(sub.id, 1)
    const whole = await read(parent.id)
    const part = await read(sub.id)
    expect(whole.total).toBe(2 * part.total)
    expect(whole).toMatchObject({ tested: 4, failed: 1, failed_critical: 1, pace_per_day: 4 })
    expect(part).toMatchObject({ tested: 1, failed: 0, failed_critical: 0, pace_per_day: 1 })
    const status = await server.request('GET', `/v1/projects/${project.id}/milestones/x/readiness`, { token })
    expect(status.status).toBe(404)
  })
})
