import type { Guard, Reporter, SuiteError, TestAttempt, TestError } from '@caseward/reporter-core'

import { toAttempt, toTestError, toFileError, getTestFile, isFile } from './to-attempt.ts'
import type { DiagnosticData, InterruptedData, NodeTestEvent, TestData } from './framework-types.ts'
import { createTitlePathTracker } from './title-path.ts'

/** How long a test waits for the messages of `t.diagnostic()`, which follow its event. */
const DIAGNOSTICS_MS = 100
/** How much of a file's error output is kept. It may be the only explanation of why the file failed. */
const MAX_OUTPUT_LENGTH = 4096

/** A message of Node about an error that was thrown after its test, or outside of any. */
const LATE_ERROR = /^(?:Error: )?(?:Test ".*"|A resource) .*generated asynchronous activity after the test ended/s

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
export function createEventReader(
  reporter: Pick<Reporter, 'recordAttempt' | 'recordSuiteError'>,
  cwd: string,
  guard: Guard,
): EventReader {
  const titlePaths = createTitlePathTracker(cwd)
  let latest: { attempt: TestAttempt; data: TestData; caseIds: string[]; timer: NodeJS.Timeout } | null = null
  /** Tests and blocks that were canceled. Only the later event of their parent shows whether it failed by itself. */
  let canceled: Canceled[] = []
  /** Output of the current file outside of its tests. */
  let output = ''
  let file: string | undefined
  /** Errors thrown after their test had ended, by file. Node reports them with the file unless a test has failed, too. */
  const lateErrors = new Map<string, SuiteError>()
  let interrupted = false

  const recordLatest = () => {
    if (latest === null) return
    const { attempt, caseIds, timer } = latest
    clearTimeout(timer)
    latest = null
    reporter.recordAttempt(caseIds.length === 0 ? attempt : { ...attempt, caseIds })
  }
  /** @param parentError the error of the parent if it failed by itself, which then blocks its tests */
  const recordCanceled = (parentNesting: number, parentError: TestError | null): number => {
    const children = canceled.filter(({ nesting }) => nesting > parentNesting)
    canceled = canceled.filter(({ nesting }) => nesting <= parentNesting)
    for (const child of children) {
      if ('suiteError' in child) {
        if (parentError === null) reporter.recordSuiteError(child.suiteError)
      } else {
        const { attempt } = child
        const isBlocked = parentError !== null && attempt.status === 'failed'
        reporter.recordAttempt(isBlocked ? { ...attempt, status: 'blocked', errors: [parentError] } : attempt)
      }
    }
    return children.filter((child) => 'attempt' in child).length
  }
  const endTest = (passed: boolean, data: TestData) => {
    const { nesting = 0, details } = data
    const { titlePath, hasTests } = titlePaths.leave(data)
    const isCanceled = !passed && details?.error?.failureType === 'cancelledByParent'
    const ownError = passed || isCanceled || hasFailedBySubtests(data) ? null : toTestError(details?.error ?? {})
    const blockedCount = isCanceled ? 0 : recordCanceled(nesting, ownError)
    if (isFile(data, cwd)) {
      endFile(passed, data)
    } else if (details?.type === 'suite') {
      if (isTodo(data)) return
      const location = titlePath.join(' > ')
      if (isCanceled) cancelSuite(nesting, { location, ...toTestError(details.error ?? {}) })
      // The error of a hook before the tests is recorded with each test that it has blocked.
      else if (ownError !== null && !(details.error?.failureType === 'hookFailed' && blockedCount > 0))
        reporter.recordSuiteError({ location, ...ownError })
    } else if (!isFilteredOut(data)) {
      const attempt = toAttempt(passed, data, titlePaths.locate(data, titlePath))
      // A test that failed by itself is reported even if all of its subtests have passed.
      const isContainer = hasTests && (attempt.status !== 'failed' || hasFailedBySubtests(data))
      if (isCanceled) canceled.push({ attempt: { ...attempt, isContainer }, nesting })
      else
        latest = {
          attempt: { ...attempt, isContainer },
          data,
          caseIds: [],
          timer: setTimeout(recordLatest, DIAGNOSTICS_MS).unref(),
        }
    }
  }
  /** Keeps the error of a block that was canceled, unless one of its tests shows that. */
  const cancelSuite = (nesting: number, suiteError: SuiteError) => {
    if (!canceled.some((child) => child.nesting > nesting)) canceled.push({ suiteError, nesting })
  }
  const endFile = (passed: boolean, data: TestData) => {
    if (!passed) {
      reporter.recordSuiteError(toFileError(data, cwd, output))
      lateErrors.delete(getTestFile(data, cwd) ?? '')
    }
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
    if (file === undefined || lateErrors.has(file) || !LATE_ERROR.test(message)) return
    lateErrors.set(file, { location: file, message })
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
      for (const error of lateErrors.values()) reporter.recordSuiteError(error)
      lateErrors.clear()
      return { interrupted }
    },
  }
}

/** A test that was canceled, or a block without such tests. */
type Canceled = { readonly nesting: number } & ({ readonly attempt: TestAttempt } | { readonly suiteError: SuiteError })

/** Returns whether a test or block failed only because a test in it did, which is reported by itself. */
const hasFailedBySubtests = ({ details }: TestData): boolean => details?.error?.failureType === 'subtestsFailed'

/** A block that is to do may fail without failing the suite. */
const isTodo = ({ todo }: TestData): boolean => todo !== undefined && todo !== false

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
