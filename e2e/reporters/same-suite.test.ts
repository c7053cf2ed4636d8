import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { type FreshProject, createFixtureProject } from './fresh-project.ts'

/* A test is the same one, whether a reporter has sent it or the framework's own JUnit report contains it. */

interface Framework {
  name: string
  /** The directory of `fixtures/` with its package.json. */
  manifest: string
  packages: string[]
  extension: string
  /** Provides `describe`, `it` and `fs` to the suite. */
  header: string
  canRetry: boolean
  /** Whether the suite is also run in another directory of the checkout. */
  startsFast?: true
  /** Whether its report says which of two files with the same titles a test is in. */
  reportsFiles: boolean
  command: string
  /** Runs the suite once with both reporters; the report is `junit.xml`. */
  args: string[]
  env?: Record<string, string>
}

const FRAMEWORKS: Framework[] = [
  {
    name: 'Jest',
    manifest: 'jest-30',
    packages: ['@caseward/jest'],
    extension: 'js',
    header: `const fs = require('node:fs')\njest.retryTimes(1)\n`,
    canRetry: true,
    reportsFiles: true,
    command: 'jest',
    args: ['suite/', '--reporters=@caseward/jest', '--reporters=jest-junit'],
    // Without it, the report does not say which file a test is in.
    env: { JEST_JUNIT_ADD_FILE_ATTRIBUTE: 'true' },
  },
  {
    name: 'Vitest',
    manifest: 'vitest-4',
    packages: ['@caseward/vitest'],
    extension: 'mjs',
    header: `import fs from 'node:fs'\nimport { describe, it } from 'vitest'\n`,
    canRetry: true,
    reportsFiles: true,
    command: 'vitest',
    args: ['run', '--retry=1', '--reporter=@caseward/vitest', '--reporter=junit', '--outputFile.junit=junit.xml'],
  },
  {
    name: 'Playwright',
    manifest: 'playwright-1',
    packages: ['@caseward/playwright'],
    extension: 'mjs',
    header: `import fs from 'node:fs'\nimport { test as it } from '@playwright/test'\nconst { describe } = it\n`,
    canRetry: true,
    reportsFiles: true,
    command: 'playwright',
    args: ['test', '--retries=1', '--reporter=@caseward/playwright,junit', 'suite/'],
    env: { PLAYWRIGHT_JUNIT_OUTPUT_NAME: 'junit.xml' },
  },
  {
    name: 'Mocha',
    manifest: 'mocha-12',
    packages: ['@caseward/mocha'],
    extension: 'js',
    header: `const fs = require('node:fs')\n`,
    canRetry: true,
    startsFast: true,
    reportsFiles: true,
    command: 'mocha',
    args: ['--retries=1', '--reporter=@caseward/mocha', '--reporter-option=reporter=xunit,output=junit.xml', 'suite/'],
  },
  {
    name: 'node:test',
    manifest: 'node-test',
    packages: ['@caseward/node-test'],
    extension: 'mjs',
    header: `import fs from 'node:fs'\nimport { describe, it } from 'node:test'\n`,
    canRetry: false,
    startsFast: true,
    reportsFiles: false,
    command: 'node',
    args: [
      '--test',
      '--test-reporter=@caseward/node-test',
      '--test-reporter-destination=stdout',
      '--test-reporter=junit',
      '--test-reporter-destination=junit.xml',
      'suite/cart.test.mjs',
      'suite/wishlist.test.mjs',
    ],
  },
]

const CART = `
describe('Shop', () => {
  describe('Cart', () => {
    it('adds up', () => {})
    it('WEB-1 pays', () => { throw new Error('no card') })
    it.skip('is empty', () => {})
    it('ships', () => {})
    RETRIED
  })
})
`
/** A retry may run in another process. */
const RETRIED = `it('arrives', () => {
      if (fs.existsSync('arrived')) return
      fs.writeFileSync('arrived', '')
      throw new Error('late')
    })`
const WISHLIST = `
describe('Shop', () => {
  describe('Cart', () => {
    it('adds up', () => {})
  })
})
`

async function writeSuite(
  { folder }: FreshProject,
  { header, extension, canRetry, reportsFiles }: Framework,
): Promise<void> {
  await mkdir(join(folder, 'suite'))
  const cart = CART.replace('RETRIED', canRetry ? RETRIED : '')
  const wishlist = reportsFiles ? WISHLIST : WISHLIST.replace('Cart', 'Wishlist')
  await writeFile(join(folder, `suite/cart.test.${extension}`), header + cart)
  await writeFile(join(folder, `suite/wishlist.test.${extension}`), header + wishlist)
}

