import type { Health } from '@caseward/contract/health-schemas'
import type { Outcomes } from '@caseward/test-support/evaluation-scenario'
import { makeHealthScenario } from '@caseward/test-support/health-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { readHealth, readHealthBand } from './read-health.ts'

const server = useSharedServer()
const HOUR_MS = 3_600_000

describe('the band and the days of GET /v1/projects/:project_id/health', () => {
  it('draws when a branch was green, and how long it took to get green again', async () => {
    const { buildAt, read, patch } = await makeHealthScenario(server)
    const lead = await buildAt('2026-03-01T20:00:00Z', { a: 'passed' })
    const red = await buildAt('2026-03-02T10:00:00Z', { a: 'failed' })
    // The same failure as before blocks on the branch itself: it stays red.
    const still = await buildAt('2026-03-02T12:00:00Z', { a: 'failed' })
    const outage = await buildAt('2026-03-02T13:00:00Z', { a: 'failed' })
    await patch(outage, { excluded: true })
    const green = await buildAt('2026-03-02T16:00:00Z', { a: 'passed' })
    const nightly = await buildAt(
      '2026-03-03T02:00:00Z',
      { b: 'failed' },
      { metadata: { branch: 'main', suite: 'nightly' } },
    )
    // None of these is a base run.
    await buildAt('2026-03-03T03:00:00Z', { a: 'failed' }, { metadata: { branch: 'feature' } })
    await buildAt('2026-03-03T04:00:00Z', { a: 'failed' }, { metadata: { branch: 'main', pull_request: '7' } })
    const { band, runs, branch, from } = await read('2026-03-08T00:00:00Z', { days: 7 })
    expect({ branch, from }).toEqual({ branch: 'main', from: '2026-03-02T00:00:00.000Z' })
    const [unit, other] = band
    expect(unit).toEqual({
      series: '',
      segments: [
        { from: '2026-03-02T00:00:00.000Z', to: '2026-03-02T10:00:00.000Z', state: 'green', run_id: lead },
        { from: '2026-03-02T10:00:00.000Z', to: '2026-03-02T12:00:00.000Z', state: 'red', run_id: red },
        { from: '2026-03-02T12:00:00.000Z', to: '2026-03-02T13:00:00.000Z', state: 'red', run_id: still },
        { from: '2026-03-02T13:00:00.000Z', to: '2026-03-02T16:00:00.000Z', state: 'excluded', run_id: outage },
        // For 72 hours: after that, nothing is known.
        { from: '2026-03-02T16:00:00.000Z', to: '2026-03-05T16:00:00.000Z', state: 'green', run_id: green },
      ],
      current: { state: 'green', since: '2026-03-02T16:00:00.000Z', blocking_count: 0 },
      green_ms: 82 * HOUR_MS,
      red_ms: 3 * HOUR_MS,
      recoveries: 1,
      median_recovery_ms: 6 * HOUR_MS,
      longest_recovery_ms: 6 * HOUR_MS,
    })
    expect(other).toMatchObject({
      series: 'nightly',
      segments: [{ run_id: nightly, state: 'red' }],
      current: { state: 'red', since: '2026-03-03T02:00:00.000Z', blocking_count: 1 },
      median_recovery_ms: null,
    })
    expect(runs.map(({ id }) => id)).toEqual([nightly, green, outage, still, red])
    expect((await read('2026-03-08T00:00:00Z', { days: 7, series: 'nightly' })).band).toEqual([other])
    expect((await read('2026-04-30T00:00:00Z', { days: 7 })).band).toEqual([])
  })

  it('begins days at local midnight, also in the nights of a clock change, with figures that equal a recount', async () => {
    const { buildAt, read, project } = await makeHealthScenario(server)
    const outcomes: Outcomes = { a: 'passed', b: 'passed', c: 'failed', d: 'passed' }
    const times = [
      '2026-03-27T22:59:00Z',
      '2026-03-28T18:29:00Z',
      '2026-03-28T18:31:00Z',
      '2026-03-28T22:59:00Z',
      '2026-03-28T23:01:00Z',
      '2026-03-29T21:59:00Z',
      '2026-03-29T22:01:00Z',
      '2026-10-24T21:59:00Z',
      '2026-10-24T22:01:00Z',
      '2026-10-25T22:30:00Z',
      '2026-10-25T23:01:00Z',
    ]
    for (const [index, at] of times.entries()) {
      await buildAt(at, index % 3 === 0 ? { ...outcomes, a: 'failed' } : outcomes)
    }
    await sql`
      insert into insight_days (project_id, day, flaky_count, suspect_count, broken_count, quarantined_count,
        automated_case_count, case_count, is_limited, series)
      values (${project.id}, '2026-03-29', 4, 1, 0, 2, 0, 0, true, '{}')`.execute(server.db)
    for (const timeZone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata']) {
      for (const now of ['2026-03-30T12:00:00Z', '2026-10-26T12:00:00Z']) {
        const { days, runs, from } = await read(now, { days: 7, time_zone: timeZone })
        const { rows: local } = await sql<{ id: string; day: string }>`
          select id, (created_at at time zone ${timeZone})::date::text as day from runs where project_id = ${project.id}`.execute(
          server.db,
        )
        const { rows: midnight } = await sql<{ at: Date }>`
          select ((${now}::timestamptz at time zone ${timeZone})::date - 6)::timestamp at time zone ${timeZone} as at`.execute(
          server.db,
        )
        expect(from).toBe(midnight[0]?.at.toISOString())
        const dayOf = new Map(local.map(({ id, day }) => [id, day]))
        const recount = days.map(({ day }) => {
          const ofDay = runs.filter(({ id }) => dayOf.get(id) === day)
          const sum = (get: (run: (typeof runs)[number]) => number) => ofDay.reduce((total, run) => total + get(run), 0)
          return {
            day,
            base_runs: ofDay.length,
            executed: sum((run) => run.executed),
            passed: sum((run) => run.passed),
            failed: sum((run) => run.executed - run.passed),
            pass_rate: ofDay.length === 0 ? null : sum((run) => run.passed / run.executed) / ofDay.length,
            median_ms: ofDay.length === 0 ? null : 40,
            p95_ms: ofDay.length === 0 ? null : 40,
            flaky: day === '2026-03-29' ? 4 : null,
            quarantined: day === '2026-03-29' ? 2 : null,
            is_limited: day === '2026-03-29',
          }
        })
        expect(days).toEqual(recount)
        expect(days).toHaveLength(7)
        expect(runs).toHaveLength(now.includes('-03-') ? 7 : 4)
      }
    }
  })

  it('returns the band alone when a page needs nothing else, with fewer statements', async () => {
    const { buildAt, project, get, read } = await makeHealthScenario(server)
    await buildAt(new Date(Date.now() - HOUR_MS).toISOString(), { a: 'failed' })
    const path = `/v1/projects/${project.id}/health?days=7`
    const whole = await get<{ data: Health }>(path)
    const { data } = await get<{ data: Partial<Health> }>(`${path}&fields=band`)
    expect(Object.keys(data)).toEqual(['branch', 'from', 'to', 'is_cut', 'band'])
    expect({ ...data, to: null, band: null }).toEqual({
      branch: 'main',
      from: whole.data.from,
      to: null,
      is_cut: false,
      band: null,
    })
    expect(data.band?.map(({ current }) => current)).toEqual(whole.data.band.map(({ current }) => current))
    const countStatements = async (run: (db: typeof server.db) => Promise<unknown>) => {
      let count = 0
      const counted = server.db.withPlugin({
        transformQuery: ({ node }) => {
          count += 1
          return node
        },
        transformResult: async ({ result }) => result,
      })
      await run(counted)
      return count
    }
    const now = new Date()
    expect(await countStatements((db) => readHealthBand(db, project.id, { days: 7 }, now))).toBe(2)
    expect(await countStatements((db) => readHealth(db, project.id, { days: 7 }, now))).toBeGreaterThan(10)
    expect((await read(now.toISOString(), { days: 7 })).newly_failing.total).toBe(1)
  })
})
