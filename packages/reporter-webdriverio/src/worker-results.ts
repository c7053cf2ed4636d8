import type { Reporter, SuiteError, TestAttempt } from '@caseward/reporter-core'

import { getTestFile } from './to-attempt.ts'
import type { SuiteJournal } from './suite-journal.ts'
import type { JournalLine } from './worker-journal.ts'

/** Collects the results of the workers. The methods never throw. */
export interface WorkerResults {
  endWorker(cid: string, exitCode: number, specs: readonly string[], signal: string | null): void
  /** Passes all results to the reporter after all workers have ended. */
  end(exitCode: number): void
  /** Leaves all results in the spool because the launcher ends early. */
  keepForNextRun(): void
}

type RecordedLine = Extract<JournalLine, { attempt: TestAttempt } | { error: SuiteError }>
type Started = Extract<JournalLine, { started: object }>['started']

export function createWorkerResults(
  reporter: Pick<Reporter, 'recordAttempt' | 'recordSuiteError'>,
  journal: SuiteJournal,
  cwd: string,
): WorkerResults {
  const lines: RecordedLine[] = []
  /** The running test of each worker. */
  const runningTests = new Map<string, Started>()
  /** Workers that have written their last line. */
  const completeWorkers = new Set<string>()
  /** Workers with a failed test or an error. */
  const failedWorkers = new Set<string>()
  /** Workers that have written a line. */
  const reportingWorkers = new Set<string>()

  const addLine = (cid: string, line: JournalLine) => {
    reportingWorkers.add(cid)
    if ('started' in line) {
      runningTests.set(cid, line.started)
    } else if ('attempt' in line) {
      runningTests.delete(cid)
      lines.push(line)
      if (line.attempt.status === 'failed' || line.attempt.status === 'blocked') failedWorkers.add(cid)
    } else if ('error' in line) {
      failedWorkers.add(cid)
      lines.push(line)
    } else {
      runningTests.delete(cid)
      completeWorkers.add(cid)
    }
  }
  const readNewLines = () => {
    for (const { cid, line } of journal.read()) addLine(cid, line)
  }
  const writeLine = (line: RecordedLine) => {
    lines.push(line)
    journal.write(line)
  }
  const recordInterruptedTest = (cid: string) => {
    const started = runningTests.get(cid)
    runningTests.delete(cid)
    if (started === undefined) return
    writeLine({ attempt: { ...started, status: 'interrupted', comment: 'The process ended while this test ran.' } })
  }
  const recordErrors = (action: () => void) => {
    try {
      action()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      lines.push({
        error: { location: 'webdriverio', message: `Results of workers could not be read or saved: ${message}` },
      })
    }
  }
  return {
    endWorker: (cid, exitCode, specs, signal) =>
      recordErrors(() => {
        readNewLines()
        recordInterruptedTest(cid)
        const isComplete = completeWorkers.delete(cid)
        const hasFailed = failedWorkers.delete(cid)
        const hasReported = reportingWorkers.delete(cid)
        // A worker without tests writes nothing.
        if (exitCode === 0 ? isComplete || !hasReported : isComplete && hasFailed) return
        const exit = typeof signal === 'string' ? `was terminated by ${signal}` : `exited with code ${exitCode}`
        const condition = isComplete ? 'although no test failed' : 'before all of its tests had run'
        const location = specs.map((spec) => getTestFile(spec, cwd)).join(', ')
        writeLine({ error: { location, message: `The worker ${exit} ${condition}.` } })
      }),
    end(exitCode) {
      recordErrors(() => {
        readNewLines()
        if (lines.length > 0 || exitCode === 0) return
        const message = `WebdriverIO exited with code ${exitCode} before any test ran.`
        writeLine({ error: { location: 'webdriverio', message } })
      })
      for (const line of lines) {
        if ('attempt' in line) reporter.recordAttempt(line.attempt)
        else reporter.recordSuiteError(line.error)
      }
      // Removed only after the reporter has written its own journal. If both remain, the results are still stored once.
      recordErrors(() => journal.remove())
    },
    keepForNextRun() {
      recordErrors(() => {
        readNewLines()
        for (const cid of runningTests.keys()) recordInterruptedTest(cid)
      })
      recordErrors(() => journal.release())
    },
  }
}
