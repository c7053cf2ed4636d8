import { appendFileSync, closeSync, constants, openSync } from 'node:fs'

import type { SuiteError, TestAttempt } from '@caseward/reporter-core'

/*
 * Tests run in worker processes, and are to be uploaded once, by the launcher. Each worker appends what it learns, at
 * once, to the file of the suite: of a worker that is killed nothing is lost, nor of a launcher.
 */

/** What is told in a line of that file. */
export type JournalLine =
  | { readonly started: Pick<TestAttempt, 'testId' | 'titlePath' | 'file' | 'variant'> }
  | { readonly attempt: TestAttempt }
  | { readonly error: SuiteError }
  /** The worker has told all that it had to tell. */
  | { readonly ended: true }

/** What the launcher tells its workers. */
export interface WorkerConfig {
  /** The file of the suite. */
  readonly path: string
  /** What tells the results of one browser from those of another, by the number of its capabilities. */
  readonly variants: readonly string[]
}

/** Where workers, which inherit it, find what the launcher tells them. */
const VARIABLE = 'CASEWARD_WEBDRIVERIO'

export function setWorkerConfig(handover: WorkerConfig): void {
  process.env[VARIABLE] = JSON.stringify(handover)
}

/**
 * How a worker tells of its tests.
 * @param cid the worker, as WebdriverIO numbers them: `0-3`, with the number of its capabilities first
 * @returns null when nobody wants to know
 */
export function createWorkerJournal(cid: string): ((line: JournalLine) => void) | null {
  const handover = process.env[VARIABLE]
  if (handover === undefined) return null
  const { path, variants } = JSON.parse(handover) as WorkerConfig
  const variant = variants[Number.parseInt(cid, 10)]
  return (line) => {
    try {
      append(path, { ...withVariant(line, variant), cid })
    } catch {
      // A full disk, or a launcher that has finished without this worker, must not fail a test.
    }
  }
}

function withVariant(line: JournalLine, variant: string | undefined): JournalLine {
  if ('attempt' in line) return { attempt: { ...line.attempt, variant } }
  return 'started' in line ? { started: { ...line.started, variant } } : line
}

/**
 * Adds a line with its time. It never makes the file: one that is gone has been sent.
 * @throws when it cannot be written
 */
export function append(path: string, line: JournalLine & { readonly cid?: string }): void {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_APPEND)
  try {
    appendFileSync(descriptor, `${JSON.stringify({ ...line, at: Date.now() })}\n`)
  } finally {
    closeSync(descriptor)
  }
}
