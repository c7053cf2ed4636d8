import { createGuard, createReporter, type Guard, type Reporter, type ReporterOptions } from '@caseward/reporter-core'

import { createModuleReader, type ModuleReader } from './read-events.ts'
import { createModules, type TaskFile } from './vitest-2.ts'
import type { TestCase, TestModule, TestSpecification, Vitest, VitestError } from './framework-types.ts'

export type { ReporterOptions } from '@caseward/reporter-core'

/** The state of one suite. */
interface Session {
  readonly reporter: Reporter
  readonly reader: ModuleReader
  readonly guard: Guard
  /** Vitest 2 only. */
  readonly modules: ReturnType<typeof createModules>
  close(): void
}

/**
 * Reporter for `reporters: ['default', ['@caseward/vitest', { … }]]`. Each option has an environment variable. It does
 * not print to standard output, and does not change the exit code of the suite, unless `strict` is set. It does nothing
 * in watch mode.
 */
export default class CasewardReporter {
  readonly #options: ReporterOptions
  #vitest: Vitest | null = null
  #session: Session | null = null
  /** Vitest 3 calls the methods of both APIs. Those of Vitest 2 are then ignored. */
  #isVitest2 = true

  constructor(options: ReporterOptions = {}) {
    this.#options = options
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#isVitest2 = false
    this.#read(({ reader }) => reader.begin(specifications))
  }

  onTestCaseReady(test: TestCase): void {
    this.#read(({ reader }) => reader.beginTest(test))
  }

  onTestCaseResult(test: TestCase): void {
    this.#read(({ reader }) => reader.endTest(test))
  }

  onTestModuleEnd(module: TestModule): void {
    this.#read(({ reader }) => reader.endModule(module))
  }

  async onTestRunEnd(modules: readonly TestModule[], errors: readonly VitestError[], reason?: string): Promise<void> {
    const interrupted = reason === 'interrupted'
    this.#read(({ reader }) => reader.end(modules, errors, interrupted))
    await this.#finish(interrupted)
  }

  /** Vitest 2 only, like the three methods below. */
  onPathsCollected(paths: readonly string[] = []): void {
    if (!this.#isVitest2) return
    this.#read(({ reader }) => reader.begin(paths.map((moduleId) => ({ moduleId }))))
  }

  onCollected(files: readonly TaskFile[] = []): void {
    if (!this.#isVitest2) return
    this.#read(({ modules }) => {
      for (const file of files) modules.add(file)
    })
  }

  onTaskUpdate(packs: readonly (readonly [id: string, ...unknown[]])[]): void {
    if (!this.#isVitest2) return
    this.#read(({ reader, modules }) => {
      for (const test of packs.flatMap(([id]) => modules.test(id) ?? [])) {
        reader.beginTest(test)
        reader.endTest(test)
      }
    })
  }

  async onFinished(_files: readonly TaskFile[] = [], errors: readonly unknown[] = []): Promise<void> {
    if (!this.#isVitest2) return
    const interrupted = this.#vitest?.isCancelling === true
    this.#read(({ reader, modules }) => reader.end(modules.all(), errors as readonly VitestError[], interrupted))
    await this.#finish(interrupted)
  }

  #read(readWith: (session: Session) => void): void {
    if (this.#vitest === null || this.#vitest.config.watch === true) return
    const session = (this.#session ??= startSession(this.#vitest, this.#options))
    session.guard(() => readWith(session))
  }

  async #finish(interrupted: boolean): Promise<void> {
    const session = this.#session
    if (session === null) return
    this.#session = null
    session.close()
    const { failsSuite } = await session.reporter.finish({ interrupted })
    if (failsSuite && (process.exitCode ?? 0) === 0) process.exitCode = 1
  }
}

function startSession(vitest: Vitest, options: ReporterOptions): Session {
  const { shard } = vitest.config
  const defaults = shard ? { shard: `${shard.index}/${shard.count}`, expectedShards: shard.count } : {}
  const reporter = createReporter('vitest', options, defaults)
  for (const directory of [vitest.config.root, vitest.config.attachmentsDir])
    if (directory !== undefined) reporter.allowDirectory(directory)
  const guard = createGuard('vitest', (error) => reporter.recordSuiteError(error))
  const reader = createModuleReader(reporter, vitest, process.cwd(), guard)
  // Ctrl-C ends the process immediately. The results so far are saved in the spool.
  const interrupt = () => guard(() => reader.interrupt())
  process.once('exit', interrupt)
  return { reporter, reader, guard, modules: createModules(), close: () => void process.off('exit', interrupt) }
}
