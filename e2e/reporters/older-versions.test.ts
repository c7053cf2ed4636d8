import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { createFixtureProject, type FreshProject } from './fresh-project.ts'
import { createScenario } from './scenario.ts'
import {
  JEST_STATUSES,
  MOCHA_STATUSES,
  MOCHA_STATUSES_FROM_TREE,
  VITEST_ERRORS,
  VITEST_STATUSES,
} from './suite-statuses.ts'

/* Versions of frameworks before the newest. The oldest one runs the whole suite, those in between the smallest. */

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const NO_REQUIRE = { NODE_OPTIONS: '--no-experimental-require-module' }

const server = useTestServer()

/** Installs a version for the tests of a block. */
function useProject(manifest: string, suite: string): () => FreshProject {
  let project: FreshProject
  beforeAll(async () => {
    project = await createFixtureProject(manifest, suite, [`@caseward/${suite}`])
  })
  afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
  afterAll(() => project.remove())
  return () => project
}

describe('Jest 29', () => {
  const getProject = useProject('jest-29', 'jest')

  it('stores the status of each test when Node cannot require ES modules', async () => {
    const scenario = await createScenario(server)
    const env = { ...scenario.env, ...NO_REQUIRE }
    expect((await getProject().run('jest', ['-w', '2', 'suite/'], env)).exitCode).toBe(1)
    expect(await scenario.statuses()).toEqual(JEST_STATUSES)
  })
})

describe('Vitest 2', () => {
  const getProject = useProject('vitest-2', 'vitest')

  it('stores the status of each test', async () => {
    const scenario = await createScenario(server)
    const { exitCode, stderr } = await getProject().run('vitest', ['run', '--pool=threads'], scenario.env)
    expect(exitCode).toBe(1)
    expect(await scenario.statuses()).toEqual(VITEST_STATUSES)
    expect(stderr).toMatch(VITEST_ERRORS)
  })

  it('keeps the run in progress when the global setup of a shard fails', async () => {
    const { env, projectId, buildRuns } = await createScenario(server)
    const target = { SERVICE_RUN_ID: '', SERVICE_PROJECT_ID: projectId, SERVICE_RUN_KEY: 'build 7' }
    const settings = { ...env, ...target, TESTS: 'standalone', GLOBAL_SETUP: './setup-fails.ts' }
    const { exitCode, stderr } = await getProject().run('vitest', ['run', 'standalone/passes', '--shard=1/1'], settings)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('the suite is incomplete: 1 error outside of tests (vitest: None of the test files ran')
    expect(await buildRuns()).toMatchObject([{ status: 'in_progress', shards_done: [] }])
  })

  it('is compatible with the types of the reporter', async () => {
    const args = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', '--skipLibCheck']
    const { stdout } = await getProject().run(process.execPath, [tsc, ...args, 'framework-types.types.ts'])
    expect(stdout).toBe('')
  })
})

describe('Vitest 3', () => {
  const getProject = useProject('vitest-3', 'vitest')

  it('stores the status of each test, of which it notifies by the methods of Vitest 2 as well', async () => {
    const scenario = await createScenario(server)
    const env = { ...scenario.env, TESTS: 'tests,since-3' }
    expect((await getProject().run('vitest', ['run', 'statuses', 'annotations'], env)).exitCode).toBe(1)
    const { 'WEB-32': _hookOfFile, 'WEB-34': _lateError, 'WEB-35': _exit, ...statuses } = VITEST_STATUSES
    expect(await scenario.statuses()).toEqual({ ...statuses, 'WEB-36': 'passed' })
  })
})

describe.each([7, 8, 9, 10])('Mocha %i', (major) => {
  const getProject = useProject(`mocha-${major}`, 'mocha')

  it('stores the status of each test when Node cannot require ES modules', async () => {
    const scenario = await createScenario(server)
    const [suite, exitCode, statuses] =
      major === 7
        ? ['suite', 15, { ...MOCHA_STATUSES, ...MOCHA_STATUSES_FROM_TREE }]
        : ['standalone/fails.test.js', 1, { 'WEB-1': 'failed', 'WEB-2': 'passed' }]
    const env = { ...scenario.env, ...NO_REQUIRE }
    expect((await getProject().run('mocha', [suite], env)).exitCode).toBe(exitCode)
    expect(await scenario.statuses()).toEqual(statuses)
  })
})

describe('Mocha 11', () => {
  const getProject = useProject('mocha-11', 'mocha')

  // The first test is delayed until ES modules are loaded.
  it('saves every test as soon as it ends, even if the process then exits, when Node cannot require ES modules', async () => {
    const scenario = await createScenario(server)
    const env = { ...scenario.env, ...NO_REQUIRE }
    expect((await getProject().run('mocha', ['standalone/ends-at-once.test.js'], env)).exitCode).not.toBe(0)
    await getProject().run('mocha', ['standalone/passes.test.js'], env)
    const saved = { 'WEB-1': 'passed', 'WEB-2': 'failed', 'WEB-3': 'passed' }
    expect(await scenario.statuses()).toEqual({ ...saved, 'WEB-31': 'passed' })
  })
})

describe('Cypress 12', () => {
  const getProject = useProject('cypress-12', 'cypress')

  it('accepts a configuration with the reporter as ES module and CommonJS', async () => {
    expect(await getProject().run(tsc, ['-p', 'tsconfig.json'])).toMatchObject({ exitCode: 0, stdout: '' })
  })
})
