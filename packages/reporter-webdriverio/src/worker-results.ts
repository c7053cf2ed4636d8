import type { Reporter, SuiteError, TestAttempt } from '@caseward/reporter-core'

import { getTestFile } from './to-attempt.ts'
import type { SuiteJournal } from './suite-journal.ts'
import type { JournalLine } from './worker-journal.ts'

/** Makes what workers have told into the results of a suite. None of it ever throws. */
export interface WorkerResults {
  endWorker(cid: string, exitCode: number, specs: readonly string[], signal: string | null): void
  /** All workers have ended that were to: the reporter gets it all. */
  end(exitCode: number): void
  /** The launcher ends, whether or not workers still run: it all stays for the next run. */
  keepForNextRun(): void
}

type RecordedLine = Extract<JournalLine, { attempt: TestAttempt } | { error: SuiteError }>
type Started = Extract<JournalLine, { started: object }>['started']

export function createWorkerResults(reporter: Reporter, journal: SuiteJournal, cwd: string): WorkerResults {
  const told: RecordedLine[] = []
  /** The test that each worker is at. */
  const running = new Map<string, Started>()
  /** Workers that have told all they had to tell. */
  const complete = new Set<string>()
  /** Those of which a test failed, or more went wrong. */
  const failed = new Set<string>()

  const take = (cid: string, line: JournalLine) => {
    if ('started' in line) {
      running.set(cid, line.started)
    } else if ('attempt' in line) {
      running.delete(cid)
      told.push(line)
      if (line.attempt.status === 'failed' || line.attempt.status === 'blocked') failed.add(cid)
    } else if ('error' in line) {
      failed.add(cid)
      told.push(line)
    } else {
      running.delete(cid)
      complete.add(cid)
    }
  }
  const look = () => {
    for (const { cid, line } of journal.read()) take(cid, line)
  }
  const tell = (line: RecordedLine) => {
    told.push(line)
    journal.tell(line)
  }
  /** The test that a worker was at when it ended: nobody knows what would have come of it. */
  const recordInterruptedTest = (cid: string) => {
    const started = running.get(cid)
    running.delete(cid)
    if (started === undefined) return
    tell({ attempt: { ...started, status: 'retest', comment: 'The process ended while this test ran.' } })
  }
  const guarded = (act: () => void) => {
    try {
      act()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      told.push({
        error: { location: 'webdriverio', message: `Results of workers cannot be read or kept: ${message}` },
      })
    }
  }
  return {
    endWorker: (cid, exitCode, specs, signal) =>
      guarded(() => {
        look()
        recordInterruptedTest(cid)
        const isWhole = complete.delete(cid)
        const isExplained = failed.delete(cid)
        if (exitCode === 0 || (isWhole && isExplained)) return
        const how = typeof signal === 'string' ? `was ended by ${signal}` : `ended with exit code ${exitCode}`
        const but = isWhole ? 'although no test failed' : 'before all of its tests had run'
        const where = specs.map((spec) => getTestFile(spec, cwd)).join(', ')
        tell({ error: { location: where, message: `The worker ${how} ${but}.` } })
      }),
    end(exitCode) {
      guarded(() => {
        look()
        if (told.length > 0 || exitCode === 0) return
        const message = `WebdriverIO ended with exit code ${exitCode}, and no test ran.`
        tell({ error: { location: 'webdriverio', message } })
      })
      for (const line of told) {
        if ('attempt' in line) reporter.recordAttempt(line.attempt)
        else reporter.recordSuiteError(line.error)
      }
      // Only now, that the reporter has it all in a journal of its own: what is there twice is stored once.
      guarded(() => journal.remove())
    },
    keepForNextRun() {
      guarded(() => {
        look()
        for (const cid of running.keys()) recordInterruptedTest(cid)
      })
      guarded(() => journal.leave())
    },
  }
}
