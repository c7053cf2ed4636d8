import type { ReportedTest } from '@caseward/matching/attempt'
import { getTitleKey, resolveTests } from '@caseward/matching/test-identity'

import type { Yielder } from '../../platform/yielder.ts'
import type { KnownTest } from '../tests/known-tests.queries.ts'

/** A test with its normalized titles. */
export type TitledTest = ReportedTest & { readonly titleKey: string }

/** A test of an upload, and the test of the project that it is. */
export interface IdentifiedTest {
  test: TitledTest
  titleKey: string
  /** Null for a test that the project does not know yet. */
  known: KnownTest | null
}

/**
 * Adds the normalized titles of tests. Several tests of an upload may have the same titles, file and variant: all but the
 * first get a number as variant, so that none hides the failure of another.
 */
export async function addTitleKeys(tests: readonly ReportedTest[], yielder: Yielder): Promise<TitledTest[]> {
  const counts = new Map<string, number>()
  const titled: TitledTest[] = []
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const titleKey = getTitleKey(test)
    const place = `${titleKey}\0${test.file}\0${test.variant}`
    const count = (counts.get(place) ?? 0) + 1
    counts.set(place, count)
    titled.push({ ...test, titleKey, variant: count === 1 ? test.variant : `${test.variant} #${count}`.trim() })
  }
  return titled
}

/** Tests that are compared at once, which takes a few milliseconds. */
const BATCH_SIZE = 1000

/** Finds the tests of the project that the tests of an upload are. */
export async function identifyTests(
  tests: readonly TitledTest[],
  known: readonly KnownTest[],
  yielder: Yielder,
): Promise<IdentifiedTest[]> {
  const identified = tests.map((test): IdentifiedTest => ({ test, titleKey: test.titleKey, known: null }))
  if (known.length === 0) return identified
  const knownByTitle = await groupByTitle(known, yielder)
  // Only tests with the same titles can be the same: they stay in one batch.
  let batch: IdentifiedTest[] = []
  let batchOfKnown: KnownTest[] = []
  const resolveBatch = () => {
    const resolved = resolveTests(
      batch.map(({ test }) => test),
      batchOfKnown,
    )
    for (const [index, test] of batch.entries()) test.known = resolved[index] ?? null
    batch = []
    batchOfKnown = []
  }
  for (const [titleKey, sameTitle] of await groupByTitle(identified, yielder)) {
    const knownTests = knownByTitle.get(titleKey)
    if (knownTests === undefined) continue
    for (const test of sameTitle) batch.push(test)
    for (const test of knownTests) batchOfKnown.push(test)
    if (batch.length < BATCH_SIZE) continue
    resolveBatch()
    await yielder.yield()
  }
  resolveBatch()
  return identified
}

async function groupByTitle<T extends { titleKey: string }>(
  tests: readonly T[],
  yielder: Yielder,
): Promise<Map<string, T[]>> {
  const groups = new Map<string, T[]>()
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const group = groups.get(test.titleKey)
    if (group === undefined) groups.set(test.titleKey, [test])
    else group.push(test)
  }
  return groups
}
