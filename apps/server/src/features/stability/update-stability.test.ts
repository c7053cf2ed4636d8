import type { ProjectTest } from '@caseward/contract/tests'
import type { FlakeKind, Stability, TestStabilityDetail } from '@caseward/contract/stability'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { moveWindows } from './stability-job.ts'
import { updateAfterRun } from './update-after-run.ts'
import { updateStability } from './update-stability.ts'

const server = useSharedServer()
const DAY_MS = 86_400_000

interface RunFields {
  daysAgo?: number
  commit?: string | null
  branch?: string
  excluded?: string
  isTrusted?: boolean
  pullRequest?: string
  series?: string
  status?: string
}

/** A project with tests, whose runs and flake events are written with the times that they would have. */
async function makeScenario(testCount = 1) {
  const scenario = await makeTestsScenario(server)
  const { project, token } = scenario
  const names = Array.from({ length: testCount }, (_, index) => `test ${index}`)
  await scenario.uploadTests(names.map((name) => makeTest(name)))
  await sql`delete from test_outcomes where project_id = ${project.id}`.execute(server.db)
  const listed = (await scenario.listTests('per_page=500')).data
  const ids = names.map((name) => listed.find((test) => test.name === name)?.id ?? '')
  const [id = ''] = ids
  const now = new Date()
  /** Inserts a completed run in which tests ended so. */
  async function addRun(outcomes: Record<string, string>, fields: RunFields = {}): Promise<string> {
    const {
      daysAgo = 0,
      commit = null,
      branch = 'main',
      excluded = null,
      isTrusted = true,
      pullRequest = null,
    } = fields
    const runId = uuidv7({ msecs: now.getTime() - daysAgo * DAY_MS })
    await sql`
      insert into runs (run_group, id, project_id, name, status, completed_at, created_at, branch, commit_sha, excluded, is_trusted, pull_request, series)
      values (1, ${runId}, ${project.id}, 'Build', ${fields.status ?? 'completed'}, now(), ${new Date(now.getTime() - daysAgo * DAY_MS)},
        ${branch}, ${commit}, ${excluded}, ${isTrusted}, ${pullRequest}, ${fields.series ?? ''})`.execute(server.db)
    for (const [testId, status] of Object.entries(outcomes)) {
      await sql`
        insert into test_outcomes (project_id, run_id, test_id, status, is_flaky, is_matched, attempt_count, tested_at)
        values (${project.id}, ${runId}, ${testId}, ${status === 'flaky' ? 'passed' : status}, ${status === 'flaky'}, false, 1, now())
      `.execute(server.db)
    }
    return runId
  }
  async function addEvent(daysAgo: number, fields: { testId?: string; kind?: FlakeKind; commit?: string } = {}) {
    const { testId = id, kind = 'retry', commit = uuidv7() } = fields
    const runId = await addRun({ [testId]: 'flaky' }, { daysAgo, commit, branch: 'feature' })
    await sql`
      insert into flake_events (project_id, test_id, commit_key, kind, run_id, at)
      values (${project.id}, ${testId}, ${commit}, ${kind}, ${runId}, ${new Date(now.getTime() - daysAgo * DAY_MS)})
    `.execute(server.db)
    return { runId, commit }
  }
  const update = async (daysLater = 0, testIds = ids) =>
    await updateStability(server.db, project.id, testIds, new Date(now.getTime() + daysLater * DAY_MS))
  const read = async (testId = id) =>
    (
      await server.request<{ data: TestStabilityDetail }>(
        'GET',
        `/v1/projects/${project.id}/tests/${testId}/stability`,
        { token },
      )
    ).body.data
  return {
    ...scenario,
    id,
    ids,
    now,
    addRun,
    addEvent,
    update,
    read,
    getState: async (testId = id): Promise<Stability> => (await read(testId)).state,
    /** Runs the hourly job as if so many days had passed. */
    moveClock: async (days: number) =>
      await moveWindows(server.db, new Date(now.getTime() + days * DAY_MS), new AbortController().signal),
    countRows: async () =>
      (await sql`select from unstable_tests where project_id = ${project.id}`.execute(server.db)).rows.length,
  }
}

