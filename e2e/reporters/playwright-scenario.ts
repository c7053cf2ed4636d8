import type { FreshProject, Running } from './fresh-project.ts'
import { useFixtureProject } from './use-fixture-project.ts'

interface Playwright {
  /** With Playwright. To be used in tests. */
  readonly project: FreshProject
  run(args: readonly string[], env: Record<string, string>): ReturnType<FreshProject['run']>
  /** Starts Playwright without a shell, so that it receives signals. */
  start(args: readonly string[], env: Record<string, string>): Running
}

/** Installs Playwright before the tests of a file. What a test has saved is removed after it. */
export function usePlaywright(): Playwright {
  const project = useFixtureProject('playwright-1', 'playwright', ['@caseward/playwright'])
  return {
    project,
    run: (args, env) => project.run('playwright', ['test', ...args], { TESTS: 'standalone', ...env }),
    start: (args, env) =>
      project.start('node', ['node_modules/@playwright/test/cli.js', 'test', ...args], { TESTS: 'standalone', ...env }),
  }
}
