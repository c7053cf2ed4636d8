import type { Reporter, TestAttempt } from '@casebook/reporter-core'

import { fileOf } from './attempt-of.ts'
import type { Line, WorkerJournals } from './worker-journal.ts'

/** Hands what workers have written to a reporter. None of it ever throws. */
export interface WorkerResults {
  /** Takes in what is new. */
  look(): void
  endWorker(cid: string, exitCode: number, specs: readonly string[], signal: string | null): void
  /** All workers have ended that were to. */
  end(exitCode: number): void
  /** The launcher ends, whether or not workers still run. */
  endAll(): void
  remove(): void
}

type Started = Pick<TestAttempt, 'testId' | 'titlePath' | 'file'>

export function createWorkerResults(
  reporter: Reporter,
  journals: WorkerJournals,
  variants: readonly string[],
  cwd: string,
): WorkerResults {
  /** The test that each worker is at. */
  const running = new Map<string, Started>()
  /** Workers that have told all they had to tell. */
  const complete = new Set<string>()
  /** Those of which a test failed, or more went wrong. */
  const failed = new Set<string>()
  let isEmpty = true

  const variantOf = (cid: string) => variants[Number.parseInt(cid, 10)]
  const take = (cid: string, line: Line) => {
    if ('started' in line) {
      running.set(cid, line.started)
    } else if ('attempt' in line) {
      running.delete(cid)
      isEmpty = false
      if (line.attempt.status === 'failed' || line.attempt.status === 'blocked') failed.add(cid)
      reporter.recordAttempt({ ...line.attempt, variant: variantOf(cid) })
    } else if ('error' in line) {
      isEmpty = false
      failed.add(cid)
      reporter.recordSuiteError(line.error)
    } else {
      running.delete(cid)
      complete.add(cid)
    }
  }
  const look = () => {
    for (const { cid, line } of journals.read()) take(cid, line)
  }
  /** The test that a worker was at when it ended: nobody knows what would have come of it. */
  const leaveOpen = (cid: string) => {
    const started = running.get(cid)
    running.delete(cid)
    if (started === undefined) return
    const remark = 'The process ended while this test ran.'
    reporter.recordAttempt({ ...started, variant: variantOf(cid), status: 'retest', remark })
  }
  const guarded = (act: () => void) => {
    try {
      act()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      reporter.recordSuiteError({ where: 'webdriverio', message: `Results of workers cannot be read: ${message}` })
    }
  }
  return {
    look: () => guarded(look),
    endWorker: (cid, exitCode, specs, signal) =>
      guarded(() => {
        look()
        leaveOpen(cid)
        const isWhole = complete.delete(cid)
        const isExplained = failed.delete(cid)
        if (exitCode === 0 || (isWhole && isExplained)) return
        isEmpty = false
        const how = typeof signal === 'string' ? `was ended by ${signal}` : `ended with exit code ${exitCode}`
        const but = isWhole ? 'although no test failed' : 'before all of its tests had run'
        const where = specs.map((spec) => fileOf(spec, cwd)).join(', ')
        reporter.recordSuiteError({ where, message: `The worker ${how} ${but}.` })
      }),
    end: (exitCode) =>
      guarded(() => {
        look()
        if (!isEmpty || exitCode === 0) return
        const message = `WebdriverIO ended with exit code ${exitCode}, and no test ran.`
        reporter.recordSuiteError({ where: 'webdriverio', message })
      }),
    endAll: () =>
      guarded(() => {
        look()
        for (const cid of running.keys()) leaveOpen(cid)
      }),
    remove: () => guarded(() => journals.remove()),
  }
}
