import type { TestCase, TestModule, TestResult, TestSuite, VitestError } from './framework-types.ts'

// Vitest 2 reports tasks. They are converted here to the test cases, suites and modules of later versions.

interface TaskResult {
  readonly state: string
  readonly errors?: readonly VitestError[]
  readonly startTime?: number
  /** Set when a test has ended. */
  readonly duration?: number
  readonly retryCount?: number
  readonly repeatCount?: number
  readonly note?: string
}

interface Task {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly mode: string
  readonly meta?: object
  readonly fails?: boolean
  readonly result?: TaskResult
  readonly tasks?: readonly Task[]
}

/** A file. Its tasks exist when it has been loaded, and change while they run. */
export interface TaskFile extends Task {
  readonly filepath: string
  readonly projectName?: string
}

/** Converts the files that have been loaded. Call `add` before their tests run, because running changes the mode. */
export function createModules(): {
  add(file: TaskFile): void
  /** Finds a test by its id. */
  test(id: string): TestCase | undefined
  all(): TestModule[]
} {
  const modules = new Map<string, TestModule>()
  const tests = new Map<string, TestCase>()

  const wrap = (task: Task, parent: TestSuite | TestModule, project: { name: string }): TestCase | TestSuite => {
    if (task.tasks !== undefined) {
      const children: (TestCase | TestSuite)[] = []
      const suite: TestSuite = { type: 'suite', name: task.name, parent, children, errors: () => getErrors(task) }
      children.push(...task.tasks.map((child) => wrap(child, suite, project)))
      return suite
    }
    const test: TestCase = {
      type: 'test',
      id: task.id,
      name: task.name,
      parent,
      project,
      options: { mode: task.mode, fails: task.fails },
      result: () => toResult(task),
      meta: () => task.meta ?? {},
      diagnostic: () => toDiagnostic(task),
    }
    tests.set(task.id, test)
    return test
  }
  return {
    add(file) {
      const children: (TestCase | TestSuite)[] = []
      const { id, filepath: moduleId, projectName: name = '' } = file
      const module: TestModule = { type: 'module', id, moduleId, children, errors: () => getErrors(file) }
      children.push(...(file.tasks ?? []).map((child) => wrap(child, module, { name })))
      modules.set(id, module)
    },
    test: (id) => tests.get(id),
    all: () => [...modules.values()],
  }
}

const getErrors = ({ result }: Task) => result?.errors ?? []

function toResult({ result, mode }: Task): TestResult {
  const { state = mode, errors, note, duration } = result ?? {}
  if (state === 'skip' || state === 'todo') return { state: 'skipped', note }
  // Without a duration, the test only seems to have ended: it is between two attempts, or its last hooks will still
  // run.
  if (duration === undefined) return { state: 'pending' }
  return { state: state === 'pass' ? 'passed' : 'failed', errors }
}

function toDiagnostic({ result }: Task): ReturnType<TestCase['diagnostic']> {
  if (result?.startTime === undefined) return undefined
  const { duration = 0, retryCount = 0, repeatCount = 0 } = result
  return { duration, retryCount, repeatCount }
}
