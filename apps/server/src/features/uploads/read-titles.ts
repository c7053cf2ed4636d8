import type { ReportedTest } from '@caseward/matching/attempt'
import { formatVariant, getTitleKey, getTitles, splitVariant } from '@caseward/matching/test-identity'

import { addToGroup, type OneOrMore } from '../../platform/one-or-more.ts'
import type { Yielder } from '../../platform/yielder.ts'
import { createUploadTest, type UploadTest } from './upload-test.ts'

/** The tests of an upload, also by their normalized titles: only those with the same titles can be the same. */
export interface UploadTests {
  all: readonly UploadTest[]
  byTitle: ReadonlyMap<string, OneOrMore<UploadTest>>
  /** Titles by which earlier versions know some of the tests. */
  formerKeys: ReadonlySet<string>
}

/** Adds the normalized titles of tests, and numbers those that have all in common. */
export async function readTitles(tests: readonly ReportedTest[], yielder: Yielder): Promise<UploadTests> {
  const all: UploadTest[] = []
  const byTitle = new Map<string, OneOrMore<UploadTest>>()
  const formerKeys = new Set<string>()
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const titleKey = getTitleKey(test)
    const formerKey = test.former === undefined ? titleKey : getTitleKey({ ...test.former, file: test.file })
    const uploadTest = createUploadTest(test, titleKey, formerKey === titleKey ? null : formerKey)
    if (uploadTest.formerKey !== null) formerKeys.add(formerKey)
    all.push(uploadTest)
    addToGroup(byTitle, uploadTest.titleKey, uploadTest)
  }
  for (const group of byTitle.values()) {
    if (yielder.shouldYield()) await yielder.yield()
    if (Array.isArray(group)) numberSameTests(group)
  }
  return { all, byTitle, formerKeys }
}

/**
 * Several tests of an upload may have the same titles, file, variant and module, such as the rows of a table: all but the
 * first get a number as variant, so that none hides the failure of another.
 */
function numberSameTests(sameTitle: readonly UploadTest[]): void {
  const counts = new Map<string, number>()
  for (const uploadTest of sameTitle) {
    uploadTest.titles = getTitles(uploadTest.test)
    const { file, variant, module = '' } = uploadTest.test
    const place = [uploadTest.titles, file, variant, module].join('\0')
    const number = (counts.get(place) ?? 0) + 1
    counts.set(place, number)
    if (number === 1) continue
    uploadTest.isRepeated = true
    const { base, number: ownNumber } = splitVariant(variant)
    uploadTest.test = { ...uploadTest.test, variant: formatVariant(ownNumber === 1 ? base : variant, number) }
  }
}
