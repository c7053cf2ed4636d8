import { existsSync, readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { beforeAll, describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import type { CommandResult } from './fresh-project.ts'
import { createScenario, type Scenario } from './scenario.ts'
import { CYPRESS_STATUSES } from './suite-statuses.ts'
import { useFixtureProject } from './use-fixture-project.ts'

// Cypress itself is not run here, because its program is not in the npm registry. Recorded results are passed to the
// handlers of the plugin; cypress-faults.test.ts compiles the plugin against Cypress's types.
const repository = fileURLToPath(new URL('../..', import.meta.url))

const server = useSharedServer()
const project = useFixtureProject('cypress-15', 'cypress', ['@caseward/cypress'])

type Settings = Record<string, string>

/** What is played in one process, by name. The first recording shows that nothing is written in “cypress open”. */
const PLAYED: Readonly<Record<string, { recording: string; env?: Settings }>> = {
  open: { recording: '13', env: { OPEN: '1' } },
  'version 12': { recording: '12' },
  'version 13': { recording: '13' },
  'other handlers': { recording: '13', env: { OWN: '1' } },
  'a replaced handler': { recording: '13', env: { SILENT: '1' } },
  broken: { recording: 'broken' },
  'no-run': { recording: 'no-run' },
}

interface Outcome {
  exitCode: number
  stderr: string
  hasSpool: boolean
  scenario: Scenario
}

/** Plays recordings in one process, each into a run of its own. Returns what became of them, in order. */
async function playAll(recordings: readonly { recording: string; env?: Settings }[]) {
  const scenarios = await Promise.all(recordings.map(() => createScenario(server)))
  const jobs = recordings.map(({ recording, env }, index) => ({
    recording,
    env: { ...scenarios[index]?.env, ...env },
  }))
  const [input, output] = [join(project.folder, 'jobs.json'), join(project.folder, 'outcomes.json')]
  await writeFile(input, JSON.stringify(jobs))
  const result = await project.run('node', ['play-all.mjs', input, output])
  const outcomes = JSON.parse(readFileSync(output, 'utf8')) as Omit<Outcome, 'scenario'>[]
  return { result, outcomes: scenarios.map((scenario, index) => ({ ...outcomes[index], scenario }) as Outcome) }
}

describe('Cypress', () => {
  let result: CommandResult
  let outcomes: Outcome[]
  beforeAll(async () => {
    ;({ result, outcomes } = await playAll(Object.values(PLAYED)))
  })
  const getOutcome = (name: keyof typeof PLAYED): Outcome => {
    const outcome = outcomes[Object.keys(PLAYED).indexOf(name)]
    if (outcome === undefined) throw new Error(`${name} was not played`)
    return outcome
  }

  it.each(['12', '13'])('stores the status and the errors of each test of version %s', async (version) => {
    const { exitCode, stderr, scenario } = getOutcome(`version ${version}`)
    expect({ exitCode, stdout: result.stdout }).toEqual({ exitCode: 0, stdout: '' })
    expect(await scenario.statuses()).toEqual(CYPRESS_STATUSES)
    const results = await scenario.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-2')).toMatch(
      /^Failed in 3 attempts\.\n\n[^]*Attempt 3: AssertionError: expected 3 to equal 4\n +at/,
    )
    expect(note('WEB-3')).toMatch(/^Flaky: passed after 1 of 2 attempts failed\./)
    expect(note('WEB-9')).toMatch(/^Error: no session\n\nBecause this error occurred during a `before each` hook/)
    expect(note('WEB-12')).toMatch(/^2 attempts\.\n\nError: once\n/)
    expect(results.get('WEB-1')?.elapsed).toBe(1)
    const shot = 'cart -- WEB-2 adds up (failed)'
    const video = version === '12' ? [] : ['3 cart.cy.js.mp4 complete']
    const { files } = await scenario.evidence('cart > WEB-2 adds up')
    expect(files).toEqual([`1 ${shot}.png complete`, `2 ${shot} (attempt 2).png complete`, ...video])
    expect((await scenario.evidence('checkout > WEB-8 runs into a hook')).files).toEqual(
      video.map(() => '1 cart.cy.js.mp4 complete'),
    )
    expect(stderr).toMatch(/\d+ tests? match(?:es)? no test case(?:, and \d+ of them failed)?: http/)
    expect(stderr).toContain('WEB-999')
    expect(stderr).toContain('the suite is incomplete: 1 error outside of tests (cypress/e2e/broken.cy.js: Webpack')
  })

  it.each([
    ['other handlers call its functions', 'other handlers'],
    ['another plugin has replaced its handler for after:spec', 'a replaced handler'],
  ])('stores the status of each test when %s', async (_, name) => {
    expect(await getOutcome(name).scenario.statuses()).toEqual(CYPRESS_STATUSES)
  })

  it.each(['broken', 'no-run'])('reports the suite as incomplete when no test ran: %s', async (recording) => {
    const { exitCode, stderr, scenario } = getOutcome(recording)
    expect(exitCode).toBe(0)
    expect(stderr).toContain('the suite is incomplete: 1 error outside of tests')
    expect(await scenario.statuses()).toEqual({})
  })

  it('uploads nothing in “cypress open”', async () => {
    const { stderr, hasSpool, scenario } = getOutcome('open')
    expect({ stderr, hasSpool }).toEqual({ stderr: '', hasSpool: false })
    expect(await scenario.statuses()).toEqual({})
  })
})

// Results that Cypress has recorded. They are not in the repository because their license does not allow it.
const recordingsSetting = process.env['CYPRESS_RECORDINGS']
const folder = resolve(repository, recordingsSetting ?? '../shared/cypress')
const hooks = ['failed', 'not_tested', 'failed', 'blocked', 'passed', 'failed']
const recorded: [string, string[]][] = [
  ['12.1.0.e2e-spec-isolation-fails', ['passed', 'passed', 'passed', 'passed', 'failed', 'failed', ...hooks]],
  ['12.1.0.e2e-spec-isolation-failing-with-retries', [...hooks, 'failed', 'passed']],
  ['13.6.0.after-spec', ['failed', 'passed', 'failed', 'blocked']],
  ['13.6.0.module-api', ['passed', 'passed', 'failed', 'failed', 'passed', 'failed', 'blocked']],
]
const files = existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith('.json')) : []

