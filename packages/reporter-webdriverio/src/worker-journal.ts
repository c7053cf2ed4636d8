import { appendToSharedJournal, type SuiteError, type TestAttempt } from '@caseward/reporter-core'

/*
 * Tests run in worker processes, but the launcher uploads the results. Each worker immediately appends its results to
 * the journal of the suite, so that nothing is lost when a worker or the launcher is killed.
 */

/** A line of the journal. */
export type JournalLine =
  | { readonly started: Pick<TestAttempt, 'testId' | 'titlePath' | 'file' | 'variant'> }
  | { readonly attempt: TestAttempt }
  | { readonly error: SuiteError }
  /** The last line of a worker. */
  | { readonly ended: true }

/** The settings that the launcher passes to its workers. */
export interface WorkerConfig {
  /** The journal of the suite. */
  readonly path: string
  /** The variant of each browser, in the order of the capabilities. */
  readonly variants: readonly string[]
}

/** The environment variable that passes the settings to the workers. */
const VARIABLE = 'CASEWARD_WEBDRIVERIO'

export function setWorkerConfig(config: WorkerConfig): void {
  process.env[VARIABLE] = JSON.stringify(config)
}

/**
 * Creates the function by which a worker writes to the journal.
 * @param cid the id of the worker, such as `0-3`, which starts with the index of its capabilities
 * @returns null when the launcher does not report results
 */
export function createWorkerJournal(cid: string): ((line: JournalLine) => void) | null {
  const config = process.env[VARIABLE]
  if (config === undefined) return null
  const { path, variants } = JSON.parse(config) as WorkerConfig
  const variant = variants[Number.parseInt(cid, 10)]
  let lostCount = 0
  const append = (line: JournalLine) => {
    if (lostCount > 0) {
      appendToSharedJournal(path, { error: { location: 'webdriverio', message: describeLoss(lostCount) }, cid })
      lostCount = 0
    }
    appendToSharedJournal(path, { ...withVariant(line, variant), cid })
  }
  return (line) => {
    try {
      append(line)
    } catch {
      // A full disk, or a launcher that has already finished, must not fail a test.
      if ('attempt' in line || 'error' in line) lostCount += 1
      else if ('ended' in line && lostCount > 0) process.stderr.write(`Caseward: ${describeLoss(lostCount)}\n`)
    }
  }
}

const describeLoss = (count: number) => `A worker could not save ${count} ${count === 1 ? 'result' : 'results'}.`

function withVariant(line: JournalLine, variant: string | undefined): JournalLine {
  if ('attempt' in line) return { attempt: { ...line.attempt, variant } }
  return 'started' in line ? { started: { ...line.started, variant } } : line
}
