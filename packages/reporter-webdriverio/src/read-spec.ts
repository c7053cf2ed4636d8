import type { ResultStatus, SuiteError } from '@caseward/reporter-core'

import {
  toAttempt,
  getErrors,
  getTestFile,
  toLoadError,
  type TestLocation,
  getTags,
  createTestId,
} from './to-attempt.ts'
import { testsNotRun } from './tests-not-run.ts'
import type { EventPayload, MochaOptions, MochaSuite, ThrownError } from './webdriverio-types.ts'
import type { JournalLine } from './worker-journal.ts'

/** Takes what WebdriverIO tells in one worker. None of it ever throws. */
export interface SpecReader {
  /** An event as reporters get it. */
  read(event: string, payload: EventPayload): void
  /** Looks for Mocha's tree of suites, as long as it has not been found. */
  findRoot(look: () => MochaSuite | null): void
  /** All tests have run, or none could. */
  end(result: number | ThrownError, options: MochaOptions): void
}

const resultStatuses: Readonly<Record<string, ResultStatus>> = {
  'test:pass': 'passed',
  'test:fail': 'failed',
  'test:retry': 'failed',
  'test:pending': 'not_tested',
  'test:skip': 'not_tested',
}

/** Tells of each test of a worker's spec files as soon as WebdriverIO does. */
export function createSpecReader(tell: (line: JournalLine) => void, specs: readonly string[], cwd: string): SpecReader {
  const suites: { title: string; tags: string[] }[] = []
  /** Of each title path, which of its tests have begun, in their order, and which have ended. */
  const rows = new Map<string, { begun: number; retries: boolean }>()
  const ended = new Set<string>()
  let open: TestLocation | null = null
  let root: MochaSuite | null = null
  const hookErrors: SuiteError[] = []

  const begin = (payload: EventPayload): TestLocation => {
    const titlePath = [...suites.map(({ title }) => title), payload.title ?? '']
    const file = getTestFile(payload.file ?? specs[0], cwd)
    const key = JSON.stringify([file, ...titlePath])
    const known = rows.get(key) ?? { begun: 0, retries: false }
    // A retry begins anew, and is the same test.
    if (!known.retries) known.begun += 1
    known.retries = false
    rows.set(key, known)
    return { titlePath, file, occurrence: known.begun - 1 }
  }
  const endTest = (event: string, status: ResultStatus, payload: EventPayload) => {
    // Mocha does not begin a test that is pending, nor does it end one that a hook kept from running.
    const isOpen =
      open !== null && open.titlePath.length === suites.length + 1 && open.titlePath.at(-1) === payload.title
    const place = isOpen && open !== null ? open : begin(payload)
    open = null
    const tags = suites.flatMap((suite) => suite.tags)
    tell({ attempt: toAttempt(status, payload, place, tags) })
    if (event !== 'test:retry') {
      ended.add(createTestId(place))
      return
    }
    const known = rows.get(JSON.stringify([place.file, ...place.titlePath]))
    if (known !== undefined) known.retries = true
  }
  const read = (event: string, payload: EventPayload) => {
    const status = resultStatuses[event]
    if (event === 'suite:start') suites.push({ title: payload.title ?? '', tags: getTags(payload) })
    else if (event === 'suite:end') suites.pop()
    else if (event === 'test:start') {
      open = begin(payload)
      tell({ started: { testId: createTestId(open), titlePath: open.titlePath, file: open.file } })
    } else if (status !== undefined) endTest(event, status, payload)
    else if (event === 'hook:end') {
      for (const error of getErrors(payload)) hookErrors.push({ location: payload.title ?? 'a hook', ...error })
    } else if (event === 'runner:end' && typeof payload.error === 'string') {
      tell({ error: { location: getTestFile(specs[0], cwd) ?? 'a spec file', message: payload.error } })
    }
  }
  /** Tests that a hook blocked; the hook's error is theirs then. */
  const block = (options: MochaOptions) => {
    const assignedErrors = new Set<SuiteError>()
    if (root === null || hookErrors.length === 0) return assignedErrors
    const place = (titlePath: string[], file: string | undefined, row: number): TestLocation => {
      return { titlePath, file: getTestFile(file ?? specs[0], cwd), occurrence: row }
    }
    const found = testsNotRun(root, options, (test, row) =>
      ended.has(createTestId(place(test.titlePath(), test.file, row))),
    )
    for (const { test, row, blockedBy } of found) {
      const error = hookErrors.find(({ location: where }) => where.endsWith(` for ${blockedBy.title}`)) ?? hookErrors[0]
      if (error === undefined) continue
      if (error.location.startsWith('"before')) assignedErrors.add(error)
      const { location: where, message, ...rest } = error
      const payload = { errors: [{ ...rest, message: `${where}: ${message}` }] }
      tell({ attempt: toAttempt('blocked', payload, place(test.titlePath(), test.file, row), []) })
    }
    return assignedErrors
  }
  return {
    read: (event, payload) => attempt(() => read(event, payload)),
    findRoot: (look) => attempt(() => void (root ??= look())),
    end(result, options) {
      attempt(() => {
        const assignedErrors = block(options)
        for (const error of hookErrors) if (!assignedErrors.has(error)) tell({ error })
        if (typeof result === 'object' && result !== null) {
          tell({ error: { location: getTestFile(specs[0], cwd) ?? 'a spec file', ...toLoadError(result) } })
        }
      })
      tell({ ended: true })
    },
  }
}

/** What WebdriverIO tells in a shape that nobody knew of must not fail a test: it tells less, that is all. */
function attempt(act: () => void): void {
  try {
    act()
  } catch {
    // See above.
  }
}
