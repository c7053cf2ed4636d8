import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync, copyFileSync, linkSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'

/*
 * What tests call, in whatever process they run. It is CommonJS, because Jest and older versions of Node cannot require ES
 * modules, and depends on nothing else of this package.
 */

/** The test that a call belongs to: Mocha's `this`, the `t` of node:test, or Vitest's context. */
export type TestContext = object

/** One line of the journal that the reporter reads. */
interface Entry {
  readonly file: string
  readonly name: string
  readonly attachment?: { readonly name: string; readonly path: string }
  readonly step?: {
    readonly title: string
    readonly status: 'passed' | 'failed'
    readonly depth: number
    readonly order: number
    readonly durationMs: number
    readonly message?: string
  }
}

/** Set by the reporter, and inherited by the processes of the tests. */
const DIRECTORY_VARIABLE = 'CASEWARD_ATTACH_DIRECTORY'
/** Where the reporter of Mocha, which runs in the process of the tests, says which test runs. */
const CURRENT_TEST = Symbol.for('caseward.currentTest')
/** Where Jest and Vitest keep the state of `expect`. */
const EXPECT_STATES = [Symbol.for('$$jest-matchers-object'), Symbol.for('expect-global')]

const openSteps = new AsyncLocalStorage<number>()
// Taken before tests replace the clock.
const { now } = performance
const nowMs = now.bind(performance)
let order = 0
let hasWarned = false

/**
 * Attaches a file to the current test. Does nothing without a reporter of Caseward, and never throws.
 * @param name how the file is called, such as `page.png`
 * @param pathOrBytes a file in the working directory, or the content
 * @param context the test, where it is not known by itself: Mocha's `this` with `parallel`, and the `t` of node:test
 */
export function attach(name: string, pathOrBytes: string | Uint8Array, context?: TestContext): void {
  const directory = process.env[DIRECTORY_VARIABLE]
  if (directory === undefined || directory === '') return
  try {
    const test = requireTest(context)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const path = join(directory, `${process.pid}-${Math.random().toString(36).slice(2)}`)
    if (typeof pathOrBytes === 'string') copyInside(resolve(pathOrBytes), path)
    else writeFileSync(path, pathOrBytes, { mode: 0o600 })
    append(directory, { ...test, attachment: { name: name, path } })
  } catch (error) {
    warn(`“${name}” was not attached: ${getMessage(error)}`)
  }
}

/**
 * Runs a function as a step of the current test, and reports its title, duration and outcome. Steps can be nested.
 * @param context as for {@link attach}
 * @returns what the function returns; what it throws is thrown again
 */
export function step<Result>(title: string, run: () => Result, context?: TestContext): Result {
  const directory = process.env[DIRECTORY_VARIABLE]
  const isReported = directory !== undefined && directory !== ''
  const depth = openSteps.getStore() ?? 0
  const startedAt = nowMs()
  const stepOrder = order++
  const end = (error?: { readonly thrown: unknown }) => {
    if (!isReported) return
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      const outcome =
        error === undefined
          ? { status: 'passed' as const }
          : { status: 'failed' as const, message: getMessage(error.thrown) }
      const durationMs = Math.max(0, nowMs() - startedAt)
      append(directory, {
        ...requireTest(context),
        step: { title: title, depth, order: stepOrder, durationMs, ...outcome },
      })
    } catch (failure) {
      warn(`the step “${title}” was not reported: ${getMessage(failure)}`)
    }
  }
  try {
    // With and without a reporter, so that it changes no stack trace.
    const result = openSteps.run(depth + 1, run)
    if (!isReported) return result
    if (!isPromise(result)) {
      end()
      return result
    }
    const ended: unknown = result.then(
      (value) => {
        end()
        return value
      },
      (error: unknown) => {
        end({ thrown: error })
        throw error
      },
    )
    return ended as Result
  } catch (error) {
    end({ thrown: error })
    throw error
  }
}

const append = (directory: string, entry: Entry): void =>
  appendFileSync(join(directory, 'journal.jsonl'), `${JSON.stringify(entry)}\n`, { mode: 0o600 })

/** Copies a file of the working directory, by a hard link if that is possible: tests may delete theirs. */
function copyInside(file: string, target: string): void {
  const realPath = realpathSync(file)
  const path = relative(realpathSync(process.cwd()), realPath)
  if (path === '' || /^\.\.(?:[\\/]|$)/.test(path) || isAbsolute(path))
    throw new Error('the file is outside of the working directory (outside_directory): pass its content instead')
  if (!statSync(realPath).isFile()) throw new Error('it is not a file')
  try {
    linkSync(realPath, target)
  } catch {
    copyFileSync(realPath, target)
  }
}

function requireTest(context: TestContext | undefined): Pick<Entry, 'file' | 'name'> {
  const test = context === undefined ? findCurrentTest() : readContext(context)
  if (test === null) {
    throw new Error(
      'the test that runs is not known. Pass its context as the last argument: the t of node:test, this of Mocha, or the context of Vitest',
    )
  }
  return test
}

type Fields = Readonly<Record<string, unknown>>

function findCurrentTest(): Pick<Entry, 'file' | 'name'> | null {
  const ofMocha = readObject(Reflect.get(globalThis, CURRENT_TEST))
  if (ofMocha !== null) return toTest(ofMocha['file'], ofMocha['name'])
  for (const symbol of EXPECT_STATES) {
    const expect = readObject(Reflect.get(globalThis, symbol))
    const getState = expect?.['getState']
    const state = readObject(typeof getState === 'function' ? getState.call(expect) : expect?.['state'])
    const test = toTest(state?.['testPath'], state?.['currentTestName'])
    if (test !== null) return test
  }
  return null
}

function readContext(context: TestContext): Pick<Entry, 'file' | 'name'> | null {
  const fields = context as Fields
  // Mocha's `this`: in a hook, the test that it prepares.
  const runnable = readObject(fields['currentTest']) ?? readObject(fields['test'])
  const fullTitle = runnable?.['fullTitle']
  if (runnable !== null && typeof fullTitle === 'function') return toTest(runnable['file'], fullTitle.call(runnable))
  // Vitest.
  const task = readObject(fields['task'])
  if (task !== null) return toTest(readObject(task['file'])?.['filepath'], getTaskName(task))
  // node:test; older versions do not tell the file and the titles around the test.
  return toTest(fields['filePath'] ?? process.argv[1], fields['fullName'] ?? fields['name'])
}

function getTaskName(task: Fields): string {
  const suite = readObject(task['suite'])
  const name = String(task['name'])
  return suite === null || suite['filepath'] !== undefined ? name : `${getTaskName(suite)} ${name}`
}

const toTest = (file: unknown, name: unknown): Pick<Entry, 'file' | 'name'> | null =>
  typeof file === 'string' && typeof name === 'string' && name !== '' ? { file, name } : null

const readObject = (value: unknown): Fields | null =>
  (typeof value === 'object' && value !== null) || typeof value === 'function' ? (value as Fields) : null

const isPromise = (value: unknown): value is Promise<unknown> => typeof readObject(value)?.['then'] === 'function'

const getMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Printed once: a suite may have thousands of tests. */
function warn(message: string): void {
  if (hasWarned) return
  hasWarned = true
  process.stderr.write(`Caseward: ${message}.\n`)
}
