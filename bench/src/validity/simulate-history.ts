import type { Evaluation } from '@caseward/contract/evaluation'
import { createRandom } from '@caseward/server/features/demo/random'
import { groupBy } from '@caseward/server/platform/group-by'
import type { Verdict, TestVerdict } from '@caseward/contract/verdicts'

import type { BugFailure, KnownFailure, RerunTest } from './known-failures.ts'

const COMMITS = 120
const STABLE_TESTS = 300
const MAX_ATTEMPTS = 3
/** So many commits a regression stays on the main branch. */
const REGRESSION_COMMITS = 12
const REGRESSIONS = 10
const OUTAGES = 5
const OUTAGE_SHARE = 0.9
const QUARANTINED = 5
/** Flake events that make a test flaky. */
const FLAKY_EVENTS = 2
const OUTAGE: Text = { message: 'Error: connect ECONNREFUSED 127.0.0.1:5432', details: '' }

type Text = Pick<KnownFailure, 'message' | 'details'>
type Request = <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, token?: string) => Promise<T>

/** Why a test of a run failed, or passed again. */
type Cause = 'own' | 'regression' | 'flake' | 'outage' | 'new test'

interface Outcome {
  /** The texts of the attempts that failed. */
  failures: Text[]
  hasFailed: boolean
  cause: Cause | null
}

export interface History {
  /** Runs of pull requests with a cause for what failed, and the verdict of each. */
  table: Map<string, number>
  agreed: number
  total: number
  /** Failures of a change's own that do not block. */
  hiddenRegressions: number
  /** Stable tests that are called flaky, because of regressions or outages. */
  falselyFlaky: number
}

/**
 * Reports months of builds to a running service, and compares its verdicts with what is known to be their cause: tests that fail
 * at the rates of the study, with texts of real flaky tests; regressions with the texts of real bugs, on the main branch and in
 * pull requests; outages; quarantined and new tests.
 */
