import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { afterEach, expect, it } from 'vitest'

import { runInProcess } from '../cli/run-in-process.ts'
import { COMMON_PACKAGES, createFixtureProject, type FreshProject } from './fresh-project.ts'
import { copyInstallation, copyPackages } from './installations.ts'
import { getGithubJob } from './scenario.ts'

/*
 * Packages of a repository have the same test, `Shop > pays` in `shop.test.js`, each for another framework; that of the first one
 * fails. One job runs all of them, so that only the package tells them apart.
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
  { name: 'mocha', manifest: 'mocha-12', header: '', command: 'mocha --reporter=@caseward/mocha shop.test.js' },
  {
    name: 'node-test',
    manifest: 'node-test',
    header: "const { describe, it } = require('node:test')",
    command: 'node --test --test-reporter=@caseward/node-test --test-reporter-destination=stdout shop.test.js',
  },
]
/** Packages of Java. */
const MODULES = ['cart', 'checkout'] as const

/** The packages that run first. */
const hasFailure = (name: string) => name === FRAMEWORKS[0]?.name || name === MODULES[0]

const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url))
const server = useSharedServer()
let repository: FreshProject | null = null
afterEach(() => repository?.remove())

async function createRepository(): Promise<FreshProject> {
  const created = await createFixtureProject('node-test', 'node-test', [])
  const { folder } = created
  await mkdir(join(folder, '.git'))
  for (const { name, manifest, header } of FRAMEWORKS) {
    const path = join(folder, 'packages', name)
    await mkdir(path, { recursive: true })
    await copyInstallation(manifest, join(fixtures, manifest), path)
    await copyPackages([...COMMON_PACKAGES, `@caseward/${name}`], path)
    await writeFile(join(path, 'package.json'), '{}')
    const body = hasFailure(name) ? "throw new Error('no card')" : ''
    await writeFile(
      join(path, 'shop.test.js'),
      `${header}\ndescribe('Shop', () => { it('pays', () => { ${body} }) })\n`,
    )
  }
  for (const directory of MODULES) {
    const path = join(folder, 'java', directory, 'target/surefire-reports/TEST-Shop.xml')
    await mkdir(dirname(path), { recursive: true })
    const failure = hasFailure(directory) ? '<failure message="no card"/>' : ''
    const testcase = `<testcase classname="Shop" name="pays">${failure}</testcase>`
    await writeFile(path, `<testsuite name="Shop" tests="1">${testcase}</testsuite>`)
  }
  return created
}

it('keeps the same tests of packages of a repository apart, by each reporter and by reports of Maven', async () => {
  const { project, run, ci, listRunTests, getRun } = await makeTestsScenario(server)
  await makeTestCase(server, project, { automation_key: 'Shop > pays' })
  const created = await createRepository()
  repository = created
  const { folder } = created
  const env = { SERVICE_URL: server.url, SERVICE_TOKEN: ci, SERVICE_RUN_ID: run.id, ...getGithubJob(1) }
  const runSuites = (frameworks: readonly Framework[]) =>
    Promise.all(
      frameworks.map(async ({ name, command }) => {
        const script = `cd packages/${name}; PATH="$PWD/node_modules/.bin:$PATH" exec ${command}`
        const { exitCode, stdout, stderr } = await created.run('sh', ['-ec', script], env)
        return exitCode === (hasFailure(name) ? 1 : 0) ? 0 : `${name} ${exitCode}: ${stdout}${stderr}`
      }),
    )
  expect(await runSuites(FRAMEWORKS.slice(0, 1))).toEqual([0])
  expect(await runSuites(FRAMEWORKS.slice(1))).toEqual([0, 0, 0, 0])
  const upload = await runInProcess(['upload', '**/target/surefire-reports/*.xml'], { cwd: folder, env })
  expect(upload.exitCode).toBe(0)

  const { data } = await listRunTests('per_page=100')
  const lines = data.map(
    ({ module, name, outcome, test_case_ids: ids }) =>
      `${module} ${name.replace('Shop > ', '')} ${outcome} ${ids.length}`,
  )
  expect(lines.toSorted()).toEqual([
    'java/cart pays failed 1',
    'java/checkout pays passed 1',
    'packages/jest pays failed 1',
    'packages/mocha pays passed 1',
    'packages/node-test pays passed 1',
    'packages/playwright pays passed 1',
    'packages/vitest pays passed 1',
  ])
  expect(await getRun()).toMatchObject({
    stats: { passed: 0, failed: 1 },
    test_stats: { passed: 5, failed: 2, flaky: 0, errors: 0 },
  })
  const gate = await runInProcess(['run', 'show', '--fail-on', 'failed'], { cwd: folder, env })
  expect(gate.exitCode).toBe(2)
})
