import { createGuard, createOccurrenceCounter, type Reporter } from '@caseward/reporter-core'

import { assignFiles, type TestAttempts } from './assign-files.ts'
import type { CypressRunResults, CypressSpec, CypressSpecResults, CypressTest } from './framework-types.ts'
import { failedInHook, getTitlePath, toAttempts, toSpecError } from './to-attempt.ts'

/** Reads the results that Cypress passes to its handlers. The methods never throw. */
export interface ResultReader {
  readSpec(spec: CypressSpec, results: CypressSpecResults): void
  /** Reads the results at the end of the run. */
  end(results: CypressRunResults | null | undefined): { readonly interrupted: boolean }
}

export function createResultReader(reporter: Pick<Reporter, 'recordAttempt' | 'recordSuiteError'>): ResultReader {
  const guard = createGuard('cypress', (error) => reporter.recordSuiteError(error))
  const recordedSpecs = new Set<string>()
  let interrupted = false

  const recordTests = (file: string, tests: readonly CypressTest[], results: CypressSpecResults) => {
    const read: TestAttempts[] = []
    const occurrences = createOccurrenceCounter()
    let hookFailure: CypressTest | null = null
    const readTest = (test: CypressTest) => {
      const titlePath = getTitlePath(test)
      const occurrence = occurrences.count(file, titlePath)
      if (failedInHook(test)) hookFailure = test
      read.push(toAttempts(test, { titlePath, file, occurrence }, hookFailure))
    }
    for (const test of tests) guard(() => readTest(test), file)
    let withFiles = read
    guard(() => {
      withFiles = assignFiles(read, results)
    }, file)
    for (const attempt of withFiles.flat()) reporter.recordAttempt(attempt)
  }
  const recordSpec = ({ relative }: CypressSpec, results: CypressSpecResults) => {
    const { tests, error, skippedSpec } = results
    recordedSpecs.add(relative)
    if (skippedSpec === true) {
      interrupted = true
      return
    }
    const file = relative.replaceAll('\\', '/')
    const list = Array.isArray(tests) ? (tests as readonly CypressTest[]) : null
    recordTests(file, list ?? [], results)
    if (list === null || (typeof error === 'string' && error !== '')) {
      reporter.recordSuiteError(toSpecError(file, error))
    }
  }
  const readSpec = (spec: CypressSpec, results: CypressSpecResults) =>
    guard(() => recordSpec(spec, results), spec?.relative)
  const recordRun = ({ status, runs, message = 'Cypress could not run.' }: CypressRunResults) => {
    // Records specs that were not recorded yet because another handler replaced the one for `after:spec`.
    for (const run of runs ?? []) {
      if (!recordedSpecs.has(run?.spec?.relative)) readSpec(run.spec, run)
    }
    if (status === 'failed') reporter.recordSuiteError({ location: 'cypress', message })
  }
  return {
    readSpec,
    end(results) {
      guard(() => recordRun(results ?? {}))
      return { interrupted }
    },
  }
}
