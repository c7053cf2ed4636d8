import type { Evaluation } from '@caseward/contract/evaluation'
import type { EvaluationCounts } from '@caseward/contract/evaluation-fields'
import type { Run } from '@caseward/contract/run-schemas'
import { openEventStream } from '@caseward/test-support/event-stream'
import { useTestServer } from '@caseward/test-support/test-server'
import { waitUntil } from '@caseward/test-support/wait-until'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeEvaluationScenario, type Outcomes } from '@caseward/test-support/evaluation-scenario'
import { settleRunsJob } from './evaluation-jobs.ts'

const server = useTestServer()
const PR = { branch: 'feature/cart', base_branch: 'main', pull_request: '17' }
const attempt = (build_attempt: number) => ({ job: 'test', instance: 'runner', build_attempt })
const repeat = (count: number, outcome: Outcomes[string], name = 'test'): Outcomes =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name} ${index}`, outcome]))

describe('the evaluation of a run', () => {
  it('is the same in whatever order its shards report', async () => {
    const { build, evaluate, listVerdicts, upload, makeRunByKey, listFlakeEvents, project } =
      await makeEvaluationScenario(server)
    await build({ ...repeat(4, 'failed', 'red'), ...repeat(8, 'passed', 'green'), gone: 'passed' })
    const shards: Outcomes[] = [
      { 'red 0': 'failed', 'red 1': 'passed', 'green 0': 'failed' },
      {
        'red 2': { statuses: ['failed'], message: 'RangeError: Invalid array length' },
        'green 1': ['failed', 'passed'],
      },
      { 'red 3': 'skipped', 'green 2': 'blocked', 'green 3': 'failed', added: 'failed' },
    ]
    const seen = new Set<string>()
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]
    for (const [round, order] of [...orders, ...orders].entries()) {
      const run = await makeRunByKey(`order ${round}`, { metadata: { ...PR, commit: `abcdef${round + 10}` } })
      for (const index of order) {
        await upload(run.id, shards[index] ?? {}, { job: 'test', shard: String(index) })
        // Evaluating in between changes nothing, either.
        if (round < orders.length) await evaluate(run.id)
      }
      const { counts, blocking_count, tests, base } = await evaluate(run.id)
      // Whether a test is new depends on the time, not on the order: it is known from the second round on.
      const verdicts = (await listVerdicts(run.id)).map(({ name, verdict, blocks, signature }) =>
        [name, verdict, blocks, signature].join(' '),
      )
      seen.add(
        JSON.stringify([counts, blocking_count, tests, base?.branch, verdicts.toSorted((a, b) => a.localeCompare(b))]),
      )
      await sql`delete from flake_events where project_id = ${project.id}`.execute(server.db)
    }
    expect([...seen]).toHaveLength(1)
    expect(await listFlakeEvents()).toEqual([])
  })

  it('makes no flake events of a mass failure, and of a green rerun after one', async () => {
    const { upload, evaluate, makeRunByKey, listFlakeEvents, patch, getVerdicts } = await makeEvaluationScenario(server)
    const run = await makeRunByKey('outage', { metadata: { branch: 'main', commit: 'aaaaaaa' } })
    await upload(run.id, repeat(25, 'failed'), attempt(1))
    expect(await evaluate(run.id)).toMatchObject({
      excluded: 'mass_failure',
      blocking_count: 25,
      uploads: [{ number: 1, job: 'test', build_attempt: 1, failed_count: 25, is_excluded: true }],
    })
    await upload(run.id, repeat(25, 'passed'), attempt(2))
    const evaluation = await evaluate(run.id)
    expect(evaluation).toMatchObject({ excluded: null, blocking_count: 0, counts: { flaked: 25 } })
    expect(evaluation.uploads.map(({ is_excluded: isExcluded }) => isExcluded)).toEqual([true, false])
    expect(await listFlakeEvents()).toEqual([])
    // What a user decides wins, in both directions.
    const other = await makeRunByKey('rightly red', { metadata: { branch: 'main' } })
    await upload(other.id, repeat(25, 'failed'))
    await patch(other.id, { excluded: false })
    expect((await evaluate(other.id)).excluded).toBeNull()
    await patch(other.id, { excluded: true })
    expect((await evaluate(other.id)).excluded).toBe('by_hand')
    expect(Object.keys(await getVerdicts(other.id))).toHaveLength(25)
  })

  it('finds each kind of flake event, once a commit, and removes those of a run that is excluded', async () => {
    const { build, upload, evaluate, listFlakeEvents, patch } = await makeEvaluationScenario(server)
    const metadata = { branch: 'main', commit: 'abc1234' }
    const first = await build(
      { retried: ['failed', 'passed'], turns: 'failed', steady: 'failed' },
      { metadata, upload: attempt(1), isOpen: true },
    )
    await evaluate(first.id)
    await upload(first.id, { retried: ['failed', 'passed'], turns: 'passed', steady: 'failed' }, attempt(2))
    await evaluate(first.id)
    const second = await build(
      { retried: ['failed', 'passed'], turns: 'failed', steady: 'passed' },
      { metadata, upload: attempt(1) },
    )
    await evaluate(second.id)
    const commit_key = 'abc1234'
    expect(await listFlakeEvents()).toEqual([
      { name: 'retried', kind: 'retry', commit_key },
      { name: 'steady', kind: 'commit', commit_key },
      { name: 'turns', kind: 'rerun', commit_key },
    ])
    // Another target, series, or day is another thing.
    for (const other of [{ target: '2.0' }, { suite: 'nightly' }]) {
      await evaluate(
        (
          await build(
            { steady: 'passed', turns: 'failed' },
            { metadata: { ...metadata, ...other }, upload: attempt(1) },
          )
        ).id,
      )
    }
    expect(await listFlakeEvents()).toHaveLength(3)
    // Two environments on one commit say nothing.
    const legs = await build(
      { both: 'passed' },
      { metadata: { branch: 'main', commit: 'def5678' }, upload: { job: 'a', variant: 'linux' }, isOpen: true },
    )
    await upload(legs.id, { both: 'failed' }, { job: 'a', variant: 'windows' })
    await evaluate(legs.id)
    expect(await listFlakeEvents()).toHaveLength(3)
    await patch(second.id, { excluded: true })
    await evaluate(second.id)
    await evaluate(first.id)
    expect((await listFlakeEvents()).map(({ name }) => name)).toEqual(['retried', 'turns'])
  })

  it('counts two matrix legs without a variant as one test, the worse of them, and no flake', async () => {
    const { build, upload, evaluate, getVerdicts, listFlakeEvents } = await makeEvaluationScenario(server)
    const leg = (label: string) => ({ job: 'test', instance: label, label, build_attempt: 1 })
    const run = await build({ pays: 'failed' }, { metadata: PR, upload: leg('linux'), isOpen: true })
    await upload(run.id, { pays: 'passed' }, leg('mac'))
    const before = await evaluate(run.id)
    expect(before).toMatchObject({ tests: { executed: 1, failed: 1 }, counts: { new: 1, flaked: 0 } })
    // The same delivered again changes nothing.
    await upload(run.id, { pays: 'passed' }, { ...leg('mac'), finished_at: '2026-01-05T12:00:00.000Z' })
    expect(await evaluate(run.id)).toMatchObject({ tests: before.tests, counts: before.counts })
    expect(await getVerdicts(run.id)).toEqual({ pays: 'new!' })
    expect(await getVerdicts(run.id, 'job=test')).toEqual({ pays: 'new!' })
    expect(await getVerdicts(run.id, 'job=other')).toEqual({})
    expect(await listFlakeEvents()).toEqual([])
    const two = await build({ pays: 'failed' }, { metadata: PR, upload: { job: 'test', variant: 'a' }, isOpen: true })
    await upload(two.id, { pays: 'passed' }, { job: 'test', variant: 'b' })
    expect(await evaluate(two.id)).toMatchObject({ tests: { executed: 2, failed: 1 } })
  })

  it('blocks for errors outside of tests, and follows what is left out and put back', async () => {
    const { build, evaluate, get, getVerdicts, findTestId, token } = await makeEvaluationScenario(server)
    const run = await build(
      { fails: 'failed' },
      { isOpen: true, upload: { suite_errors: [{ where: 'a.ts', message: 'no' }] } },
    )
    expect(await evaluate(run.id)).toMatchObject({ blocking_count: 2, suite_error_count: 1, counts: { new: 1 } })
    const errors = await get<{ data: { id: string }[] }>(`/v1/runs/${run.id}/suite-errors`)
    const post = (path: string) => server.request('POST', `/v1/runs/${run.id}/${path}/leave-out`, { token })
    await post(`suite-errors/${errors.data[0]?.id}`)
    const testId = await findTestId('fails')
    await post(`tests/${testId}`)
    const empty = await evaluate(run.id)
    expect(empty).toMatchObject({ is_current: true, blocking_count: 0, suite_error_count: 0, tests: { executed: 0 } })
    expect(empty.warnings.map(({ code }) => code)).toEqual(['no_tests', 'no_base'])
    await server.request('DELETE', `/v1/runs/${run.id}/left-out/${testId}`, { token })
    expect(await getVerdicts(run.id)).toEqual({ fails: 'new!' })
  })

  it('stands beside the runs of a list that asks for it', async () => {
    const { project, upload, evaluate, makeRunByKey } = await makeEvaluationScenario(server)
    const run = await makeRunByKey('blocked', { metadata: { branch: 'main', commit: 'aaaaaaa' } })
    await makeRunByKey('without tests', {})
    await upload(run.id, { pays: 'failed', searches: 'passed' })
    const { counts, blocking_count, excluded } = await evaluate(run.id)
    const list = async (query: string) => {
      const path = `/v1/projects/${project.id}/runs${query}`
      const { body } = await server.request<{ data: Run[] }>('GET', path, { token: project.admin.token })
      return body.data.slice(0, 2).map(({ evaluation }) => evaluation)
    }
    expect(blocking_count).toBe(1)
    expect(await list('?fields=evaluation')).toEqual([
      undefined,
      { is_current: true, excluded, counts, blocking_count },
    ])
    expect(await list('')).toEqual([undefined, undefined])
    await upload(run.id, { searches: 'failed' })
    expect((await list('?fields=evaluation')).at(1)).toMatchObject({ is_current: false, blocking_count })
  })

  it('is complete when all shards of the jobs that have begun are there, and lists missing tests then', async () => {
    const { build, evaluate, makeRunByKey, upload, token } = await makeEvaluationScenario(server)
    await build({ a: 'passed', b: 'passed' })
    const run = await makeRunByKey('sharded', { metadata: PR, job: 'test', expected_shards: 2 })
    await upload(run.id, { a: 'passed' }, { job: 'test', shard: '1' })
    const done = (shard: number) =>
      server.request('POST', `/v1/runs/${run.id}/shards/${shard}/done`, { token, body: { job: 'test' } })
    await done(1)
    const half = await evaluate(run.id)
    expect(half).toMatchObject({ is_complete: false, counts: { missing: 0 } })
    expect(half.warnings.map(({ code }) => code)).toEqual(['incomplete'])
    await done(2)
    const whole = await evaluate(run.id)
    expect(whole).toMatchObject({ is_complete: true, counts: { missing: 1 } })
    expect(whole.warnings.map(({ code }) => code)).toEqual(['missing_tests'])
  })
})

describe('the jobs of evaluations', () => {
  it('evaluate a run soon while it reports every half second, settle it, and announce that', async () => {
    const { build, upload, project, token } = await makeEvaluationScenario(server)
    const worker = await server.startWorker()
    const run = await build({ a: 'passed' }, { isOpen: true })
    const events = await openEventStream(server.url, `/v1/projects/${project.id}/events`, { token })
    const select = async () => {
      const { rows } = await sql<{ known: number | null; count: number; settled_at: Date | null }>`
        select evaluated_upload_count as known, upload_count as count, settled_at from runs where id = ${run.id}`.execute(
        server.db,
      )
      return rows[0] ?? { known: null, count: 0, settled_at: null }
    }
    let behindSince: number | null = null
    let longest = 0
    const start = Date.now()
    let known: number | null = null
    while (Date.now() - start < 6000) {
      await upload(run.id, { a: Date.now() % 2 === 0 ? 'failed' : 'passed' })
      const state = await select()
      if (state.known !== known) behindSince = null
      known = state.known
      behindSince ??= Date.now()
      longest = Math.max(longest, Date.now() - behindSince)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    expect(longest).toBeLessThan(5000)
    const { data } = await events.next<{ run_id: string; counts: EvaluationCounts; blocking_count: number }>(
      'evaluation',
    )
    expect(data).toMatchObject({ run_id: run.id, counts: { missing: 0 }, blocking_count: expect.any(Number) })
    await waitUntil(async () => (await select()).known === (await select()).count, 'the evaluation knows all uploads')
    expect((await select()).settled_at).toBeNull()
    await sql`update runs set last_upload_at = now() - interval '31 minutes' where id = ${run.id}`.execute(server.db)
    await settleRunsJob.run(server.db, new AbortController().signal)
    await waitUntil(async () => (await select()).settled_at !== null, 'the run is settled')
    await worker.stop()
  }, 60_000)

  it('leave a run with very many failures to the job, and say when to ask again', async () => {
    const { build, get, token } = await makeEvaluationScenario(server)
    const run = await build(repeat(10, 'failed'), { isOpen: true })
    await sql`update runs set failed_test_count = 5001 where id = ${run.id}`.execute(server.db)
    const path = `/v1/runs/${run.id}/evaluation`
    const response = await server.request<{ data: Evaluation }>('GET', path, { token })
    expect(response.headers.get('retry-after')).toBe('2')
    expect(response.body.data).toMatchObject({ is_current: false, evaluated_at: null })
    const waiting = get<{ data: Evaluation }>(`${path}?wait=30`)
    const worker = await server.startWorker()
    expect((await waiting).data).toMatchObject({ is_current: true, counts: { new: 10 } })
    await worker.stop()
    await sql`update runs set failed_test_count = 10 where id = ${run.id}`.execute(server.db)
  }, 60_000)
})
