import { resolve } from 'node:path'

import {
  type AttemptStatus,
  createGuard,
  createOccurrenceCounter,
  createTestId,
  type SuiteError,
  type TestPosition,
} from '@caseward/reporter-core'
import { attach } from '@caseward/reporter-core/attach'

import { toAttempt, getErrors, getTestFile, toLoadError, getTags } from './to-attempt.ts'
import { findTestsNotRun } from './tests-not-run.ts'
import type {
  CommandPayload,
  EventPayload,
  MochaOptions,
  MochaSuite,
  MochaTest,
  ThrownError,
} from './framework-types.ts'
import type { JournalLine } from './worker-journal.ts'

/** Reads the events of WebdriverIO in one worker. The methods never throw. */
export interface SpecReader {
  /** Reads an event of WebdriverIO's reporter API. */
  read(event: string, payload: EventPayload & CommandPayload): void
  /** Attaches a picture that the running test has taken in another way than by a request to the driver. */
  attachScreenshot(bytes: Uint8Array): void
  /** Searches for Mocha's root suite until it is found. */
  findRoot(search: () => MochaSuite | null): void
  /** The worker has ended: all tests have run, or none could. */
  end(result: number | ThrownError, options: MochaOptions): void
}

const attemptStatuses: Readonly<Record<string, AttemptStatus>> = {
  'test:pass': 'passed',
  'test:fail': 'failed',
  'test:retry': 'failed',
  'test:pending': 'skipped',
  'test:skip': 'skipped',
}

/** Creates a reader that writes each test of the spec files immediately. */
export function createSpecReader(
  write: (line: JournalLine) => void,
  specs: readonly string[],
  cwd: string,
): SpecReader {
  const suites: { title: string; tags: string[] }[] = []
  const guard = createGuard('webdriverio', (error) => write({ error }))
  const occurrences = createOccurrenceCounter()
  /** The ids of tests that will be retried. */
  const retriedTestIds = new Set<string>()
  const endedTestIds = new Set<string>()
  let runningTest: TestPosition | null = null
  let root: MochaSuite | null = null
  const hookErrors: SuiteError[] = []

  const locateLatest = ({ title = '', file: path = specs[0] }: EventPayload): TestPosition => {
    const titlePath = [...suites.map((suite) => suite.title), title]
    const file = getTestFile(path, cwd)
    return { titlePath, file, occurrence: occurrences.getLatest(file, titlePath) }
  }
  const startTest = (payload: EventPayload): TestPosition => {
    const latest = locateLatest(payload)
    // A retry starts again, but is the same test.
    if (retriedTestIds.delete(createTestId(latest))) return latest
    return { ...latest, occurrence: occurrences.count(latest.file, latest.titlePath) }
  }
  const findEndedTest = (payload: EventPayload): TestPosition | null => {
    const latest = locateLatest(payload)
    return endedTestIds.has(createTestId(latest)) ? latest : null
  }
  const endTest = (event: string, status: AttemptStatus, payload: EventPayload) => {
    // Mocha reports no start of a pending test, and no end of a test that a hook has blocked.
    const isRunning =
      runningTest !== null &&
      runningTest.titlePath.length === suites.length + 1 &&
      runningTest.titlePath.at(-1) === payload.title
    // A failure without a start is of a test that had ended, and calls `done` twice or throws late.
    const endedTest = isRunning || event !== 'test:fail' ? null : findEndedTest(payload)
    const location = isRunning && runningTest !== null ? runningTest : (endedTest ?? startTest(payload))
    if (endedTest === null) runningTest = null
    const tags = suites.flatMap((suite) => suite.tags)
    const attempt = toAttempt(status, payload, location, tags)
    write({ attempt: endedTest === null ? attempt : { ...attempt, replacesResult: true } })
    const testIds = event === 'test:retry' ? retriedTestIds : endedTestIds
    testIds.add(createTestId(location))
  }
  /** The launcher adds the pictures to the test, if it has failed. */
  const attachScreenshot = (bytes: Uint8Array) => {
    if (runningTest === null) return
    const { file, titlePath } = runningTest
    const test = { file: resolve(cwd, file ?? ''), fullTitle: () => titlePath.join(' ') }
    attach('screenshot.png', bytes, { test })
  }
  const read = (event: string, payload: EventPayload & CommandPayload) => {
    const status = attemptStatuses[event]
    if (event === 'suite:start') suites.push({ title: payload.title ?? '', tags: getTags(payload) })
    else if (event === 'suite:end') suites.pop()
    else if (event === 'test:start') {
      runningTest = startTest(payload)
      const { titlePath, file } = runningTest
      write({ started: { testId: createTestId(runningTest), titlePath, file } })
    } else if (status !== undefined) endTest(event, status, payload)
    else if (event === 'client:afterCommand') {
      const value = payload.command === 'takeScreenshot' ? payload.result?.value : undefined
      if (typeof value === 'string') attachScreenshot(Buffer.from(value, 'base64'))
    } else if (event === 'hook:end') {
      for (const error of getErrors(payload)) hookErrors.push({ location: payload.title ?? 'a hook', ...error })
    } else if (event === 'runner:end' && typeof payload.error === 'string') {
      write({ error: { location: getTestFile(specs[0], cwd) ?? 'a spec file', message: payload.error } })
    }
  }
  /** Writes the tests that a failed hook has blocked, with its error. Returns the errors that now belong to tests. */
  const writeBlockedTests = (options: MochaOptions) => {
    const assignedErrors = new Set<SuiteError>()
    if (root === null || hookErrors.length === 0) return assignedErrors
    const locate = (test: MochaTest, occurrence: number): TestPosition => ({
      titlePath: test.titlePath(),
      file: getTestFile(test.file ?? specs[0], cwd),
      occurrence,
    })
    const testsNotRun = findTestsNotRun(root, options, (test, occurrence) =>
      endedTestIds.has(createTestId(locate(test, occurrence))),
    )
    for (const { test, occurrence, blockedBy } of testsNotRun) {
      const error = hookErrors.find(({ location }) => location.endsWith(` for ${blockedBy.title}`)) ?? hookErrors[0]
      if (error === undefined) continue
      if (error.location.startsWith('"before')) assignedErrors.add(error)
      const { location, message, ...testError } = error
      const payload = { errors: [{ ...testError, message: `${location}: ${message}` }] }
      write({ attempt: toAttempt('blocked', payload, locate(test, occurrence), []) })
    }
    return assignedErrors
  }
  return {
    read: (event, payload) => guard(() => read(event, payload)),
    attachScreenshot: (bytes) => guard(() => attachScreenshot(bytes)),
    findRoot: (search) => guard(() => void (root ??= search())),
    end(result, options) {
      let assignedErrors: ReadonlySet<SuiteError> = new Set()
      guard(() => {
        assignedErrors = writeBlockedTests(options)
      })
      for (const error of hookErrors) if (!assignedErrors.has(error)) write({ error })
      guard(() => {
        if (typeof result !== 'object' || result === null) return
        write({ error: { location: getTestFile(specs[0], cwd) ?? 'a spec file', ...toLoadError(result) } })
      })
      write({ ended: true })
    },
  }
}
