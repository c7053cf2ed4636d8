import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeMilestone, makeRun } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'
import { deleteOldRuns } from './delete-old-runs.ts'
import { getRetentionStart } from './retention-batches.ts'
import { createRetentionJob, describeRetention } from './retention-job.ts'

const server = useTestServer()
const settings = { runRetentionDays: 30, testRetentionDays: null, runFileRetentionDays: null }
const { signal } = new AbortController()
const runJob = (changed: Partial<typeof settings> | { testRetentionDays: number } = {}) =>
  createRetentionJob({ ...settings, ...changed }).run(server.db, signal)

type Scenario = Awaited<ReturnType<typeof makeUploadScenario>>

/** Completes a run, as if that had been some days ago. */
async function completeRun({ token }: Scenario, id: string, days: number): Promise<void> {
  await server.request('PATCH', `/v1/runs/${id}`, { token, body: { status: 'completed' } })
  await sql`update runs set completed_at = now() - ${days} * interval '1 day' where id = ${id}`.execute(server.db)
}

const listRuns = async ({ project }: Scenario) =>
  (await sql<{ id: string }>`select id from runs where project_id = ${project.id}`.execute(server.db)).rows.map(
    ({ id }) => id,
  )

/** A run with results, an earlier version of one, a step of another, comments, matched and unmatched outcomes, and a suite error. */
async function makeOldRun(): Promise<Scenario> {
  const scenario = await makeUploadScenario(server)
  const { project, run, token } = scenario
  const steps = [{ position: 1, action: 'Pay', expected: 'Paid' }]
  await server.request('PATCH', `/v1/projects/${project.id}/test-cases/WEB-2`, { token, body: { steps } })
  const body = { steps: [{ position: 1, status: 'passed' }] }
  await server.request('PATCH', `/v1/runs/${run.id}/results/WEB-2`, { token, body })
  await scenario.upload({ results: [{ test_case_id: 'WEB-1', status: 'failed', note: 'first' }] })
  const attempts = [{ status: 'passed' }]
  await scenario.upload({
    format: 'tests',
    tests: [
      { name: 'pays', suite: 'shop', test_case_ids: ['WEB-1'], attempts },
      { name: 'waits', suite: 'shop', attempts: [{ status: 'failed' }, { status: 'passed' }] },
    ],
    suite_errors: [{ where: 'a.test.ts', message: 'did not load' }],
  })
  for (const place of [`/v1/runs/${run.id}`, `/v1/runs/${run.id}/results/WEB-1`]) {
    await server.request('POST', `${place}/comments`, { token, body: { body: 'It fails.' } })
  }
  await completeRun(scenario, scenario.run.id, 40)
  return scenario
}

