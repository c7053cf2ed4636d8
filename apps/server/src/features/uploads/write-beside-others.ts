import { getTestOutcome } from '@caseward/matching/test-outcome'

import type { Database } from '../../platform/database/connect.ts'
import { encodeAttempts, toWholeMs } from '../tests/encode-attempts.ts'
import { FIRST_SOURCE, type OutcomeWrite } from '../tests/outcome-write.ts'
import { writeOutcomes, type WrittenOutcomes } from '../tests/write-outcomes.ts'
import { combineWithStored } from './combine-with-stored.ts'
import type { SourceGroup } from './group-by-source.ts'
import type { Upload } from './tests-upload.ts'
import type { UploadTest } from './upload-test.ts'

/** A source of an upload with its number in the run. */
export type NumberedGroup = SourceGroup & { number: number }

/** Writes the outcomes of an upload into a run that has several sources, combined with what the others reported. */
export async function writeBesideOthers(
  tx: Database,
  { run, finishedAt, tests: { all: tests } }: Upload,
  groups: readonly NumberedGroup[],
  { hasOutcomes, testedAt }: { hasOutcomes: boolean; testedAt: Date },
): Promise<WrittenOutcomes> {
  for (const group of groups) for (const test of group.tests) test.sourceNumber = group.number
  const numberByReport = new Map(groups.map(({ source, number }) => [source.report, number]))
  const getNumber = (report = '') => numberByReport.get(report) ?? FIRST_SOURCE
  const kept =
    hasOutcomes || tests.some(({ repeats }) => repeats.length > 0)
      ? await combineWithStored(tx, run, tests, { testedAt, keepsNewer: finishedAt !== null, getNumber })
      : { newer: new Map<string, Date>(), executed: new Set<string>(), keptParts: new Set<string>() }
  const changed = tests.filter(({ id }) => !kept.newer.has(id) && !kept.executed.has(id))
  const toWrite = (test: UploadTest) => ({ ...toOutcome(test), testedAt: toTestTime(test, testedAt) })
  await writeOutcomes(tx, run, changed, toWrite, { finishedAt, hasOutcomes, hasSources: true })
  return { ...kept, testedAt }
}

const toTestTime = ({ combined }: UploadTest, testedAt: Date): Date =>
  combined === null ? testedAt : new Date(combined.testedAt)

/** The outcome of a test of an upload as it is stored. */
export function toOutcome({ id, test, caseNumbers, sourceNumber, combined }: UploadTest): OutcomeWrite {
  const attempts = combined?.attempts ?? test.attempts
  const { status, isFlaky, elapsedMs } = getTestOutcome(attempts)
  return {
    testId: id,
    status: combined?.status ?? status,
    isFlaky: combined?.isFlaky ?? isFlaky,
    isMatched: caseNumbers.length > 0,
    elapsedMs: toWholeMs(elapsedMs),
    attemptCount: attempts.length,
    attempts: encodeAttempts(attempts),
    source: sourceNumber,
    testedAt: null,
  }
}
