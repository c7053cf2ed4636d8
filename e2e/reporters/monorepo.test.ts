import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { afterEach, expect, it } from 'vitest'

import { runInProcess } from '../cli/run-in-process.ts'
import { COMMON_PACKAGES, createFixtureProject, type FreshProject } from './fresh-project.ts'
import { copyInstallation, copyPackages } from './installations.ts'
import { getGithubJob } from './scenario.ts'

/*
 * Two packages of a repository have the same test, `Shop > pays` in `shop.test.js`, for each framework; that of `cart` fails. One job
 * runs all of them, so that only the package tells them apart.
 */

interface Framework {
  name: string
  /** The directory of `fixtures/` with its package.json. */
  manifest: string
  /** Provides `describe` and `it` to the suite. */
  header: string
  /** Runs the suite of a package. */
  command: string
}

const FRAMEWORKS: readonly Framework[] = [
  { name: 'jest', manifest: 'jest-30', header: '', command: 'jest --reporters=@caseward/jest' },
  {
    name: 'vitest',
    manifest: 'vitest-4',
    header: "import { describe, it } from 'vitest'",
    command: 'vitest run --reporter=@caseward/vitest',
  },
  {
    name: 'playwright',
    manifest: 'playwright-1',
    header: "const { test: it } = require('@playwright/test')\nconst { describe } = it",
    command: 'playwright test --reporter=@caseward/playwright',
  },
  { name: 'mocha', manifest: 'mocha-11', header: '', command: 'mocha --reporter=@caseward/mocha shop.test.js' },
  {
    name: 'node-test',
    manifest: 'node-test',
    header: "const { describe, it } = require('node:test')",
    command: 'node --test --test-reporter=@caseward/node-test --test-reporter-destination=stdout shop.test.js',
  },
]
/** On a busy machine, ten starts of frameworks take minutes. */
const TIMEOUT_MS = 300_000

/** The one that runs first fails. */
const PACKAGES = ['cart', 'checkout'] as const

const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url))
const server = useTestServer()
let repository: FreshProject | null = null
afterEach(() => repository?.remove())

const getBody = (name: string) => (name === 'cart' ? "throw new Error('no card')" : '')

async function createRepository(): Promise<FreshProject> {
  const created = await createFixtureProject('node-test', 'node-test', [])
  const { folder } = created
  await mkdir(join(folder, '.git'))
  for (const { name, manifest, header } of FRAMEWORKS) {
    const installation = join(folder, 'tools', name)
    await mkdir(installation, { recursive: true })
    await copyInstallation(manifest, join(fixtures, manifest), installation)
    await copyPackages([...COMMON_PACKAGES, `@caseward/${name}`], installation)
    for (const directory of PACKAGES) {
      const path = join(folder, 'packages', directory, name)
      await mkdir(path, { recursive: true })
      await symlink(join(installation, 'node_modules'), join(path, 'node_modules'))
      await writeFile(join(path, 'package.json'), '{}')
      const suite = `describe('Shop', () => { it('pays', () => { ${getBody(directory)} }) })`
      await writeFile(join(path, 'shop.test.js'), `${header}\n${suite}\n`)
    }
  }
  for (const directory of PACKAGES) {
    const path = join(folder, 'java', directory, 'target/surefire-reports/TEST-Shop.xml')
    await mkdir(dirname(path), { recursive: true })
    const failure = directory === 'cart' ? '<failure message="no card"/>' : ''
    const testcase = `<testcase classname="Shop" name="pays">${failure}</testcase>`
    await writeFile(path, `<testsuite name="Shop" tests="1">${testcase}</testsuite>`)
  }
  return created
}

it(
  'keeps the same tests of two packages of a repository apart, by each reporter and by reports of Maven',
  async () => {
    const { project, run, ci, listRunTests, getRun } = await makeTestsScenario(server)
    await makeTestCase(server, project, { automation_key: 'Shop > pays' })
    repository = await createRepository()
    const { folder } = repository
    const env = { SERVICE_URL: server.url, SERVICE_TOKEN: ci, SERVICE_RUN_ID: run.id, ...getGithubJob(1) }
    for (const directory of PACKAGES) {
      const exitCodes = FRAMEWORKS.map(async ({ name, command }) => {
        const script = `cd packages/${directory}/${name}; PATH="$PWD/node_modules/.bin:$PATH" exec ${command}`
        const { exitCode, stdout, stderr } = await (repository as FreshProject).run('sh', ['-ec', script], env)
        return exitCode === (directory === 'cart' ? 1 : 0) ? 0 : `${name} ${exitCode}: ${stdout}${stderr}`
      })
      expect(await Promise.all(exitCodes)).toEqual(FRAMEWORKS.map(() => 0))
    }
    const upload = await runInProcess(['upload', '**/target/surefire-reports/*.xml'], { cwd: folder, env })
    expect(upload.exitCode).toBe(0)

    const { data } = await listRunTests('per_page=100')
    const lines = data.map(
      ({ module, name, outcome, test_case_ids: ids }) =>
        `${module} ${name.replace('Shop > ', '')} ${outcome} ${ids.length}`,
    )
    const expected = (module: string) => [
      `${module.replace('*', 'cart')} pays failed 1`,
      `${module.replace('*', 'checkout')} pays passed 1`,
    ]
    expect(lines.toSorted()).toEqual(
      ['java/*', ...FRAMEWORKS.map(({ name }) => `packages/*/${name}`)].flatMap(expected).toSorted(),
    )
    expect(await getRun()).toMatchObject({
      stats: { passed: 0, failed: 1 },
      test_stats: { passed: 6, failed: 6, flaky: 0, errors: 0 },
    })
    const gate = await runInProcess(['run', 'show', '--fail-on', 'failed'], { cwd: folder, env })
    expect(gate.exitCode).toBe(2)
  },
  TIMEOUT_MS,
)