describe('the deletion of old runs', () => {
  it('deletes completed runs with everything in them, keeps newer and open ones, and records it once a day', async () => {
    const scenario = await makeOldRun()
    const { project } = scenario
    const newer = await makeRun(server, project)
    await completeRun(scenario, newer.id, 20)
    const open = await makeRun(server, project)
    await sql`update runs set created_at = now() - interval '90 days' where id = ${open.id}`.execute(server.db)
    await runJob()
    await runJob()
    expect(new Set(await listRuns(scenario))).toEqual(new Set([newer.id, open.id]))
    await expectCorrectCounters(server, project.id)
    for (const table of [
      'test_results',
      'result_changes',
      'step_results',
      'test_outcomes',
      'suite_errors',
      'comments',
    ]) {
      const { rows } = await sql`select from ${sql.table(table)} where run_id = ${scenario.run.id}`.execute(server.db)
      expect([table, rows.length]).toEqual([table, 0])
    }
    const path = `/v1/projects/${project.id}/audit-log?action=project.delete_old_runs`
    const { body } = await server.request<{ data: unknown[] }>('GET', path, { token: project.admin.token })
    expect(body.data).toHaveLength(1)
    expect(body.data[0]).toMatchObject({ actor: { kind: 'system' }, detail: { runs: 1, results: 3 } })
  })

  it('keeps the runs of a milestone until it is finished, and then its progress', async () => {
    const scenario = await makeUploadScenario(server, 4)
    const { project, token } = scenario
    const milestone = await makeMilestone(server, project)
    const run = await makeRun(server, project, { milestone_id: milestone.id })
    await server.request('PUT', `/v1/runs/${run.id}/results/WEB-1`, { token, body: { status: 'passed' } })
    await completeRun(scenario, run.id, 40)
    const path = `/v1/projects/${project.id}/milestones/${milestone.id}`
    await runJob()
    expect(await listRuns(scenario)).toContain(run.id)
    await server.request('PATCH', path, { token, body: { status: 'archived' } })
    await runJob()
    expect(await listRuns(scenario)).not.toContain(run.id)
    const { body } = await server.request('GET', path, { token })
    expect(body).toMatchObject({ progress: 25, linked_runs: [] })
  })

  it('leaves exact counters when it is stopped in the middle, and continues later', async () => {
    const scenario = await makeOldRun()
    const before = getRetentionStart(30)
    // The time is over after the first batch.
    let checks = 0
    const limits = {
      signal,
      get deadline() {
        checks += 1
        return checks > 2 ? 0 : Infinity
      },
    }
    await deleteOldRuns(server.db, before, limits)
    expect(await listRuns(scenario)).toEqual([scenario.run.id])
    await expectCorrectCounters(server, scenario.project.id)
    const { rows } = await sql`select from test_results where run_id = ${scenario.run.id}`.execute(server.db)
    expect(rows).toEqual([])
    await runJob()
    expect(await listRuns(scenario)).toEqual([])
  })

  it('deletes what is attached to a run and its results', async () => {
    const scenario = await makeOldRun()
    const { token } = scenario.project.admin
    const run = `/v1/runs/${scenario.run.id}`
    for (const place of [run, `${run}/results/WEB-1`]) {
      const body = Buffer.from(place)
      expect((await server.request('POST', `${place}/attachments?name=a`, { token, body })).status).toBe(201)
    }
    await runJob()
    expect(await listRuns(scenario)).toEqual([])
    await expectCorrectCounters(server, scenario.project.id)
  })

  it('does not wait for a run that another request has locked', async () => {
    const scenario = await makeOldRun()
    await server.db.transaction().execute(async (tx) => {
      await sql`select from runs where id = ${scenario.run.id} for update`.execute(tx)
      await runJob()
    })
    expect(await listRuns(scenario)).toEqual([scenario.run.id])
    await runJob()
    expect(await listRuns(scenario)).toEqual([])
  })

  it('runs beside uploads and reads of the same project, which all succeed', async () => {
    const scenario = await makeOldRun()
    const { project, token, ci } = scenario
    const run = await makeRun(server, project)
    const job = runJob()
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => [
        server.request('POST', '/v1/results', {
          token: ci,
          body: { run_id: run.id, results: [{ test_case_id: 'WEB-1', status: index % 2 === 0 ? 'passed' : 'failed' }] },
        }),
        server.request('GET', `/v1/projects/${project.id}/runs`, { token }),
        server.request('GET', `/v1/projects/${project.id}/test-cases/WEB-1/results`, { token }),
      ]).flat(),
    )
    await job
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await listRuns(scenario)).toEqual([run.id])
    await expectCorrectCounters(server, project.id)
  })
})

describe('the deletion of old tests', () => {
  it('retires tests without link and outcomes, deletes them an hour later, and an upload creates them anew', async () => {
    const scenario = await makeOldRun()
    const { project } = scenario
    const selectTests = async () =>
      (
        await sql<{ name: string; is_retired: boolean }>`
          select name, retired_at is not null as is_retired from tests where project_id = ${project.id}
          order by name, id`.execute(server.db)
      ).rows
    const days = { testRetentionDays: 60 }
    await sql`update tests set created_at = now() - interval '90 days' where project_id = ${project.id}`.execute(
      server.db,
    )
    await sql`update runs set completed_at = now() where project_id = ${project.id}`.execute(server.db)
    await runJob(days)
    expect((await selectTests()).map(({ is_retired: isRetired }) => isRetired)).toEqual([false, false])

    await sql`update runs set completed_at = now() - interval '40 days' where project_id = ${project.id}`.execute(
      server.db,
    )
    await runJob(days)
    expect(await selectTests()).toEqual([
      { name: 'pays', is_retired: false },
      { name: 'waits', is_retired: true },
    ])
    const run = await makeRun(server, project)
    const tests = [{ name: 'waits', suite: 'shop', attempts: [{ status: 'passed' }] }]
    await scenario.upload({ run_id: run.id, format: 'tests', tests })
    await sql`update tests set retired_at = now() - interval '2 hours' where retired_at is not null`.execute(server.db)
    await runJob(days)
    expect(await selectTests()).toEqual([
      { name: 'pays', is_retired: false },
      { name: 'waits', is_retired: false },
    ])
    await expectCorrectCounters(server, project.id)
  })
})

describe('describeRetention', () => {
  it('says what would be deleted, and deletes nothing', async () => {
    const scenario = await makeOldRun()
    const text = await describeRetention(server.db, settings)
    expect(text).toContain(`project ${scenario.project.id}: 1 runs, 3 results`)
    expect(text).toContain('Tests are kept: TEST_RETENTION_DAYS is not set.')
    expect(await listRuns(scenario)).toEqual([scenario.run.id])
  })

  it('counts the tests without link and outcomes', async () => {
    const { project } = await makeOldRun()
    await sql`update tests set created_at = now() - interval '90 days' where project_id = ${project.id}`.execute(
      server.db,
    )
    await runJob()
    const text = await describeRetention(server.db, { ...settings, runRetentionDays: null, testRetentionDays: 60 })
    expect(text).toContain(`project ${project.id}: 1 tests`)
  })
})
