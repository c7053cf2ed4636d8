import type { ReportedTest } from '@caseward/matching/attempt'
import { getTitleKey, resolveTests } from '@caseward/matching/test-identity'

import type { Yielder } from '../../platform/yielder.ts'
import type { KnownTest } from '../tests/known-tests.queries.ts'

/** A test of an upload, and the test of the project that it is. */
export interface IdentifiedTest {
  test: ReportedTest
  titleKey: string
  /** Null for a test that the project does not know yet. */
  known: KnownTest | null
}

/** A test with its normalized titles. */
export type TitledTest = ReportedTest & { readonly titleKey: string }

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

/** Finds the tests of the project that the tests of an upload are. */
export function identifyTests(tests: readonly TitledTest[], known: readonly KnownTest[]): IdentifiedTest[] {
  const resolved = resolveTests(tests, known)
  return tests.map((test, index) => ({ test, titleKey: test.titleKey, known: resolved[index] ?? null }))
}
