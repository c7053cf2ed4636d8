import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { FailureText } from '@caseward/failures/read-failure'

/** A test that failed, as a public data set has it. */
export interface KnownFailure extends FailureText {
  readonly suite: string
  readonly name: string
}

/** A failing test of a bug of Defects4J. */
export interface BugFailure extends KnownFailure {
  readonly project: string
  readonly bug: string
}

/**
 * Reads the failing tests of all bugs of a checkout of Defects4J: `framework/projects/<project>/trigger_tests/<bug>`, in which
 * `--- class::method` begins the stack trace of a test.
 */
export async function readBugs(checkout: string): Promise<BugFailure[]> {
  const projects = join(checkout, 'framework/projects')
  const failures: BugFailure[] = []
  for (const project of (await readdir(projects)).toSorted()) {
    const directory = join(projects, project, 'trigger_tests')
    for (const bug of await readdir(directory).catch(() => [])) {
      const text = await readFile(join(directory, bug), 'utf8')
      for (const part of text.split(/^--- /m).slice(1)) {
        const [head = '', ...trace] = part.split('\n')
        const [suite = '', name = ''] = head.trim().split('::')
        failures.push({ project, bug, suite, name, message: '', details: trace.join('\n') })
      }
    }
  }
  return failures
}

/**
 * Reads the failures of tests in the daily reports of nodejs/reliability, each text of a test once: `reports/<day>.md`, whose
 * examples are TAP, some of them cut off. Durations make most texts of a test differ.
 */
export async function readReports(checkout: string): Promise<KnownFailure[]> {
  const directory = join(checkout, 'reports')
  const found = new Map<string, KnownFailure>()
  for (const file of (await readdir(directory)).toSorted()) {
    const text = await readFile(join(directory, file), 'utf8')
    for (const [details, name = ''] of text.matchAll(/^not ok \d+ (\S+)[^\n]*\n[\s\S]*?(?=^```$)/gm)) {
      found.set(details, { suite: name, name, message: '', details })
    }
  }
  return [...found.values()]
}

/** A test of the study that ran each test 4,000 times. */
export interface RerunTest {
  readonly name: string
  /** Share of its runs that failed. */
  readonly failureRate: number
}

/**
 * Reads the tests of a checkout of TestingResearchIllinois/rerunning-no-tests that passed and failed, or always passed:
 * `azure-data/all_tests_combined/test-summaries`, whose rows end with the number of runs, and of those that passed.
 */
export async function readRerunTests(checkout: string): Promise<RerunTest[]> {
  const directory = join(checkout, 'azure-data/all_tests_combined/test-summaries')
  const tests: RerunTest[] = []
  for (const file of (await readdir(directory)).toSorted()) {
    if (!file.endsWith('-summary.csv')) continue
    for (const row of (await readFile(join(directory, file), 'utf8')).trim().split('\n')) {
      const [, , name = '', , category, runs = '', passed = ''] = row.split(',')
      if (category !== 'flaky' && category !== 'pass') continue
      tests.push({ name, failureRate: 1 - Number(passed) / Number(runs) })
    }
  }
  return tests
}
