import { readFile } from 'node:fs/promises'

import type { Run } from '@caseward/contract/run-schemas'
import type { RunJob } from '@caseward/contract/run-jobs'
import type { RunTestDetail } from '@caseward/contract/run-tests'
import { completeQuietRunsJob } from '@caseward/server/features/runs/complete-quiet-runs'
import { getRunResults, makeCiToken, makeProject, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { azure } from './ci-guide/azure.ts'
import { bitbucket } from './ci-guide/bitbucket.ts'
import { buildkite } from './ci-guide/buildkite.ts'
import { circleci } from './ci-guide/circleci.ts'
import type { CiSystem, Execution } from './ci-guide/execution.ts'
import { github } from './ci-guide/github.ts'
import { gitlab } from './ci-guide/gitlab.ts'
import { listSettings, readGateCommand, readGateSnippets, readSnippets } from './ci-guide/guide.ts'
import { jenkins } from './ci-guide/jenkins.ts'
import { createShop, type JobOutcome, type Shop } from './ci-guide/shop.ts'

/*
 * The configurations of docs/guide/ci.md are expanded as each CI system does, and their shell steps are run with the variables
 * that the CI system sets. What the guide promises of several jobs is checked in the run.
 */

const CI_SYSTEMS: readonly CiSystem[] = [github, gitlab, circleci, azure, buildkite, bitbucket, jenkins]
const snippets = readSnippets()
const gateSnippets = readGateSnippets()

/** The shell runs the commands of every system. In this one, what they start are processes, too. */
const WITH_PROCESSES = github

const server = useSharedServer()

/** The last job of a build, which runs the command that the guide has for all CI systems. */
function createGate(job: Execution | undefined): Execution {
  const env = { ...job?.env, ...job?.steps.at(-1)?.env }
  return { job: 'gate', env, steps: [{ command: readGateCommand() }] }
}

type Pipeline = Awaited<ReturnType<typeof startPipeline>>

/** Reads the snippet for a new project, whose runs of CI complete as soon as nothing is missing. */
async function startPipeline(ciSystem: CiSystem, shop: Shop, snippet = snippets[ciSystem.name]) {
  const project = await makeProject(server)
  const { token } = project.admin
  await makeTestCases(server, project, 5)
  await server.request('PATCH', `/v1/projects/${project.id}/run-settings`, {
    token,
    body: { complete_after_minutes: 0 },
  })
  const build = { checkout: shop.checkout, token: await makeCiToken(server, project) }
  const executions = ciSystem.expand(snippet ?? '', build)
  const list = (job: string) => executions.filter((execution) => execution.job === job)
  const get = async <T>(path: string) => (await server.request<{ data: T }>('GET', path, { token })).body.data
  return {
    list,
    hasJava: executions.some(({ steps }) => steps.some(({ command }) => command.includes('mvn '))),
    gate: list('gate')[0] ?? createGate(list('unit')[0]),
    /** Runs jobs at the same time. Returns their outcomes. */
    execute: (jobs: readonly Execution[], fails = '') =>
      Promise.all(jobs.map((execution) => shop.execute(execution, server.url, fails))),
    executeAgain: (jobs: readonly Execution[], fails = '') =>
      Promise.all(
        jobs.map(({ env, ...job }) =>
          shop.execute({ ...job, env: { ...env, ...ciSystem.rerun(env) } }, server.url, fails),
        ),
      ),
    listRuns: () => get<Run[]>(`/v1/projects/${project.id}/runs`),
    /** What the newest run of the pipeline has now. */
    async readRun() {
      await completeQuietRunsJob.run(server.db, new AbortController().signal)
      const [run] = await get<Run[]>(`/v1/projects/${project.id}/runs`)
      const path = `/v1/runs/${run?.id ?? ''}`
      const tests = await get<{ id: string }[]>(`${path}/tests?per_page=100`)
      const details = await Promise.all(tests.map(({ id }) => get<RunTestDetail>(`${path}/tests/${id}`)))
      const results = await getRunResults(server, run?.id ?? '', token)
      return {
        run,
        tests: details,
        statuses: Object.fromEntries([...results.values()].map(({ test_case_id: id, status }) => [id, status])),
        jobs: await get<RunJob[]>(`${path}/jobs`),
      }
    },
  }
}

type ReadRun = Awaited<ReturnType<Pipeline['readRun']>>

const findTests = ({ tests }: ReadRun, name: string) => tests.filter((test) => test.name === name)

const listOutcomesByModule = (run: ReadRun, name: string) =>
  Object.fromEntries(findTests(run, name).map(({ module, outcome }) => [module, outcome]))

describe.each(CI_SYSTEMS)('The snippet of the guide for $name', (ciSystem) => {
  let shop: Shop
  let pipeline: Pipeline
  let withMissingShard: ReadRun
  let first: ReadRun
  let firstGate: JobOutcome | undefined
  let again: ReadRun
  let secondGate: JobOutcome | undefined
  beforeAll(async () => {
    shop = await createShop({ withProcesses: ciSystem === WITH_PROCESSES })
    pipeline = await startPipeline(ciSystem, shop)
    const { list, execute, executeAgain, readRun, gate } = pipeline
    // The first and the last leg differ in every axis of the matrix.
    const legs = [...list('systems').slice(0, 1), ...list('systems').slice(-1)]
    const shards = list('browser')
    const failing = [...list('unit'), ...legs.slice(0, 1), ...list('packages'), ...list('java')]
    // Failures come first: the passes of other jobs must not replace them.
    await execute(failing, 'WEB-1 WEB-5 cart java-cart')
    await execute([...legs.slice(1), ...shards.slice(0, -1)])
    withMissingShard = await readRun()
    await execute(shards.slice(-1))
    first = await readRun()
    ;[firstGate] = await execute([gate])
    await executeAgain(failing)
    again = await readRun()
    ;[secondGate] = await executeAgain([gate])
  })
  afterAll(() => shop.remove())

  it('has one job, a matrix, shards and packages, which report to one run without errors outside of tests', async () => {
    const counts = ['unit', 'systems', 'browser', 'packages'].map((job) => pipeline.list(job).length)
    expect(counts).toEqual([1, expect.toSatisfy(isSeveral), expect.toSatisfy(isSeveral), 1])
    expect(first.run).toMatchObject({ test_stats: { errors: 0 } })
    expect(await pipeline.listRuns()).toHaveLength(ciSystem.rerunsInNewBuild === true ? 2 : 1)
  })

  it('keeps the failure of a job when another job passes the same test', () => {
    const [test, ...others] = findTests(first, 'WEB-1 pays')
    expect(others).toEqual([])
    expect(test?.parts.map(({ outcome }) => outcome).toSorted()).toEqual(['failed', 'passed'])
    expect([test?.outcome, test?.is_flaky, first.statuses['WEB-1']]).toEqual(['failed', false, 'failed'])
  })

  it('keeps the legs of the matrix beside each other, each with its own outcome', () => {
    const legs = findTests(first, 'WEB-5 arrives')
    expect(new Set(legs.map(({ variant }) => variant)).size).toBe(2)
    expect(legs.map(({ outcome }) => outcome).toSorted()).toEqual(['failed', 'passed'])
    expect(first.statuses['WEB-5']).toBe('failed')
  })

  it('completes the run when the last shard is done, and not before', () => {
    const count = pipeline.list('browser').length
    expect(withMissingShard.run?.status).toBe('in_progress')
    expect(withMissingShard.jobs.filter(({ is_done: isDone }) => !isDone)).toMatchObject([{ expected_shards: count }])
    expect(first.run?.status).toBe('completed')
    const sharded = first.jobs.filter(({ expected_shards: expected }) => expected !== null)
    expect(sharded.map(({ shards_done: done }) => done.length)).toEqual([count])
  })

  it('tells equal tests of packages apart', () => {
    expect(listOutcomesByModule(first, 'adds up')).toEqual({ 'packages/cart': 'failed', 'packages/checkout': 'passed' })
    const modules = pipeline.hasJava ? { 'java/cart': 'failed', 'java/checkout': 'passed' } : {}
    expect(listOutcomesByModule(first, 'weighs')).toEqual(modules)
  })

  it('fails the build at its gate until what failed has passed', () => {
    expect(firstGate).toMatchObject({ hasFailed: true, output: expect.stringContaining('failed: WEB-1') })
    expect(secondGate).toMatchObject({ hasFailed: false })
  })

  it('reports a rerun as what the guide says', () => {
    const outcomes = again.tests.map(({ name, outcome }) => `${name}: ${outcome}`)
    expect(outcomes.filter((line) => !line.endsWith(': passed'))).toEqual([])
    expect(again.statuses['WEB-1']).toBe('passed')
    // A further attempt leaves a trace: the test is flaky.
    const flaky = again.tests.filter(({ is_flaky: isFlaky }) => isFlaky)
    const repeated = first.tests.filter(({ outcome }) => outcome === 'failed')
    expect(flaky.map(({ id }) => id).toSorted()).toEqual(
      ciSystem.rerunsInNewBuild === true ? [] : repeated.map(({ id }) => id).toSorted(),
    )
  })
})

describe.each(CI_SYSTEMS)('The gate of the guide for $name', (ciSystem) => {
  it('blocks the build for a new failure of a job that it lets pass, until that passes', async () => {
    const shop = await createShop({ withProcesses: false })
    onTestFinished(() => shop.remove())
    const { list, execute, executeAgain } = await startPipeline(ciSystem, shop, gateSnippets[ciSystem.name])
    const [gate] = list('gate')
    const browser = list('browser')
    if (gate === undefined) throw new Error('The snippet has no gate.')
    await execute(browser, 'WEB-1')
    const [blocked] = await execute([gate])
    expect(blocked).toMatchObject({ hasFailed: true, output: expect.stringMatching(/1 new[^]*new: .*WEB-1 pays/) })
    await executeAgain(browser)
    const [passed] = await executeAgain([gate])
    expect(passed).toMatchObject({ hasFailed: false, output: expect.stringContaining('4 tests') })
  })
})

const isSeveral = (count: number) => count > 1

describe('The guide', () => {
  it('has a section for each CI system, and each is tested here', () => {
    const names = CI_SYSTEMS.map(({ name }) => name)
    expect([Object.keys(snippets), Object.keys(gateSnippets)]).toEqual([names, names])
  })

  it('names only settings that the command knows', async () => {
    const readme = await readFile(new URL('../../packages/cli/README.md', import.meta.url), 'utf8')
    expect(listSettings().filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  })
})