interface RecordedRun {
  spec: { relative: string }
  tests: { title: string[] }[]
}

describe('@caseward/cypress with recordings of Cypress', () => {
  const recordingCount =
    files.length === 0
      ? `NOT TESTED: no recordings in ${folder}; set CYPRESS_RECORDINGS to their directory`
      : `${files.length} recordings`
  it.each([recordingCount])('is tested with every recording: %s', () => {
    // oxlint-disable-next-line no-console
    if (files.length === 0) console.warn(recordingCount)
    // A directory that was set explicitly must exist.
    expect(recordingsSetting === undefined || files.length > 0, `there are none in ${recordingsSetting}`).toBe(true)
    expect(files.filter((file) => !recorded.some(([name]) => file.includes(name)))).toEqual([])
  })

  /** The recorded tests and the scenario of their run, by file. */
  const played = new Map<string, { testCount: number; scenario: Scenario }>()
  beforeAll(async () => {
    const testCounts = await Promise.all(files.map(addIds))
    const { outcomes } = await playAll(files.map((file) => ({ recording: file.replace(/\.json$/, '') })))
    for (const [index, { scenario }] of outcomes.entries()) {
      played.set(files[index] ?? '', { testCount: testCounts[index] ?? 0, scenario })
    }
  })

  it.each(files)('stores the status of each test of %s', async (file) => {
    const { testCount = 0, scenario } = played.get(file) ?? {}
    const statuses = recorded.find(([name]) => file.includes(name))?.[1].slice(0, testCount) ?? []
    const expectedEntries = statuses.map((status, index) => [`WEB-${index + 1}`, status])
    expect(expectedEntries.length).toBe(testCount)
    expect(await scenario?.statuses()).toEqual(Object.fromEntries(expectedEntries))
  })
})

/** Adds a test case id to each test of a recording, because the recordings contain none. Returns the number of tests. */
async function addIds(file: string): Promise<number> {
  const recording = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
    runs?: RecordedRun[]
    results?: RecordedRun
  }
  const runs = recording.runs ?? [recording.results ?? { spec: { relative: '' }, tests: [] }]
  const tests = runs.flatMap((run) => run.tests)
  for (const [index, test] of tests.entries()) test.title.push(`WEB-${index + 1} ${test.title.pop()}`)
  await writeFile(join(project.folder, 'recordings', file), JSON.stringify({ runs }))
  return tests.length
}
