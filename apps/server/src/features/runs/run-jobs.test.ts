import type { RunJob } from '@caseward/contract/run-jobs'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { completeQuietRunsJob } from './complete-quiet-runs.ts'

const server = useSharedServer()

async function makeScenario(completeAfterMinutes: number | null = 30, cases = 0) {
  const scenario = await makeTestsScenario(server, cases)
  const { project, token, ci, run } = scenario
  await server.request('PATCH', `/v1/projects/${project.id}/run-settings`, {
    token,
    body: { complete_after_minutes: completeAfterMinutes },
  })
  return {
    ...scenario,
    /** Begins to report from a CI job, as the first request of a reporter does. */
    begin: (job: string, expectedShards?: number) =>
      scenario.makeRunByKey('build 1', { job, expected_shards: expectedShards }),
    reportShard: (shard: string, job: string, expectedShards = 2) =>
      server.request('POST', `/v1/runs/${run.id}/shards/${shard}/done`, {
        token: ci,
        body: { job, expected_shards: expectedShards },
      }),
    upload: (job: string, fields: object = {}) =>
      scenario.uploadTests([makeTest(`test of ${job}`)], { job, ...fields }),
    /** Lets time pass, and runs the job that completes runs. */
    wait: async (minutes: number) => {
      await sql`update runs set last_upload_at = last_upload_at - make_interval(mins => ${minutes})
        where id = ${run.id}`.execute(server.db)
      await completeQuietRunsJob.run(server.db, new AbortController().signal)
    },
    jobs: async () => (await server.request<{ data: RunJob[] }>('GET', `/v1/runs/${run.id}/jobs`, { token })).body.data,
  }
}

describe('a run of several CI jobs', () => {
  it('stays in progress until all shards of all jobs that have begun are done, and no report has come for a while', async () => {
    const { begin, reportShard, upload, wait, getRun, jobs } = await makeScenario()
    await begin('unit', 2)
    await upload('unit')
    await reportShard('1', 'unit')
    await reportShard('2', 'unit')
    await begin('e2e', 2)
    await wait(31)
    expect((await getRun()).status).toBe('in_progress')
    expect(await jobs()).toMatchObject([
      { job: 'e2e', expected_shards: 2, shards_done: [], is_done: false, upload_count: 0, last_upload_at: null },
      { job: 'unit', expected_shards: 2, shards_done: ['1', '2'], is_done: true, upload_count: 1 },
    ])
    await upload('e2e')
    await reportShard('1', 'e2e')
    await reportShard('2', 'e2e')
    await wait(29)
    expect((await getRun()).status).toBe('in_progress')
    await wait(2)
    expect((await getRun()).status).toBe('completed')
  })

  it('lists what in a job has reported, with its failed tests and errors outside of tests', async () => {
    const { upload, jobs } = await makeScenario()
    await upload('unit', { instance: '1', build_attempt: 1 })
    await upload('unit', { instance: '1', build_attempt: 1, suite_errors: [{ where: 'a.ts', message: 'No.' }] })
    await upload('unit', { instance: '2', tests: [{ name: 'pays', attempts: [{ status: 'failed' }] }] })
    const source = { shard: '', variant: '', label: '' }
    expect((await jobs())[0]?.sources).toEqual([
      { ...source, instance: '1', build_attempt: 1, upload_count: 2, failed_count: 0, error_count: 1 },
      { ...source, instance: '2', build_attempt: null, upload_count: 1, failed_count: 1, error_count: 0 },
    ])
  })

  it('lists a job that has reported results of test cases, with the failed ones, and not a dry run', async () => {
    const { run, token, ci, jobs, getRun, wait } = await makeScenario(30, 1)
    const results = [
      { test_case_id: 'WEB-1', status: 'failed' },
      { test_case_id: 'WEB-2', status: 'failed' },
    ]
    await server.request('POST', `/v1/runs/${run.id}/test-cases`, { token, body: { test_case_ids: ['WEB-1'] } })
    for (const dry_run of [true, false]) {
      const body = { run_id: run.id, job: 'manual', label: 'linux', results, dry_run }
      await server.request('POST', '/v1/results', { token: ci, body })
    }
    expect(await jobs()).toMatchObject([
      { job: 'manual', upload_count: 1, sources: [{ label: 'linux', upload_count: 1, failed_count: 1 }] },
    ])
    await wait(31)
    expect((await getRun()).status).toBe('completed')
  })

  it('completes at once with the last shard if the project waits for no more reports', async () => {
    const { begin, reportShard, getRun } = await makeScenario(0)
    await begin('unit', 2)
    await reportShard('1', 'unit')
    expect((await getRun()).status).toBe('in_progress')
    await reportShard('2', 'unit')
    expect((await getRun()).status).toBe('completed')
  })

  it('never completes by itself if the project says so', async () => {
    const { begin, reportShard, upload, wait, getRun } = await makeScenario(null)
    await begin('unit', 1)
    await upload('unit')
    await reportShard('1', 'unit', 1)
    await wait(100_000)
    expect((await getRun()).status).toBe('in_progress')
  })

  it('is opened again by a late report, which says so', async () => {
    const { upload, wait, getRun } = await makeScenario()
    await upload('unit')
    await wait(31)
    expect((await getRun()).status).toBe('completed')
    const { status, body } = await upload('e2e')
    expect([status, body]).toEqual([200, expect.objectContaining({ reopened: true })])
    expect(await getRun()).toMatchObject({ status: 'in_progress', completed_at: null })
  })

  it('stays completed when a user has completed it, and the report says who and what to do', async () => {
    const { run, token, upload, getRun, project } = await makeScenario()
    await upload('unit')
    await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'completed' } })
    const response = await upload('e2e')
    expect(response).toMatchObject({ status: 409, body: { code: 'run_completed' } })
    expect((response.body as unknown as { detail: string }).detail).toMatch(
      /^The run was completed by .+ and does not accept results\. To add results, reopen the run/,
    )
    expect((await getRun()).status).toBe('completed')
    expect(project.id).toBe(run.project_id)
  })

  it('counts shards over all jobs if its creator said how many there are', async () => {
    const { makeRunByKey, ci, getRun } = await makeScenario()
    const { id } = await makeRunByKey('known', { expected_shards: 2 })
    for (const shard of ['1', '2']) {
      await server.request('POST', `/v1/runs/${id}/shards/${shard}/done`, { token: ci, body: { job: 'unit' } })
    }
    expect(await getRun(id)).toMatchObject({ status: 'completed', shards_done: ['1', '2'] })
  })
})

describe('PATCH /v1/projects/:project_id/run-settings', () => {
  it.each([-1, 10_081, 1.5, 'soon'])('returns 400 for %j minutes, and names the field', async (minutes) => {
    const { project, token } = await makeTestsScenario(server)
    const body = { complete_after_minutes: minutes }
    const problem = await server.expectProblem(400, 'PATCH', `/v1/projects/${project.id}/run-settings`, { token, body })
    expect(problem.errors?.map(({ path }) => path)).toEqual(['/complete_after_minutes'])
  })

  it('ignores unknown fields, whatever their names, and lists them', async () => {
    const { project, token } = await makeTestsScenario(server)
    const { status, body } = await server.request('PATCH', `/v1/projects/${project.id}/run-settings`, {
      token,
      body: { complete_after_minutes: 5, '\0': 1, id: null },
    })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { data: { complete_after_minutes: 5 }, warnings: [{ field: '/\0' }, { field: '/id' }] },
    })
  })
})
