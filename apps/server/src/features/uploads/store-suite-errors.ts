import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Source } from '../tests/combine-parts.ts'
import { selectSourcesOfJob, type SourceState } from '../tests/run-uploads.queries.ts'
import {
  countSuiteErrors,
  deleteRepeatedErrors,
  deleteReplacedErrors,
  insertSuiteErrors,
  type SuiteError,
} from './suite-errors.queries.ts'

/** The errors that a source reports outside of tests. */
export interface SourceErrors {
  source: Source
  /** The number of the source in the run. */
  number: number
  errors: readonly SuiteError[]
}

export interface SuiteErrorOptions {
  /** Whether they may replace those of an earlier upload of the source. Otherwise those that are stored already stay. */
  replaces: boolean
  finishedAt: Date | null
  /** Whether the run has errors outside of tests. */
  hasErrors: boolean
}

/**
 * Stores errors outside of tests, and how many the run has. Errors of an earlier build attempt are removed when the same place
 * ran again, which never has another label: the same instance of the job; else the same label, or an unknown one, if only one
 * instance ran there. If it ran only a part of the tests again, the errors of the others stay. The order of the uploads makes
 * no difference. The caller holds the lock on the run, and has stored the tests of the upload.
 */
export async function storeSuiteErrors(
  tx: Database,
  run: RunRef,
  uploads: readonly SourceErrors[],
  { replaces, finishedAt, hasErrors }: SuiteErrorOptions,
): Promise<void> {
  if (!hasErrors && uploads.every(({ errors }) => errors.length === 0)) return
  for (const { source, number, errors } of uploads) {
    if (errors.length > 0) await insertSuiteErrors(tx, run, errors, { number, shard: source.shard, finishedAt })
    const states = await selectSourcesOfJob(tx, run, source, number)
    for (const earlier of states) {
      if (earlier.number !== number && !runsAgain(source, earlier.source, states)) continue
      const later = states.filter((state) => runsAgain(state.source, earlier.source, states))
      const numbers = later.map((state) => state.number)
      await deleteRepeatedErrors(tx, run, { source: earlier.number, later: numbers })
    }
    if (!replaces) continue
    await deleteReplacedErrors(tx, run, number, { place: source.report, finishedAt, isUnknown: source.job === '' })
  }
  await countSuiteErrors(tx, run)
}

/** Whether a source of a later build attempt ran where an earlier one had run. */
function runsAgain(later: Source, earlier: Source, states: readonly SourceState[]): boolean {
  if (later.job === '' || later.job !== earlier.job || later.report !== earlier.report) return false
  if (later.buildAttempt === null || earlier.buildAttempt === null || later.buildAttempt <= earlier.buildAttempt)
    return false
  // Another leg of a matrix, whichever runner it got.
  if (later.label !== '' && earlier.label !== '' && later.label !== earlier.label) return false
  if (later.instance === earlier.instance) return true
  const others = states.filter(({ source }) => source.buildAttempt === earlier.buildAttempt)
  const instances = new Set(others.map(({ source }) => source.instance))
  if (instances.size === 1) return !/^\d+$/.test(earlier.instance)
  const sameLabel = others.filter(({ source }) => source.label === later.label)
  return (
    later.label !== '' &&
    later.label === earlier.label &&
    new Set(sameLabel.map(({ source }) => source.instance)).size === 1
  )
}
