import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import { type FreshProject, createFixtureProject } from './fresh-project.ts'
import { createScenario } from './scenario.ts'

/* Tests of the packed packages in which each suite and command is a separate process. */

const server = useSharedServer()
let project: FreshProject
beforeAll(async () => {
  const packages = ['@caseward/cli', '@caseward/vitest']
  project = await createFixtureProject('vitest-4', 'installed', packages, { withNpm: true })
})
// What a test has saved must not be sent by its second attempt.
afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
afterAll(() => project.remove())

describe('caseward', () => {
  it('init sets up a project whose suite then reports its results', async () => {
    const scenario = await createScenario(server, 2)
    const { exitCode, stdout } = await project.run('caseward', ['init', '--yes'])
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^Wrote vitest\.config\.mjs\.\nWrote \.gitignore\.\n[^]* @caseward\/vitest\n/),
    })
    const suite = await project.run('vitest', ['run'], { ...scenario.env, NO_COLOR: '1' })
    expect(suite).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('1 failed | 1 passed') })
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed' })
    expect(await readFile(join(project.folder, '.gitignore'), 'utf8')).toBe('.caseward/\n')
  })

  it('upload stores the results of a JUnit report', async () => {
    const scenario = await createScenario(server, 2)
    const { exitCode, stdout } = await project.run('caseward', ['upload', 'junit.xml'], scenario.env)
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'junit.xml: 2 stored (1 passed, 1 failed)\n' })
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed' })
  })
})
