import type { RunTestDetail } from '@caseward/contract/run-tests'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { permute } from '@caseward/test-support/permute'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

type Status = 'passed' | 'failed' | 'blocked' | 'interrupted' | 'skipped'

/** An upload of the test `pays`: its outcome, and where it ran. */
type Upload = [statuses: Status[], source: Record<string, unknown>]

const leg = (label: string, buildAttempt = 1, instance = `runner of ${label} ${buildAttempt}`) => ({
  job: 'test',
  instance,
  label,
  build_attempt: buildAttempt,
})
const gitlab = (index: number, jobId: number) => ({ job: 'unit', instance: String(index), build_attempt: jobId })

/** Each upload finishes a minute after the one before it. */
const SITUATIONS: readonly (readonly [name: string, uploads: Upload[], outcome: Status, isFlaky: boolean])[] = [
  [
    'two jobs, of which the first fails',
    [
      [['failed'], { job: 'a' }],
      [['passed'], { job: 'b' }],
    ],
    'failed',
    false,
  ],
  [
    'two legs of a matrix, of which the first fails',
    [
      [['failed'], leg('windows')],
      [['passed'], leg('linux')],
    ],
    'failed',
    false,
  ],
  [
    'a job that says where it ran, and one that does not',
    [
      [['failed'], leg('linux')],
      [['passed'], {}],
    ],
    'failed',
    false,
  ],
  [
    'a suite that is started again in the same job',
    [
      [['failed'], leg('linux')],
      [['passed'], leg('linux')],
    ],
    'passed',
    false,
  ],
  [
    'a later build attempt of the same instance',
    [
      [['failed'], gitlab(1, 100)],
      [['passed'], gitlab(1, 205)],
    ],
    'passed',
    true,
  ],
  [
    'a later build attempt that fails',
    [
      [['passed'], gitlab(1, 100)],
      [['failed'], gitlab(1, 205)],
    ],
    'failed',
    false,
  ],
  [
    'parallel jobs with numbers that grow, as in GitLab',
    [
      [['failed'], gitlab(1, 100)],
      [['passed'], gitlab(2, 101)],
    ],
    'failed',
    false,
  ],
  [
    'a failed leg of a matrix that runs again on another runner',
    [
      [['failed'], leg('windows')],
      [['passed'], leg('linux')],
      [['passed'], leg('windows', 2)],
    ],
    'passed',
    true,
  ],
  [
    'two failed legs, of which one runs again',
    [
      [['failed'], leg('windows')],
      [['failed'], leg('linux')],
      [['passed'], leg('windows', 2)],
    ],
    'failed',
    false,
  ],
  [
    'a leg that runs again on the runner that another leg had',
    [
      [['failed'], leg('windows', 1, 'runner 1')],
      [['failed'], leg('linux', 1, 'runner 2')],
      [['passed'], leg('linux', 2, 'runner 1')],
    ],
    'failed',
    false,
  ],
  [
    'a filtered suite that lists the rest as skipped',
    [
      [['failed'], leg('linux')],
      [['skipped'], leg('linux')],
    ],
    'failed',
    false,
  ],
  [
    'a filtered suite that skips a failure, and another job that passes before it',
    [
      [['failed'], leg('linux')],
      [['passed'], { job: 'b' }],
      [['skipped'], leg('linux')],
    ],
    'failed',
    false,
  ],
  [
    'a script that runs failed tests of any job again',
    [
      [['failed'], { job: 'a' }],
      [['passed'], { job: 'b' }],
      [['passed'], { job: 'again', rerun: true }],
    ],
    'passed',
    true,
  ],
  [
    'a job that fails after such a script',
    [
      [['failed'], { job: 'a' }],
      [['passed'], { job: 'again', rerun: true }],
      [['failed'], { job: 'b' }],
    ],
    'failed',
    false,
  ],
  [
    'a flaky test in one job and an interrupted one in another',
    [
      [['failed', 'passed'], { job: 'a' }],
      [['interrupted'], { job: 'b' }],
    ],
    'interrupted',
    false,
  ],
  [
    'a flaky test in one job that passes in another',
    [
      [['failed', 'passed'], { job: 'a' }],
      [['passed'], { job: 'b' }],
    ],
    'passed',
    true,
  ],
]

describe('several uploads that report one test', () => {
  it.each(SITUATIONS)('count the same in any order, at once or again: %s', async (_name, uploads, outcome, isFlaky) => {
    const { makeRunByKey, uploadTests, listRunTests, getRunTest, getRun, project, token } = await makeTestsScenario(
      server,
      1,
    )
    const send = (runId: string, index: number) => {
      const [statuses, source] = uploads[index] ?? [[], {}]
      const finished_at = `2026-11-21T10:0${index}:00Z`
      return uploadTests([makeTest('WEB-1 pays', statuses)], { run_id: runId, finished_at, ...source })
    }
    const seen = new Set<string>()
    const read = async (runId: string) => {
      const [test] = (await listRunTests('', runId)).data
      const { parts: numbered, ...detail } = await getRunTest(test?.id ?? '', runId)
      // Sources are numbered in the order of the uploads.
      const parts = numbered.map(({ source: _number, ...part }) => part)
      expect({ outcome: detail.outcome, is_flaky: detail.is_flaky }).toEqual({ outcome, is_flaky: isFlaky })
      const { data } = (
        await server.request<{ data: Record<string, unknown>[] }>('GET', `/v1/runs/${runId}/results`, { token })
      ).body
      const { status, note, elapsed, tested_at: testedAt } = data[0] ?? {}
      const { stats, test_stats: testStats } = await getRun(runId)
      seen.add(JSON.stringify({ detail, parts, result: { status, note, elapsed, testedAt }, stats, testStats }))
    }
    const orders = [...permute([...uploads.keys()])]
    for (const [round, order] of orders.entries()) {
      const { id } = await makeRunByKey(`round ${round}`)
      for (const index of order) expect((await send(id, index)).status).toBeLessThan(300)
      await read(id)
    }
    const { id } = await makeRunByKey('in parallel')
    await Promise.all([...uploads.keys()].map((index) => send(id, index)))
    await read(id)
    // A replay of the spool sends again what was stored.
    for (const index of [...uploads.keys()].toReversed()) expect((await send(id, index)).status).toBeLessThan(300)
    await read(id)
    expect(seen.size).toBe(1)
    await expectCorrectCounters(server, project.id)
  })
})