describe('updateStability', () => {
  it('counts flake events and the commits on which the test was executed', async () => {
    const { id, addRun, addEvent, update, read } = await makeScenario()
    const second = await addEvent(1, { commit: 'c0ffee2' })
    await addEvent(2, { commit: 'c0ffee1' })
    for (const run of [
      { commit: 'c0ffee1' },
      { commit: 'c0ffee3' },
      { commit: 'c0ffee3', daysAgo: 3 },
      { daysAgo: 4 },
      { daysAgo: 5 },
    ])
      await addRun({ [id]: 'passed' }, run)
    // None of these counts.
    await addRun({ [id]: 'skipped' }, { commit: 'c0ffee5' })
    await addRun({ [id]: 'failed' }, { commit: 'c0ffee6', excluded: 'mass_failure' })
    await addRun({ [id]: 'passed' }, { commit: 'c0ffee7', isTrusted: false })
    await addRun({ [id]: 'passed' }, { commit: 'c0ffee8', daysAgo: 31 })
    await addRun({}, { commit: 'c0ffee9' })
    await update()
    expect(await read()).toMatchObject({
      state: 'flaky',
      flake_commits: 2,
      // Three commits, and two runs without one.
      commits: 5,
      score: 18,
      quarantine: null,
      events: [{ kind: 'retry', commit: 'c0ffee2', run_ids: [second.runId], signature: null }, { commit: 'c0ffee1' }],
    })
  })

  it('stores no row for a test that failed and never flaked', async () => {
    const { id, addRun, update, read, countRows } = await makeScenario()
    await addRun({ [id]: 'failed' })
    await addRun({ [id]: 'passed' }, { daysAgo: 1 })
    await update()
    expect(await countRows()).toBe(0)
    expect(await read()).toMatchObject({ state: 'stable', since: null, commits: 2, score: 0, events: [] })
  })

  it('finds broken tests over base runs only, and broken wins over flaky', async () => {
    const { id, addRun, addEvent, update, read } = await makeScenario()
    await addEvent(1)
    await addEvent(2)
    const first = await addRun({ [id]: 'failed' }, { daysAgo: 6, series: 'nightly' })
    await addRun({ [id]: 'skipped' }, { daysAgo: 5.5 })
    await addRun({ [id]: 'failed' }, { daysAgo: 5 })
    for (const fields of [
      { branch: 'feature' },
      { pullRequest: '7' },
      { isTrusted: false },
      { excluded: 'by_hand' },
      { status: 'in_progress' },
    ])
      await addRun({ [id]: 'failed' }, { daysAgo: 4, ...fields })
    await update()
    expect(await read()).toMatchObject({ state: 'flaky', consecutive_failures: 2, first_failing_run_id: first })
    await addRun({ [id]: 'failed' }, { daysAgo: 3 })
    await update()
    expect(await read()).toMatchObject({ state: 'broken', consecutive_failures: 3, flake_commits: 2 })
    await addRun({ [id]: 'passed' }, { daysAgo: 2 })
    await update()
    expect(await read()).toMatchObject({ state: 'flaky', consecutive_failures: 0, first_failing_run_id: null })
  })

  it('quarantines tests that become flaky with a settled run if the project wants that, but not broken ones, and once', async () => {
    const { project, ids, now, addRun, addEvent } = await makeScenario(3)
    await sql`update projects set auto_quarantine = true where id = ${project.id}`.execute(server.db)
    const [flaky = '', broken = '', suspect = ''] = ids
    for (const testId of [flaky, broken]) for (const days of [1, 2]) await addEvent(days, { testId })
    await addEvent(1, { testId: suspect })
    for (const daysAgo of [1, 2, 3]) await addRun({ [broken]: 'failed' }, { daysAgo })
    const runId = await addRun({ [flaky]: 'flaky' })
    const evaluate = async (isSettled: boolean, createdAt = now) => {
      const run = { projectId: project.id, runId, createdAt, isOfBaseBranch: true, isSettled, testIds: ids }
      await updateAfterRun(server.db, run)
      const { rows } = await sql<{ test_id: string }>`
        select test_id from quarantines where project_id = ${project.id} and ended_at is null`.execute(server.db)
      return rows.map((row) => row.test_id)
    }
    expect(await evaluate(false)).toEqual([])
    // It was flaky before a later run.
    expect(await evaluate(true, new Date(now.getTime() + DAY_MS))).toEqual([])
    expect(await evaluate(true)).toEqual([flaky])
    await sql`update quarantines set ended_at = now() where project_id = ${project.id}`.execute(server.db)
    expect(await evaluate(true)).toEqual([])
  })

  it('derives a broken test again when it passes in a base run', async () => {
    const { project, id, now, addRun, update, getState } = await makeScenario()
    for (const daysAgo of [1, 2, 3]) await addRun({ [id]: 'failed' }, { daysAgo })
    await update()
    expect(await getState()).toBe('broken')
    const runId = await addRun({ [id]: 'passed' })
    const run = { projectId: project.id, runId, createdAt: now, isSettled: true, testIds: [] }
    await updateAfterRun(server.db, { ...run, isOfBaseBranch: false })
    expect(await getState()).toBe('broken')
    await updateAfterRun(server.db, { ...run, isOfBaseBranch: true })
    expect(await getState()).toBe('stable')
  })
})