const server = useSharedServer()
let project: FreshProject | null = null
afterEach(() => project?.remove())

type Scenario = Awaited<ReturnType<typeof makeTestsScenario>>

async function uploadReport({ ci }: Scenario, runId: string, report: string, root = ''): Promise<void> {
  const headers = { 'content-type': 'application/xml' }
  const path = `/v1/results?run_id=${runId}${root === '' ? '' : `&root=${encodeURIComponent(root)}`}`
  const { status } = await server.request('POST', path, { token: ci, body: report, headers })
  expect(status).toBe(200)
}

/** Directories of the checkout on other machines. */
const OTHER_CHECKOUTS = ['/agent-2/work/4711/shop', String.raw`C:\agent\shop`]

/** Returns the report that the suite would have written in another directory. */
function moveReport(report: string, from: string, to: string): string {
  const [start = '', ...pieces] = report.split(from)
  const toPath = (path: string) => (to.includes('\\') ? path.replaceAll('/', '\\') : path)
  return [start, ...pieces.map((piece) => piece.replace(/^[^\s"<>:]*/, toPath))].join(to)
}

/** The tests of a run, with what a report and a reporter must agree on. */
async function listOutcomes({ listRunTests }: Scenario, runId: string) {
  const { data } = await listRunTests('', runId)
  const outcomes = data.map(({ id, outcome, test_case_ids: ids, linked_by: source }) => {
    return { id, outcome, link: ids.map((caseId) => `${caseId} by ${source}`).join() }
  })
  return outcomes.toSorted((a, b) => a.id.localeCompare(b.id))
}

const expectedOutcomes = (canRetry: boolean) => [
  'adds up: passed',
  'adds up: passed',
  ...(canRetry ? ['arrives: passed'] : []),
  'is empty: skipped',
  'pays: failed WEB-1 by id',
  'ships: passed WEB-2 by key',
]

describe('The reporter and the JUnit report of the same suite', () => {
  it.each(FRAMEWORKS)('have the same tests, links and outcomes in $name', async (framework) => {
    const scenario = await makeTestsScenario(server, 1)
    await makeTestCase(server, scenario.project, { automation_key: 'Shop > Cart > ships' })
    const other = await scenario.makeRunByKey('build 2')
    project = await createFixtureProject(framework.manifest, framework.manifest, framework.packages)
    await writeSuite(project, framework)

    const settings = { SERVICE_URL: server.url, SERVICE_TOKEN: scenario.ci, SERVICE_RUN_ID: scenario.run.id }
    const { exitCode } = await project.run(framework.command, framework.args, { ...settings, ...framework.env })
    expect(exitCode).toBeGreaterThan(0)
    const report = await readFile(join(project.folder, 'junit.xml'), 'utf8')
    await uploadReport(scenario, other.id, report)

    const fromReporter = await listOutcomes(scenario, scenario.run.id)
    expect(await listOutcomes(scenario, other.id)).toEqual(fromReporter)
    for (const checkout of OTHER_CHECKOUTS) {
      const { id } = await scenario.makeRunByKey(checkout)
      await uploadReport(scenario, id, moveReport(report, project.folder, checkout), checkout)
      expect(await listOutcomes(scenario, id)).toEqual(fromReporter)
    }
    const runs = framework.startsFast === true ? [await scenario.makeRunByKey('in another directory')] : []
    for (const { id } of runs) {
      await project.move()
      await project.run(framework.command, framework.args, { ...settings, ...framework.env, SERVICE_RUN_ID: id })
      expect(await listOutcomes(scenario, id)).toEqual(fromReporter)
    }
    const { data: tests } = await scenario.listTests()
    const titles = new Map(
      tests.map(({ id, name }) => [
        id,
        name
          .split(/ (?:>|›) /)
          .at(-1)
          ?.replace('WEB-1 ', ''),
      ]),
    )
    const lines = fromReporter.map(({ id, outcome, link }) => `${titles.get(id)}: ${outcome} ${link}`.trim())
    expect(lines.toSorted()).toEqual(expectedOutcomes(framework.canRetry))
    expect(tests).toHaveLength(lines.length)
  })
})
