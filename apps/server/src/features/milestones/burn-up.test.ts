import type { BurnUp } from '@caseward/contract/milestone-readiness'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeMilestoneScenario } from '@caseward/test-support/milestone-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { buildBurnUp } from './burn-up.ts'

const server = useSharedServer()

describe('buildBurnUp', () => {
  const at = (time: string) => Date.parse(time)
  const counts = {
    total: 10,
    times: [
      [at('2026-11-20T22:45:00Z'), 2, 1],
      [at('2026-11-20T23:15:00Z'), 1, 0],
      [at('2026-11-22T10:00:00Z'), 3, 1],
    ] as const,
  }
  const now = new Date('2026-11-23T22:00:00Z')
  const build = (timeZone: string) =>
    buildBurnUp(counts, timeZone, now).days.map(({ day, executed, failed }) => `${day} ${executed} ${failed}`)

  it('adds up the days of the time zone, days without results too', () => {
    expect(build('UTC')).toEqual(['2026-11-20 3 1', '2026-11-21 3 1', '2026-11-22 6 2', '2026-11-23 6 2'])
    expect(build('Europe/Berlin')).toEqual(['2026-11-20 2 1', '2026-11-21 3 1', '2026-11-22 6 2', '2026-11-23 6 2'])
    expect(build('Asia/Tokyo').at(-1)).toBe('2026-11-24 6 2')
  })

  it('keeps what was tested before the days that fit', () => {
    const old = { total: 5, times: [[at('2024-01-01T00:00:00Z'), 4, 0]] as const }
    const { days } = buildBurnUp(old, 'UTC', now)
    expect(days).toHaveLength(400)
    expect(days[0]).toMatchObject({ executed: 4 })
  })

  it('has today only if nothing was tested', () => {
    expect(buildBurnUp({ total: 5, times: [] }, 'UTC', now)).toEqual({
      total: 5,
      days: [{ day: '2026-11-23', executed: 0, failed: 0 }],
    })
  })
})

describe('GET /v1/projects/:project_id/milestones/:milestone_id/burn-up', () => {
  it('counts the results of the milestone and of its sub-milestones', async () => {
    const { make, link, path, token } = await makeMilestoneScenario(server, 4)
    const parent = await make({ name: 'Release' })
    const part = await make({ name: 'Alpha', parent_id: parent.id })
    await link(parent.id, 2)
    const runId = await link(part.id, 3)
    await sql`
      update test_results set tested_at = now() - interval '2 days' where run_id = ${runId} and tested_at is not null
    `.execute(server.db)
    const { body } = await server.request<{ data: BurnUp }>('GET', `${path}/${parent.id}/burn-up`, { token })
    expect(body.data.total).toBe(8)
    expect(body.data.days.map(({ executed, failed }) => [executed, failed])).toEqual([
      [3, 1],
      [3, 1],
      [5, 2],
    ])
  })

  it('refuses a time zone that does not exist', async () => {
    const { make, path, token } = await makeMilestoneScenario(server)
    const { id } = await make()
    const problem = await server.expectProblem(400, 'GET', `${path}/${id}/burn-up?time_zone=Mars`, { token })
    expect(problem.errors).toEqual([{ path: '/time_zone', message: 'must be a time zone such as Europe/Berlin' }])
  })
})