describe('the job that moves windows', () => {
  it('lets a test leave flaky after 14 days and 100 executions, and it is back after two newer events', async () => {
    const { id, addRun, addEvent, update, moveClock, getState, read } = await makeScenario()
    await addEvent(2)
    await addEvent(1)
    await update()
    expect(await getState()).toBe('flaky')
    for (let run = 0; run < 99; run++) await addRun({ [id]: 'passed' }, { daysAgo: 0.9 - run / 1000 })
    await moveClock(13.5)
    expect(await getState()).toBe('flaky')
    const since = (await read()).since
    await addRun({ [id]: 'passed' })
    await moveClock(12.9)
    expect(await read()).toMatchObject({ state: 'flaky', since })
    await moveClock(13.1)
    expect(await getState()).toBe('stable')
    await addEvent(-13.5)
    await update(13.6)
    expect(await getState()).toBe('suspect')
    await addEvent(-13.6)
    await update(13.7)
    expect(await getState()).toBe('flaky')
  })

  it('forgets events after 30 days, and stable tests after 90', async () => {
    const { addEvent, update, moveClock, read, countRows } = await makeScenario()
    await addEvent(1)
    await update()
    expect(await read()).toMatchObject({ state: 'suspect', flake_commits: 1, score: 38 })
    await moveClock(28.9)
    expect(await read()).toMatchObject({ state: 'suspect' })
    await moveClock(29.1)
    expect(await read()).toMatchObject({ state: 'stable', flake_commits: 0, score: 0, events: [{ kind: 'retry' }] })
    await moveClock(118)
    expect(await countRows()).toBe(1)
    await moveClock(119.2)
    expect(await countRows()).toBe(0)
  })
})

describe('GET /v1/projects/:project_id/tests', () => {
  it('filters by stability and quarantine, and returns both with fields=stability', async () => {
    const { project, token, ids, addRun, addEvent, update, listTests } = await makeScenario(4)
    const [flaky = '', suspect = '', broken = '', stable = ''] = ids
    for (const days of [1, 2]) await addEvent(days, { testId: flaky })
    await addEvent(1, { testId: suspect })
    for (const daysAgo of [1, 2, 3]) await addRun({ [broken]: 'failed' }, { daysAgo })
    await update()
    const path = `/v1/projects/${project.id}/quarantines`
    await server.request('POST', path, { token, body: { test_id: flaky, reason: 'Slow', branches: ['main'] } })
    const find = async (query: string) => {
      const { data, meta } = await listTests(query)
      expect(meta.total).toBe(data.length)
      return data.map(({ id }) => id)
    }
    for (const [state, testId] of Object.entries({ flaky, suspect, broken, stable }))
      expect([state, await find(`stability=${state}`)]).toEqual([state, [testId]])
    expect(await find('quarantined=true')).toEqual([flaky])
    expect(new Set(await find('quarantined=false'))).toEqual(new Set([suspect, broken, stable]))
    expect(await find('quarantined=false&stability=flaky')).toEqual([])
    const [first] = (await listTests('stability=flaky&fields=stability')).data
    expect(first).toMatchObject({
      id: flaky,
      stability: { state: 'flaky', flake_commits: 2, commits: 2, score: 55, last_flake_at: expect.any(String) },
      quarantine: { reason: 'Slow', branches: ['main'] },
    })
    expect((await listTests('stability=stable&fields=stability')).data).toMatchObject([
      { id: stable, stability: null, quarantine: null } satisfies Partial<ProjectTest>,
    ])
    expect(Object.keys((await listTests('stability=flaky')).data[0] ?? {})).not.toContain('stability')

    // By score, page by page, without those that nothing is known against.
    expect(await find('sort=score')).toEqual([flaky, suspect, broken])
    expect(await find('sort=score&quarantined=true&fields=stability')).toEqual([flaky])
    const paged: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const page: Awaited<ReturnType<typeof listTests>> = await listTests(
        `sort=score&fields=stability&per_page=1${after === '' ? '' : `&after=${after}`}`,
      )
      expect(page.data[0]?.quarantine?.reason).toBe(paged.length === 0 ? 'Slow' : undefined)
      paged.push(...page.data.map(({ id }) => id))
      after = page.meta.next_after
    }
    expect(paged).toEqual([flaky, suspect, broken])
  })

  it('returns 404 for the stability of an unknown test', async () => {
    const { project, token } = await makeScenario(0)
    const path = `/v1/projects/${project.id}/tests/019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40/stability`
    await server.expectProblem(404, 'GET', path, { token })
  })
})