describe('a job that runs again', () => {
  type Report = [status: Status, source: Record<string, unknown>]
  const legs = ['linux 20', 'linux 22', 'windows 20', 'windows 22']
  const [broken = ''] = legs
  /** The runner of each leg is another one in the next build attempt. */
  const matrix = (names: readonly string[], buildAttempt: number, hasVariants: boolean): Report[] =>
    names.map((name) => [
      buildAttempt === 1 && name === broken ? 'failed' : 'passed',
      { ...leg(name, buildAttempt), ...(hasVariants ? { variant: name } : {}) },
    ])
  const parallel = (job: string, index: number, jobId: number, status: Status): Report => [
    status,
    { job, instance: String(index), shard: `${index}/2`, build_attempt: jobId },
  ]

  async function report(...attempts: Report[][]) {
    const { uploadTests, listRunTests, getRun } = await makeTestsScenario(server)
    const finishedAt = new Date().toISOString()
    const send = async (reports: Report[]) => {
      const upload = ([status, source]: Report) =>
        uploadTests([makeTest('pays', [status])], { finished_at: finishedAt, ...source })
      await Promise.all(reports.map(upload))
      const { passed, failed, flaky } = (await getRun()).test_stats
      return { passed, failed, flaky }
    }
    const stats: unknown[] = []
    for (const reports of attempts) stats.push(await send(reports))
    // A replay of the spool sends again what was stored.
    for (const reports of attempts) expect(await send(reports)).toEqual(stats.at(-1))
    const tests = (await listRunTests()).data
    const flakyByVariant = Object.fromEntries(tests.map(({ variant, is_flaky: isFlaky }) => [variant, isFlaky]))
    return { stats, flakyByVariant }
  }

  it.each([
    ['failed jobs of a matrix of four, without variants', [broken], false],
    ['all jobs of a matrix of four, without variants', legs, false],
    ['failed jobs of a matrix of four, with variants', [broken], true],
    ['all jobs of a matrix of four, with variants', legs, true],
  ])("turns what had failed into a flaky test after GitHub's rerun of %s", async (_what, again, hasVariants) => {
    const { stats, flakyByVariant } = await report(matrix(legs, 1, hasVariants), matrix(again, 2, hasVariants))
    const count = hasVariants ? legs.length : 1
    expect(stats).toEqual([
      { passed: count - 1, failed: 1, flaky: 0 },
      { passed: count, failed: 0, flaky: 1 },
    ])
    const flaky = hasVariants ? legs.map((name) => [name, name === broken]) : [['', true]]
    expect(flakyByVariant).toEqual(Object.fromEntries(flaky))
  })

  it('counts the worst of two jobs of GitLab with two parallel jobs each, until all that failed have passed', async () => {
    const first = [
      parallel('unit', 1, 100, 'failed'),
      parallel('unit', 2, 101, 'passed'),
      parallel('browser', 1, 102, 'passed'),
      parallel('browser', 2, 103, 'failed'),
    ]
    const { stats } = await report(first, [parallel('unit', 1, 110, 'passed')], [parallel('browser', 2, 111, 'passed')])
    expect(stats).toEqual([
      { passed: 0, failed: 1, flaky: 0 },
      { passed: 0, failed: 1, flaky: 0 },
      { passed: 1, failed: 0, flaky: 1 },
    ])
  })
})

describe('GET /v1/runs/:run_id/tests/:test_id', () => {
  it('returns what each source reported, with the job and where it ran', async () => {
    const { uploadTests, listRunTests, getRunTest } = await makeTestsScenario(server, 1)
    const url = 'https://ci.example.com/jobs/1'
    await uploadTests([makeTest('pays', ['failed'])], { ...leg('windows'), job_url: url })
    await uploadTests([makeTest('pays')], { ...leg('linux'), job_url: 'javascript:alert(1)' })
    const [test] = (await listRunTests()).data
    const { parts } = await getRunTest(test?.id ?? '')
    expect(parts).toMatchObject([
      { job: 'test', label: 'linux', build_attempt: 1, outcome: 'passed', job_url: '' },
      { job: 'test', label: 'windows', build_attempt: 1, outcome: 'failed', job_url: url },
    ] satisfies Partial<RunTestDetail['parts'][number]>[])
  })
})
