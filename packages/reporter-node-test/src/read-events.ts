import type { Reporter, TestAttempt, TestError } from '@caseward/reporter-core'

import { toAttempt, toTestError, toFileError, getTestFile, isFile } from './to-attempt.ts'
import type { DiagnosticData, InterruptedData, NodeTestEvent, TestData } from './node-test-events.ts'
import { createTitlePathTracker } from './title-path.ts'

/** How long a test may wait for what it said by `t.diagnostic()`, which Node tells right after it. */
const DIAGNOSTICS_MS = 100
/** How much of a file's error output is kept, in case that it is all that tells why the file failed. */
const OUTPUT_LENGTH = 4096

/** Takes Node's events, one by one and in their order. */
export interface EventReader {
  read(event: NodeTestEvent): void
  /** No more will come. */
  leave(): { readonly interrupted: boolean }
}

/** Tells a reporter of each test as soon as Node has told all that belongs to it. */
export function createEventReader(reporter: Omit<Reporter, 'finish'>, cwd: string): EventReader {
  const places = createTitlePathTracker(cwd)
  let latest: { attempt: TestAttempt; data: TestData; caseIds: string[]; timer: NodeJS.Timeout } | null = null
  /** Tests that did not run. Whether a hook was to blame is told with the suite around them, after them. */
  let cancelled: { attempt: TestAttempt; nesting: number }[] = []
  /** What the file that is being told of said outside of its tests. */
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
  const recordCancelled = (within: number, hookError: TestError | null): number => {
    const these = cancelled.filter(({ nesting }) => nesting > within)
    cancelled = cancelled.filter(({ nesting }) => nesting <= within)
    for (const { attempt } of these) {
      reporter.recordAttempt(hookError === null ? attempt : { ...attempt, status: 'blocked', errors: [hookError] })
    }
    return these.length
  }
  const leave = (passed: boolean, data: TestData) => {
    const { nesting = 0, details } = data
    const { titlePath, hasTests } = places.leave(data)
    const failureType = passed ? undefined : details?.error?.failureType
    const isCancelled = failureType === 'cancelledByParent'
    const hookError = failureType === 'hookFailed' ? toTestError(details?.error ?? {}) : null
    const blocked = isCancelled ? 0 : recordCancelled(nesting, hookError)
    if (isFile(data, cwd)) {
      endFile(passed, data)
    } else if (details?.type === 'suite') {
      // A hook after the tests. One before them is told by each test that it blocked.
      if (hookError !== null && blocked === 0)
        reporter.recordSuiteError({ location: titlePath.join(' > '), ...hookError })
    } else if (!isFilteredOut(data)) {
      const attempt = { ...toAttempt(passed, data, places.locate(data, titlePath)), isContainer: hasTests }
      if (isCancelled) cancelled.push({ attempt, nesting })
      else latest = { attempt, data, caseIds: [], timer: setTimeout(recordLatest, DIAGNOSTICS_MS).unref() }
    }
  }
  const endFile = (passed: boolean, data: TestData) => {
    if (!passed) reporter.recordSuiteError(toFileError(data, cwd, output))
    // To Node a file without tests is a test, and its exit code says whether it passed.
    const place = places.locate(data, [getTestFile(data, cwd) ?? ''])
    reporter.recordAttempt({ ...toAttempt(passed, data, place), isContainer: true })
  }
  const interrupt = ({ tests = [] }: InterruptedData) => {
    interrupted = true
    for (const data of tests.filter((test) => !isFile(test, cwd))) {
      const attempt = toAttempt(false, data, places.locate(data, [data.name ?? '']))
      reporter.recordAttempt({ ...attempt, status: 'retest' })
    }
  }
  const trackCurrentFile = (data: NodeTestEvent['data']) => {
    if (!('file' in data)) return
    const named = getTestFile(data, cwd)
    if (named === undefined || named === file) return
    file = named
    output = ''
  }
  const captureOutput = ({ message = '' }: DiagnosticData) => {
    output = (output + message).slice(-OUTPUT_LENGTH)
  }
  return {
    read({ type, data }) {
      if (type === 'test:diagnostic' && latest !== null && belongsTo(latest.data, data)) {
        latest.caseIds.push(...caseIdsIn(data.message ?? ''))
        return
      }
      recordLatest()
      trackCurrentFile(data)
      if (type === 'test:start') places.enter(data)
      else if (type === 'test:pass' || type === 'test:fail') leave(type === 'test:pass', data)
      else if (type === 'test:stderr' || (type === 'test:diagnostic' && data.file === undefined)) captureOutput(data)
      else if (type === 'test:interrupted') interrupt(data)
    },
    leave() {
      recordLatest()
      recordCancelled(-1, null)
      return { interrupted }
    },
  }
}

const belongsTo = (test: TestData, said: DiagnosticData): boolean =>
  said.nesting === test.nesting && said.file === test.file && said.line === test.line

/** `test_case_id=WEB-12`; one id or several. */
function caseIdsIn(message: string): string[] {
  const ids = /^\s*test_case_id\s*[=:]\s*(.+)$/s.exec(message)?.[1]
  return ids === undefined ? [] : [ids]
}

/** Left out by `--test-name-pattern` or `--test-only`, which older versions tell as skipped: nobody asked for it. */
const isFilteredOut = ({ skip }: TestData): boolean =>
  skip === 'test name does not match pattern' || skip === "'only' option not set"
