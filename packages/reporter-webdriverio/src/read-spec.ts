import type { ResultStatus, SuiteError } from '@caseward/reporter-core'

import { attemptOf, errorsOf, fileOf, loadErrorOf, type Place, tagsOf, testIdOf } from './to-attempt.ts'
import { testsNotRun } from './tests-not-run.ts'
import type { EventPayload, MochaOptions, MochaSuite, ThrownError } from './webdriverio-types.ts'
import type { Line } from './worker-journal.ts'

/** Takes what WebdriverIO tells in one worker. None of it ever throws. */
export interface SpecReader {
  /** An event as reporters get it. */
  read(event: string, payload: EventPayload): void
  /** Looks for Mocha's tree of suites, as long as it has not been found. */
  findRoot(look: () => MochaSuite | null): void
  /** All tests have run, or none could. */
  end(result: number | ThrownError, options: MochaOptions): void
}

const statusOf: Readonly<Record<string, ResultStatus>> = {
  'test:pass': 'passed',
  'test:fail': 'failed',
  'test:retry': 'failed',
  'test:pending': 'not_tested',
  'test:skip': 'not_tested',
}

/** Tells of each test of a worker's spec files as soon as WebdriverIO does. */
export function createSpecReader(tell: (line: Line) => void, specs: readonly string[], cwd: string): SpecReader {
  const suites: { title: string; tags: string[] }[] = []
  /** Of each title path, which of its tests have begun, in their order, and which have ended. */
  const rows = new Map<string, { begun: number; retries: boolean }>()
  const ended = new Set<string>()
  let open: Place | null = null
  let root: MochaSuite | null = null
  const hookErrors: SuiteError[] = []

  const begin = (payload: EventPayload): Place => {
    const titlePath = [...suites.map(({ title }) => title), payload.title ?? '']
    const file = fileOf(payload.file ?? specs[0], cwd)
    const key = JSON.stringify([file, ...titlePath])
    const known = rows.get(key) ?? { begun: 0, retries: false }
    // A retry begins anew, and is the same test.
    if (!known.retries) known.begun += 1
    known.retries = false
    rows.set(key, known)
    return { titlePath, file, row: known.begun - 1 }
  }
  const conclude = (event: string, status: ResultStatus, payload: EventPayload) => {
    // Mocha does not begin a test that is pending, nor does it end one that a hook kept from running.
    const isOpen =
      open !== null && open.titlePath.length === suites.length + 1 && open.titlePath.at(-1) === payload.title
    const place = isOpen && open !== null ? open : begin(payload)
    open = null
    const tags = suites.flatMap((suite) => suite.tags)
    tell({ attempt: attemptOf(status, payload, place, tags) })
    if (event !== 'test:retry') {
      ended.add(testIdOf(place))
      return
    }
    const known = rows.get(JSON.stringify([place.file, ...place.titlePath]))
    if (known !== undefined) known.retries = true
  }
  const read = (event: string, payload: EventPayload) => {
    const status = statusOf[event]
    if (event === 'suite:start') suites.push({ title: payload.title ?? '', tags: tagsOf(payload) })
    else if (event === 'suite:end') suites.pop()
    else if (event === 'test:start') {
      open = begin(payload)
      tell({ started: { testId: testIdOf(open), titlePath: open.titlePath, file: open.file } })
    } else if (status !== undefined) conclude(event, status, payload)
    else if (event === 'hook:end') {
      for (const error of errorsOf(payload)) hookErrors.push({ where: payload.title ?? 'a hook', ...error })
    } else if (event === 'runner:end' && typeof payload.error === 'string') {
      tell({ error: { where: fileOf(specs[0], cwd) ?? 'a spec file', message: payload.error } })
    }
  }
  /** Tests that a hook blocked; the hook's error is theirs then. */
  const block = (options: MochaOptions) => {
    const blaming = new Set<SuiteError>()
    if (root === null || hookErrors.length === 0) return blaming
    const place = (titlePath: string[], file: string | undefined, row: number): Place => {
      return { titlePath, file: fileOf(file ?? specs[0], cwd), row }
    }
    const found = testsNotRun(root, options, (test, row) =>
      ended.has(testIdOf(place(test.titlePath(), test.file, row))),
    )
    for (const { test, row, blockedBy } of found) {
      const error = hookErrors.find(({ where }) => where.endsWith(` for ${blockedBy.title}`)) ?? hookErrors[0]
      if (error === undefined) continue
      if (error.where.startsWith('"before')) blaming.add(error)
      const { where, message, ...rest } = error
      const payload = { errors: [{ ...rest, message: `${where}: ${message}` }] }
      tell({ attempt: attemptOf('blocked', payload, place(test.titlePath(), test.file, row), []) })
    }
    return blaming
  }
  return {
    read: (event, payload) => attempt(() => read(event, payload)),
    findRoot: (look) => attempt(() => void (root ??= look())),
    end(result, options) {
      attempt(() => {
        const blaming = block(options)
        for (const error of hookErrors) if (!blaming.has(error)) tell({ error })
        if (typeof result === 'object' && result !== null) {
          tell({ error: { where: fileOf(specs[0], cwd) ?? 'a spec file', ...loadErrorOf(result) } })
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
