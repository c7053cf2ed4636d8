import type { ReportedTest } from '@caseward/matching/attempt'
import { createSuiteMemo, formatVariant, getTitleKey, getTitles, splitVariant } from '@caseward/matching/test-identity'

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

/**
 * Adds the normalized titles of tests, and numbers those of a report that have all in common. The same test in several report
 * files is one test.
 */
export async function readTitles(tests: readonly ReportedTest[], yielder: Yielder): Promise<UploadTests> {
  const all: UploadTest[] = []
  const merged = new Set<UploadTest>()
  const byTitle = new Map<string, OneOrMore<UploadTest>>()
  const formerKeys = new Set<string>()
  const readSuite = createSuiteMemo()
  const readFormerSuite = createSuiteMemo()
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const { former, file } = test
    const titleKey = getTitleKey(test, readSuite)
    const formerKey = former === undefined ? titleKey : getTitleKey({ ...former, file }, readFormerSuite)
    const uploadTest = createUploadTest(test, titleKey, formerKey === titleKey ? null : formerKey)
    if (uploadTest.formerKey !== null) formerKeys.add(formerKey)
    all.push(uploadTest)
    addToGroup(byTitle, uploadTest.titleKey, uploadTest)
  }
  for (const [titleKey, group] of byTitle) {
    if (yielder.shouldYield()) await yielder.yield()
    if (!Array.isArray(group)) continue
    numberSameTests(group)
    const distinct = mergeReports(group)
    if (distinct.length === group.length) continue
    const kept = new Set(distinct)
    for (const test of group) if (!kept.has(test)) merged.add(test)
    const [first] = distinct
    if (first !== undefined) byTitle.set(titleKey, distinct.length === 1 ? first : distinct)
  }
  return { all: merged.size === 0 ? all : all.filter((test) => !merged.has(test)), byTitle, formerKeys }
}

/**
 * Several tests of a report may have the same titles, file, variant and module, such as the rows of a table: all but the
 * first get a number as variant, so that none hides the failure of another.
 */
function numberSameTests(sameTitle: readonly UploadTest[]): void {
  const counts = new Map<string, number>()
  for (const uploadTest of sameTitle) {
    uploadTest.titles = getTitles(uploadTest.test)
    const { file, variant, module = '', report = '' } = uploadTest.test
    const place = [uploadTest.titles, file, variant, module, report].join('\0')
    const number = (counts.get(place) ?? 0) + 1
    counts.set(place, number)
    if (number === 1) continue
    uploadTest.isRepeated = true
    const { base, number: ownNumber } = splitVariant(variant)
    uploadTest.test = { ...uploadTest.test, variant: formatVariant(ownNumber === 1 ? base : variant, number) }
  }
}

/** Joins what different report files say of one test: each is a source of its own, and the worst counts. */
function mergeReports(sameTitle: readonly UploadTest[]): UploadTest[] {
  const byPlace = new Map<string, { first: UploadTest; repeats: ReportedTest[] }>()
  for (const uploadTest of sameTitle) {
    const { file, variant, module = '' } = uploadTest.test
    const place = [uploadTest.titles, file, variant, module].join('\0')
    const earlier = byPlace.get(place)
    if (earlier === undefined) byPlace.set(place, { first: uploadTest, repeats: [] })
    else earlier.repeats.push(uploadTest.test)
  }
  return [...byPlace.values()].map(({ first, repeats }) => {
    if (repeats.length === 0) return first
    const all = [first.test, ...repeats]
    const testCaseIds = [...new Set(all.flatMap((test) => test.testCaseIds))]
    first.test = { ...first.test, testCaseIds, tags: [...new Set(all.flatMap((test) => test.tags))] }
    first.repeats = repeats
    return first
  })
}