export async function simulateHistory(
  request: Request,
  {
    tests,
    bugs,
    flakes,
  }: { tests: readonly RerunTest[]; bugs: readonly BugFailure[]; flakes: readonly KnownFailure[] },
  seed: number,
): Promise<History> {
  const random = createRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const { data: project } = await request<{ data: { id: string } }>('POST', '/v1/projects', {
    name: `Validity ${seed}`,
    prefix: 'V'.repeat(seed + 1),
  })
  const {
    data: { token: ciToken },
  } = await request<{ data: { token: string } }>('POST', `/v1/projects/${project.id}/tokens`, { name: 'CI' })
  const rates = new Map(tests.filter(({ failureRate }) => failureRate > 0).map((test) => [test.name, test.failureRate]))
  const stable = tests
    .filter(({ failureRate, name }) => failureRate === 0 && !rates.has(name))
    .slice(0, STABLE_TESTS)
    .map(({ name }) => name)
  const textsByTest = [...groupBy(flakes, ({ name }) => name).values()]
  const flakeTexts = new Map([...rates.keys()].map((name) => [name, pick(textsByTest)]))
  const bugTexts = [...groupBy(bugs, ({ project: of, bug }) => `${of} ${bug}`).values()]
  const regressions = Array.from({ length: REGRESSIONS }, () => ({
    start: Math.floor(random() * (COMMITS - REGRESSION_COMMITS)),
    failures: breakTests(),
  }))
  const outages = new Set(Array.from({ length: OUTAGES }, () => Math.floor(random() * COMMITS)))
  const quarantined = [...rates]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, QUARANTINED)
    .map(([name]) => name)
  const events = new Map<string, number>()
  const history: History = { table: new Map(), agreed: 0, total: 0, hiddenRegressions: 0, falselyFlaky: 0 }

  /** Some stable tests, with the texts of a bug. */
  function breakTests(): Map<string, Text> {
    return new Map(
      pick(bugTexts)
        .slice(0, 3)
        .map((text) => [pick(stable), text]),
    )
  }
  function runTests(broken: ReadonlyMap<string, Text>): Map<string, Outcome> {
    const outcomes = new Map<string, Outcome>()
    for (const name of [...stable, ...rates.keys()]) {
      const text = broken.get(name)
      const failures: Text[] = []
      const rate = text === undefined ? (rates.get(name) ?? 0) : 1
      while (failures.length < MAX_ATTEMPTS && random() < rate) {
        failures.push(text ?? pick(flakeTexts.get(name) ?? [OUTAGE]))
      }
      outcomes.set(name, { failures, hasFailed: failures.length === MAX_ATTEMPTS, cause: null })
    }
    return outcomes
  }
  async function report(runId: string, outcomes: ReadonlyMap<string, Outcome>, buildAttempt: number): Promise<void> {
    const reported = [...outcomes].map(([name, { failures, hasFailed }]) => ({
      suite: name.slice(0, name.lastIndexOf('.')),
      name,
      attempts: [
        ...failures.map((text) => ({ status: 'failed', elapsed_ms: 10, ...text })),
        ...(hasFailed ? [] : [{ status: 'passed', elapsed_ms: 10 }]),
      ],
    }))
    await request(
      'POST',
      '/v1/results',
      {
        run_id: runId,
        format: 'tests',
        tests: reported,
        job: 'test',
        build_attempt: buildAttempt,
      },
      ciToken,
    )
  }
  async function build(metadata: object): Promise<string> {
    const key = JSON.stringify(metadata).slice(0, 200)
    const { data } = await request<{ data: { id: string } }>('POST', `/v1/projects/${project.id}/runs`, {
      name: key,
      run_key: key,
      metadata: { default_branch: 'main', ...metadata },
    })
    return data.id
  }
  async function settle(runId: string): Promise<void> {
    await request('PATCH', `/v1/runs/${runId}`, { status: 'completed' })
    await request<{ data: Evaluation }>('GET', `/v1/runs/${runId}/evaluation`)
  }
  function fail(outcomes: Map<string, Outcome>, name: string, text: Text, cause: Cause): void {
    outcomes.set(name, { failures: Array.from({ length: MAX_ATTEMPTS }, () => text), hasFailed: true, cause })
  }
  /** The retries of a commit show which tests are flaky. */
  function countEvents(outcomes: ReadonlyMap<string, Outcome>): void {
    for (const [name, { failures, hasFailed }] of outcomes) {
      if (failures.length > 0 && !hasFailed) events.set(name, (events.get(name) ?? 0) + 1)
    }
  }

  for (let commit = 0; commit < COMMITS; commit += 1) {
    const broken = new Map(
      regressions
        .filter(({ start }) => commit >= start && commit < start + REGRESSION_COMMITS)
        .flatMap(({ failures }) => [...failures]),
    )
    const main = runTests(broken)
    const mainRun = await build({ branch: 'main', commit: `a${String(commit).padStart(7, '0')}` })
    if (outages.has(commit)) {
      const down = new Map(main)
      for (const name of main.keys()) if (random() < OUTAGE_SHARE) fail(down, name, OUTAGE, 'outage')
      await report(mainRun, down, 1)
    }
    await report(mainRun, main, outages.has(commit) ? 2 : 1)
    await settle(mainRun)
    countEvents(main)
    if (commit === Math.floor(COMMITS / 3)) await quarantine(quarantined)

    const own = random() < 0.5 ? breakTests() : new Map<string, Text>()
    const change = runTests(new Map([...broken, ...own]))
    for (const name of broken.keys()) setCause(change, name, 'regression')
    for (const name of own.keys()) setCause(change, name, 'own')
    if (random() < 0.2) fail(change, `new.test.of.change${commit}`, pick(pick(bugTexts)), 'new test')
    const isDown = random() < 0.03
    if (isDown) for (const name of change.keys()) if (random() < OUTAGE_SHARE) fail(change, name, OUTAGE, 'outage')
    const run = await build({
      branch: `change-${commit}`,
      base_branch: 'main',
      commit: `b${String(commit).padStart(7, '0')}`,
    })
    await report(run, change, 1)
    await settle(run)
    const isQuarantined = (name: string) => commit >= Math.floor(COMMITS / 3) && quarantined.includes(name)
    await judge(run, change, main, isQuarantined)
    if (!isDown) countEvents(change)
  }

  function setCause(outcomes: ReadonlyMap<string, Outcome>, name: string, cause: Cause): void {
    const outcome = outcomes.get(name)
    if (outcome !== undefined) outcome.cause = cause
  }
  async function quarantine(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const path = `/v1/projects/${project.id}/tests?search=${encodeURIComponent(name)}&per_page=10`
      const { data } = await request<{ data: { id: string; name: string }[] }>('GET', path)
      const id = data.find((test) => test.name === name)?.id
      if (id === undefined) throw new Error(`There is no test ${name}`)
      await request('POST', `/v1/projects/${project.id}/quarantines`, { test_id: id, reason: 'fails often' })
    }
  }
  async function judge(
    run: string,
    change: ReadonlyMap<string, Outcome>,
    main: ReadonlyMap<string, Outcome>,
    isQuarantined: (name: string) => boolean,
  ): Promise<void> {
    const { data } = await request<{ data: TestVerdict[] }>('GET', `/v1/runs/${run}/verdicts?per_page=500`)
    const verdicts = new Map(data.map((verdict) => [verdict.name, verdict]))
    for (const [name, outcome] of change) {
      const expected = expectVerdict(name, outcome, main.get(name), isQuarantined(name))
      const found = verdicts.get(name)
      if (expected === null && found === undefined) continue
      const row = `${outcome.cause ?? (outcome.failures.length > 0 ? 'flake' : 'passed')}: expected ${expected ?? 'none'}, found ${found?.verdict ?? 'none'}`
      history.table.set(row, (history.table.get(row) ?? 0) + 1)
      history.total += 1
      if (expected === (found?.verdict ?? null)) history.agreed += 1
      if ((outcome.cause === 'own' || outcome.cause === 'new test') && found?.blocks !== true)
        history.hiddenRegressions += 1
    }
  }
  /** What a person who knows the cause would say; null for nothing. */
  function expectVerdict(
    name: string,
    { failures, hasFailed, cause }: Outcome,
    base: Outcome | undefined,
    isQuarantined: boolean,
  ): Verdict | null {
    if (!hasFailed) return failures.length > 0 ? 'flaked' : base?.hasFailed === true ? 'fixed' : null
    if (isQuarantined) return 'quarantined'
    if (cause === 'regression') return 'already_red'
    if (cause === 'outage') return 'environment'
    if (cause === 'new test') return 'new_test'
    if (cause === 'own') return base?.hasFailed === true ? 'changed' : 'new'
    if (base?.hasFailed === true) {
      return isSameText(failures.at(-1), base.failures.at(-1)) ? 'already_red' : 'changed'
    }
    return (events.get(name) ?? 0) >= FLAKY_EVENTS ? 'known_flaky' : 'new'
  }

  const { data: flaky } = await request<{ data: { name: string }[] }>(
    'GET',
    `/v1/projects/${project.id}/tests?stability=flaky&per_page=500`,
  )
  history.falselyFlaky = flaky.filter(({ name }) => !rates.has(name)).length
  return history
}

/** Of flaky tests, only the number and the duration differ in some. */
const isSameText = (a: Text | undefined, b: Text | undefined): boolean => cutNumbers(a) === cutNumbers(b)

const cutNumbers = (text: Text | undefined): string =>
  `${text?.message}\n${text?.details.replaceAll(/^not ok \d+|duration_ms: [\d.]+/gm, '')}`
