import type { ReportedTest } from '@caseward/matching/attempt'
import { getTitleKey, resolveTests, type TestIdentity } from '@caseward/matching/test-identity'

import { addToGroup, type OneOrMore, toList } from '../../platform/one-or-more.ts'
import type { Yielder } from '../../platform/yielder.ts'
import type { KnownTest } from '../tests/known-tests.queries.ts'
import { createUploadTest, type UploadTest } from './upload-test.ts'

/** The tests of an upload, also by their normalized titles: only those with the same titles can be the same. */
export interface UploadTests {
  all: readonly UploadTest[]
  byTitle: ReadonlyMap<string, OneOrMore<UploadTest>>
}

/** Adds the normalized titles of tests. */
export async function readTitles(tests: readonly ReportedTest[], yielder: Yielder): Promise<UploadTests> {
  const all: UploadTest[] = []
  const byTitle = new Map<string, OneOrMore<UploadTest>>()
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const uploadTest = createUploadTest(test, getTitleKey(test))
    all.push(uploadTest)
    addToGroup(byTitle, uploadTest.titleKey, uploadTest)
  }
  for (const group of byTitle.values()) {
    if (yielder.shouldYield()) await yielder.yield()
    if (Array.isArray(group)) numberSameTests(group)
  }
  return { all, byTitle }
}

/**
 * Several tests of an upload may have the same titles, file and variant: all but the first get a number as variant, so that
 * none hides the failure of another.
 */
function numberSameTests(sameTitle: readonly UploadTest[]): void {
  const counts = new Map<string, number>()
  for (const uploadTest of sameTitle) {
    const { file, variant } = uploadTest.test
    const place = `${file}\0${variant}`
    const count = (counts.get(place) ?? 0) + 1
    counts.set(place, count)
    if (count > 1) uploadTest.test = { ...uploadTest.test, variant: `${variant} #${count}`.trim() }
  }
}

/** Finds the tests of the project that the tests of an upload are. */
export async function identifyTests(
  { all, byTitle }: UploadTests,
  known: readonly KnownTest[],
  yielder: Yielder,
): Promise<void> {
  // Left by an earlier attempt.
  for (const test of all) test.known = null
  const knownByTitle = new Map<string, OneOrMore<KnownTest>>()
  for (const test of known) {
    if (yielder.shouldYield()) await yielder.yield()
    addToGroup(knownByTitle, test.titleKey, test)
  }
  for (const [titleKey, sameTitle] of knownByTitle) {
    if (yielder.shouldYield()) await yielder.yield()
    const tests = toList(byTitle.get(titleKey) ?? [])
    const resolved = resolveTests(tests.map(toIdentity), toList(sameTitle))
    for (const [index, test] of tests.entries()) test.known = resolved[index] ?? null
  }
}

const toIdentity = ({ titleKey, test: { file, variant } }: UploadTest): TestIdentity => ({ titleKey, file, variant })
