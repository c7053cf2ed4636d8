import type { Guard, Reporter, TestAttempt, TestError } from '@caseward/reporter-core'

import { toAttempt, toTestError, toFileError, getTestFile, isFile } from './to-attempt.ts'
import type { DiagnosticData, InterruptedData, NodeTestEvent, TestData } from './framework-types.ts'
import { createTitlePathTracker } from './title-path.ts'

/** How long a test waits for the messages of `t.diagnostic()`, which follow its event. */
const DIAGNOSTICS_MS = 100
/** How much of a file's error output is kept. It may be the only explanation of why the file failed. */
const MAX_OUTPUT_LENGTH = 4096

/** Reads Node's events in their order. The methods never throw. */
export interface EventReader {
  read(event: NodeTestEvent): void
  /** Call it after the last event. */
  end(): { readonly interrupted: boolean }
}

/**
 * Creates a reader that records each test as soon as all of its events have arrived.
 * @param guard records the events that cannot be read
 */
export function createEventReader(reporter: Omit<Reporter, 'finish'>, cwd: string, guard: Guard): EventReader {
  const titlePaths = createTitlePathTracker(cwd)
  let latest: { attempt: TestAttempt; data: TestData; caseIds: string[]; timer: NodeJS.Timeout } | null = null
  /** Tests that did not run. Only the later event of their suite shows whether a hook has blocked them. */
  let canceled: { attempt: TestAttempt; nesting: number }[] = []
  /** Output of the current file outside of its tests. */
  let output = ''
  let file: string | undefined
  let interrupted = false

  const recordLatest = () => {
    if (latest === null) return
    const { attempt, caseIds, timer } = latest
    clearTimeout(timer)
    latest = null
    reporter.recordAttempt(caseIds.length === 0 ? attempt : { ...attempt, caseIds })
  }
  const recordCanceled = (parentNesting: number, hookError: TestError | null): number => {
    const children = canceled.filter(({ nesting }) => nesting > parentNesting)
    canceled = canceled.filter(({ nesting }) => nesting <= parentNesting)
    for (const { attempt } of children) {
      reporter.recordAttempt(hookError === null ? attempt : { ...attempt, status: 'blocked', errors: [hookError] })
    }
    return children.length
  }
  const endTest = (passed: boolean, data: TestData) => {
    const { nesting = 0, details } = data
    const { titlePath, hasTests } = titlePaths.leave(data)
    const failureType = passed ? undefined : details?.error?.failureType
    const isCanceled = failureType === 'cancelledByParent'
    const hookError = failureType === 'hookFailed' ? toTestError(details?.error ?? {}) : null
    const blockedCount = isCanceled ? 0 : recordCanceled(nesting, hookError)
    if (isFile(data, cwd)) {
      endFile(passed, data)
    } else if (details?.type === 'suite') {
      // The hook ran after the tests. The error of a hook before them is recorded with each blocked test.
      if (hookError !== null && blockedCount === 0)
        reporter.recordSuiteError({ location: titlePath.join(' > '), ...hookError })
    } else if (!isFilteredOut(data)) {
      const attempt = { ...toAttempt(passed, data, titlePaths.locate(data, titlePath)), isContainer: hasTests }
      if (isCanceled) canceled.push({ attempt, nesting })
      else latest = { attempt, data, caseIds: [], timer: setTimeout(recordLatest, DIAGNOSTICS_MS).unref() }
    }
  }
  const endFile = (passed: boolean, data: TestData) => {
    if (!passed) reporter.recordSuiteError(toFileError(data, cwd, output))
    // Node treats a file without tests as a test whose status is the exit code.
    const location = titlePaths.locate(data, [getTestFile(data, cwd) ?? ''])
    reporter.recordAttempt({ ...toAttempt(passed, data, location), isContainer: true })
  }
  const interrupt = ({ tests = [] }: InterruptedData) => {
    interrupted = true
    const recordInterrupted = (data: TestData) => {
      if (isFile(data, cwd)) return
      const attempt = toAttempt(false, data, titlePaths.locate(data, [data.name ?? '']))
      reporter.recordAttempt({ ...attempt, status: 'interrupted' })
    }
    for (const data of tests) guard(() => recordInterrupted(data))
  }
  const trackCurrentFile = (data: NodeTestEvent['data']) => {
    if (!('file' in data)) return
    const testFile = getTestFile(data, cwd)
    if (testFile === undefined || testFile === file) return
    file = testFile
    output = ''
  }
  const captureOutput = ({ message = '' }: DiagnosticData) => {
    output = (output + message).slice(-MAX_OUTPUT_LENGTH)
  }
  const read = ({ type, data }: NodeTestEvent) => {
    if (type === 'test:diagnostic' && latest !== null && belongsTo(latest.data, data)) {
      latest.caseIds.push(...parseCaseIds(data.message ?? ''))
      return
    }
    recordLatest()
    if (!USED_EVENTS.has(type)) return
    trackCurrentFile(data)
    if (type === 'test:start') titlePaths.enter(data)
    else if (type === 'test:pass' || type === 'test:fail') endTest(type === 'test:pass', data)
    else if (type === 'test:stderr' || (type === 'test:diagnostic' && data.file === undefined)) captureOutput(data)
    else if (type === 'test:interrupted') interrupt(data)
  }
  return {
    read: (event) => guard(() => read(event)),
    end() {
      recordLatest()
      recordCanceled(-1, null)
      return { interrupted }
    },
  }
}

/** Node reports other events, too, of which some have no data. */
const USED_EVENTS: ReadonlySet<string> = new Set<NodeTestEvent['type']>([
  'test:start',
  'test:pass',
  'test:fail',
  'test:diagnostic',
  'test:stdout',
  'test:stderr',
  'test:interrupted',
])

const belongsTo = (test: TestData, diagnostic: DiagnosticData): boolean =>
  diagnostic.nesting === test.nesting && diagnostic.file === test.file && diagnostic.line === test.line

/** Parses a message such as `test_case_id=WEB-12`. */
function parseCaseIds(message: string): string[] {
  const ids = /^\s*test_case_id\s*[=:]\s*(.+)$/s.exec(message)?.[1]
  return ids === undefined ? [] : [ids]
}

/** Returns whether `--test-name-pattern` or `--test-only` excludes a test. Older versions report it as skipped. */
const isFilteredOut = ({ skip }: TestData): boolean =>
  skip === 'test name does not match pattern' || skip === "'only' option not set"
