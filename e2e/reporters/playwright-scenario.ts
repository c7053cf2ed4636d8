import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll } from 'vitest'

import { type FreshProject, createFixtureProject, type Running } from './fresh-project.ts'

interface Playwright {
  /** With Playwright. Set in tests. */
  readonly project: FreshProject
  run(args: readonly string[], env: Record<string, string>): ReturnType<FreshProject['run']>
  /** Starts Playwright without a shell, so that it receives signals. */
  start(args: readonly string[], env: Record<string, string>): Running
}

/** Installs Playwright before the tests of a file. What a test has saved is removed after it. */
export function usePlaywright(): Playwright {
  let project: FreshProject
  beforeAll(async () => {
    project = await createFixtureProject('playwright-1', 'playwright', ['@caseward/playwright'])
  })
  afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
  afterAll(() => project.remove())
  return {
    get project() {
      return project
    },
    run: (args, env) => project.run('playwright', ['test', ...args], { TESTS: 'standalone', ...env }),
    start: (args, env) =>
      project.start('node', ['node_modules/@playwright/test/cli.js', 'test', ...args], { TESTS: 'standalone', ...env }),
  }
}
