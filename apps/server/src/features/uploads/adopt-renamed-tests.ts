import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import {
  selectTestsNamingCases,
  selectTestsOfOtherSources,
  selectTestsTestedAfter,
} from '../tests/known-tests.queries.ts'
import type { UploadTest } from './upload-test.ts'

/**
 * Recognizes tests that have got a new title. A new test is a known one if both name the same test cases by id and are in the
 * same file, the upload does not have the known one, and there is exactly one on each side. Its links, history and outcome go
 * on, so that a failure under the old title does not stay for ever. The caller holds the locks on the project and the run.
 * @param options.source the number of their source in the run
 * @param options.reported ids of all known tests that the upload has
 * @param options.finishedAt when the suite finished: a test that the run has a newer outcome of keeps its title. Null: now
 */
export async function adoptRenamedTests(
  tx: Database,
  run: RunRef,
  tests: readonly UploadTest[],
  { source, reported, finishedAt }: { source: number; reported: ReadonlySet<string>; finishedAt: Date | null },
): Promise<void> {
  const added = groupByCases(tests.filter(isNewWithId).map((test) => ({ ...getPlace(test), test })))
  if (added.size === 0) return
  const numbers = [...new Set([...added.values()].flatMap((group) => group.flatMap(({ caseNumbers }) => caseNumbers)))]
  const missing = (await selectTestsNamingCases(tx, run.project.id, numbers)).filter(({ id }) => !reported.has(id))
  if (missing.length === 0) return
  const known = groupByCases(missing)
  const pairs = [...added].flatMap(([key, group]) => {
    const [test, ...others] = group
    const [candidate, ...candidates] = known.get(key) ?? []
    return test === undefined || candidate === undefined || others.length + candidates.length > 0
      ? []
      : [{ test: test.test, known: candidate }]
  })
  if (pairs.length === 0) return
  const elsewhere = await selectTestsOfOtherSources(
    tx,
    run,
    pairs.map(({ known: { id } }) => id),
    source,
  )
  const renamed = pairs.filter(({ known: { id } }) => !elsewhere.has(id))
  const newer =
    finishedAt === null || renamed.length === 0
      ? new Set<string>()
      : await selectTestsTestedAfter(
          tx,
          run,
          renamed.map(({ known: { id } }) => id),
          finishedAt,
        )
  for (const { test, known: previous } of renamed) {
    test.known = { ...previous, titleKey: test.titleKey, source: 'id' }
    test.isRenamed = !newer.has(previous.id)
  }
}

const isNewWithId = ({ known, source, caseNumbers, test }: UploadTest): boolean =>
  known === null && source === 'id' && caseNumbers.length > 0 && test.file !== ''

const getPlace = ({ test: { file, variant }, caseNumbers }: UploadTest) => ({ file, variant, caseNumbers })

/** Groups tests by the test cases that they name, their file and their variant. */
function groupByCases<T extends { file: string; variant: string; caseNumbers: readonly number[] }>(
  tests: readonly T[],
): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const test of tests) {
    const numbers = test.caseNumbers.toSorted((a, b) => a - b)
    const key = JSON.stringify([numbers, test.file, test.variant])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [test])
    else group.push(test)
  }
  return groups
}
