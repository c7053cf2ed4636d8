import type { Guard, Reporter, SuiteError } from '@caseward/reporter-core'

import { toAttempts, toBlockedAttempt, getModule, getFilterName, toSuiteError } from './to-attempt.ts'
import type { TestCase, TestModule, TestSpecification, TestSuite, Vitest, VitestError } from './framework-types.ts'

/** Reads Vitest's events in their order. */
export interface ModuleReader {
  /** The run starts with these files. */
  begin(specifications: readonly TestSpecification[]): void
  beginTest(test: TestCase): void
  endTest(test: TestCase): void
  endModule(module: TestModule): void
  /**
   * The run ends.
   * @param modules all files
   * @param errors errors outside of files
   * @param interrupted whether the run was stopped before all files ran
   */
  end(modules: readonly TestModule[], errors: readonly VitestError[], interrupted: boolean): void
  /** The process ends before the run has ended. */
  interrupt(): void
}

/**
 * Creates a reader that records each test that ran immediately, and the other tests at the end of their file.
 * @param guard records the tests and files that cannot be read, one at a time
 */
export function createModuleReader(reporter: Reporter, vitest: Vitest, cwd: string, guard: Guard): ModuleReader {
  const running = new Map<string, TestCase>()
  const ended = new Set<string>()
  const endedModules = new Set<string>()
  const namePattern = vitest.getGlobalTestNamePattern?.() ?? vitest.config.testNamePattern
  const hasTagsFilter = (vitest.config.tagsFilter ?? []).length > 0
  let hasFiles = false
  /** Files of which only some tests were selected. */
  const filteredModules = new Set<string>()

  const record = (test: TestCase) => {
    running.delete(test.id)
    if (ended.has(test.id)) return
    ended.add(test.id)
    for (const attempt of toAttempts(test, cwd)) reporter.recordAttempt(attempt)
  }
  /** Returns whether a filter excludes a test. Vitest does not report why a test is skipped. */
  const isFilteredOut = (test: TestCase) => {
    if (hasTagsFilter || filteredModules.has(getModule(test).moduleId)) return true
    return namePattern !== undefined && getFilterName(test).search(namePattern) === -1
  }
  const readBlock = (block: TestModule | TestSuite) => {
    const errors = block.errors()
    const tests = errors.length === 0 ? [] : listTests(block)
    const blocked = tests.some(hasRun) ? [] : tests.filter(isEnabled)
    for (const test of blocked.filter(({ id }) => !ended.has(id))) {
      ended.add(test.id)
      reporter.recordAttempt(toBlockedAttempt(errors, test, cwd))
    }
    if (blocked.length === 0) for (const error of errors) reporter.recordSuiteError(toSuiteError(error, block, cwd))
    for (const child of block.children) {
      if (child.type === 'suite') guard(() => readBlock(child))
      else
        guard(() => {
          if (getState(child) === 'skipped' && !isFilteredOut(child)) record(child)
        })
    }
  }
  const endModule = (module: TestModule) => {
    if (endedModules.has(module.id)) return
    endedModules.add(module.id)
    readBlock(module)
  }
  const interrupt = () => {
    for (const test of running.values()) guard(() => record(test))
  }
  return {
    begin(specifications) {
      hasFiles = specifications.length > 0
      for (const { moduleId, testLines, testIds, testTagsFilter } of specifications) {
        if ([testLines, testIds, testTagsFilter].some((selection) => (selection ?? []).length > 0))
          filteredModules.add(moduleId)
      }
    },
    beginTest(test) {
      // Vitest also reports the start of a test that is about to be canceled and never runs.
      if (getState(test) === 'pending' && test.diagnostic() !== undefined) running.set(test.id, test)
    },
    endTest(test) {
      if (hasRun(test)) record(test)
    },
    endModule,
    end(modules, errors, interrupted) {
      // Vitest does not report a failed global setup, only that there are no files.
      if (hasFiles && modules.length + errors.length === 0 && !interrupted) {
        reporter.recordSuiteError(nothingRan)
      }
      for (const module of modules) {
        guard(() => {
          for (const test of listTests(module)) if (hasRun(test)) guard(() => record(test))
        })
        guard(() => endModule(module))
      }
      for (const error of errors) guard(() => reporter.recordSuiteError(toSuiteError(error, null, cwd)))
      interrupt()
    },
    interrupt,
  }
}

const nothingRan: SuiteError = {
  location: 'vitest',
  message: 'None of the test files ran: a global setup may have failed. See the output of Vitest for the reason.',
}

function listTests({ children }: TestModule | TestSuite): TestCase[] {
  return [...children].flatMap((child) => (child.type === 'test' ? [child] : listTests(child)))
}

const getState = (test: TestCase) => test.result()?.state ?? 'pending'

const hasRun = (test: TestCase) => ['passed', 'failed'].includes(getState(test))

const isEnabled = ({ options }: TestCase) => options.mode !== 'skip' && options.mode !== 'todo'
