import { createTitleGroup, getPlace, type PlaceHints, type TitleGroup } from '@caseward/matching/resolve-tests'
import { agreeOnFile, fits, fitsPlace, getTitles, type TestIdentity } from '@caseward/matching/test-identity'

import { addToGroup, type OneOrMore, toList } from '../../platform/one-or-more.ts'
import type { Yielder } from '../../platform/yielder.ts'
import type { KnownTest, TestNames } from '../tests/known-tests.queries.ts'
import type { UploadTests } from './read-titles.ts'
import type { UploadTest } from './upload-test.ts'

type SelectNames = (ids: readonly string[]) => Promise<TestNames[]>

/** Tests of an upload and known tests with the same normalized titles, where several are the same in that. */
interface SameTitle {
  tests: readonly UploadTest[]
  known: readonly KnownTest[]
}

/**
 * Finds the tests of the project that the tests of an upload are. Nearly all titles have one test on each side; only for
 * others does it read how they are written.
 */
export async function identifyTests(
  { all, byTitle, formerKeys }: UploadTests,
  known: readonly KnownTest[],
  selectNames: SelectNames,
  yielder: Yielder,
): Promise<void> {
  // Left by an earlier attempt.
  for (const test of all) {
    test.known = null
    test.isRenamed = false
    test.isInDoubt = false
    test.titlesByCase = null
  }
  const knownByTitle = new Map<string, OneOrMore<KnownTest>>()
  for (const test of known) {
    if (yielder.shouldYield()) await yielder.yield()
    addToGroup(knownByTitle, test.titleKey, test)
  }
  const several: SameTitle[] = []
  for (const [titleKey, sameTitle] of knownByTitle) {
    if (yielder.shouldYield()) await yielder.yield()
    const group = byTitle.get(titleKey)
    if (group === undefined) continue
    if (Array.isArray(group) || Array.isArray(sameTitle)) {
      several.push({ tests: toList(group), known: toList(sameTitle) })
    } else if (fits(toIdentity(group), sameTitle)) {
      group.known = sameTitle
    }
  }
  if (several.length > 0) await resolveSeveral(all, several, selectNames, yielder)
  if (formerKeys.size > 0) await resolveFormer(all, knownByTitle, selectNames, yielder)
}

const toIdentity = ({ titleKey, titles, test }: UploadTest): TestIdentity => {
  const { file, variant, module, reportSuite } = test
  return { titleKey, file, variant, module, reportSuite, titles: titles === '' ? undefined : titles }
}

async function resolveSeveral(
  all: readonly UploadTest[],
  several: readonly SameTitle[],
  selectNames: SelectNames,
  yielder: Yielder,
): Promise<void> {
  await readNames(
    several.flatMap(({ known }) => known),
    selectNames,
  )
  const groups: { sameTitle: SameTitle; group: TitleGroup<KnownTest> }[] = []
  for (const sameTitle of several) {
    if (yielder.shouldYield()) await yielder.yield()
    const group = startGroup(sameTitle)
    groups.push({ sameTitle, group })
  }
  const doubtful = groups.filter(({ sameTitle }) => isDoubtful(sameTitle))
  if (doubtful.length > 0) {
    const hints = await findHints(all, selectNames, yielder)
    for (const { sameTitle, group } of doubtful) {
      if (yielder.shouldYield()) await yielder.yield()
      group.resolveDoubts(hints)
      setKnown(sameTitle.tests, group)
      markDoubts(sameTitle, hints)
    }
  }
  for (const { sameTitle } of groups) setCaseTitles(sameTitle)
}

/** Whether tests are left on both sides, or a test without a file may be one that has a file. */
function isDoubtful({ tests, known }: SameTitle): boolean {
  const resolved = tests.filter((test) => test.known !== null).length
  if (resolved < tests.length && resolved < known.length) return true
  const isWithoutFile = ({ test, known: found }: UploadTest) =>
    test.file === '' && (found === null || found.file === '')
  return tests.some(isWithoutFile) && known.some(({ file }) => file !== '')
}

function startGroup({ tests, known }: SameTitle): TitleGroup<KnownTest> {
  for (const test of tests) test.titles ||= getTitles(test.test)
  const group = createTitleGroup(tests.map(toIdentity), known)
  setKnown(tests, group)
  return group
}

function setKnown(tests: readonly UploadTest[], group: TitleGroup<KnownTest>): void {
  for (const [index, known] of group.getResolved().entries()) {
    const test = tests[index]
    if (test !== undefined) test.known = known
  }
}

/** Reads how known tests are written. */
async function readNames(known: readonly KnownTest[], selectNames: SelectNames): Promise<void> {
  const names = new Map((await selectNames(known.map(({ id }) => id))).map((test) => [test.id, test]))
  for (const test of known) {
    const found = names.get(test.id)
    if (found === undefined) continue
    test.titles = getTitles(found)
    test.reportSuite = found.report_suite
  }
}

/**
 * Finds where the tests of each file or suite of the upload were recognized. A suite of a report without files is that of the
 * file of its other tests, so that a title that is in two files is not in doubt.
 */
async function findHints(all: readonly UploadTest[], selectNames: SelectNames, yielder: Yielder): Promise<PlaceHints> {
  const known = all.flatMap(({ known: test }) => test ?? [])
  const withoutFile = known.filter((test) => test.file === '' && test.reportSuite === undefined)
  if (withoutFile.length > 0) await readNames(withoutFile, selectNames)
  const hints = new Map<string, string | null>()
  for (const { test, titleKey, known: found } of all) {
    if (yielder.shouldYield()) await yielder.yield()
    if (found === null) continue
    const place = getPlace({ titleKey, ...test })
    const knownPlace = getPlace(found)
    if (place === '' || knownPlace === '') continue
    const earlier = hints.get(place)
    if (earlier === undefined) hints.set(place, knownPlace)
    else if (earlier !== knownPlace) hints.set(place, null)
  }
  return new Map([...hints].flatMap(([place, found]) => (found === null ? [] : [[place, found] as const])))
}

/** Marks tests without a file that may be one of several known tests with one. */
function markDoubts({ tests, known }: SameTitle, hints: PlaceHints): void {
  // Rows of one title are in one file.
  const withFile = new Map<string, KnownTest>()
  for (const test of known) {
    if (test.file !== '') withFile.set([test.titles, test.file, test.module].join('\0'), test)
  }
  if (withFile.size === 0) return
  for (const uploadTest of tests) {
    const { test, titles, known: found } = uploadTest
    if (test.file !== '' || (found !== null && found.file !== '')) continue
    const identity = toIdentity(uploadTest)
    const hint = hints.get(getPlace(identity)) ?? ''
    // The suite of an earlier report names no file.
    const file = hint.startsWith('\0') ? '' : hint
    uploadTest.isInDoubt = [...withFile.values()].some(
      (candidate) =>
        candidate.titles === titles &&
        fitsPlace(identity, candidate) &&
        (file === '' || agreeOnFile(file, candidate.file)),
    )
  }
}

/** The test cases of known tests whose titles differ as written are not those of this test. */
function setCaseTitles({ tests, known }: SameTitle): void {
  const titlesByCase = new Map<number, string>()
  for (const { titles = '', caseNumbers } of known) {
    for (const number of caseNumbers)
      titlesByCase.set(number, (titlesByCase.get(number) ?? titles) === titles ? titles : '')
  }
  for (const test of tests) test.titlesByCase = titlesByCase
}

/** Finds tests that are still new by the titles that earlier versions read from the same report. */
async function resolveFormer(
  all: readonly UploadTest[],
  knownByTitle: ReadonlyMap<string, OneOrMore<KnownTest>>,
  selectNames: SelectNames,
  yielder: Yielder,
): Promise<void> {
  const taken = new Set(all.map(({ known }) => known))
  const byFormerKey = new Map<string, UploadTest[]>()
  for (const test of all) {
    if (yielder.shouldYield()) await yielder.yield()
    if (test.known !== null || test.formerKey === null || !knownByTitle.has(test.formerKey)) continue
    const earlier = byFormerKey.get(test.formerKey)
    if (earlier === undefined) byFormerKey.set(test.formerKey, [test])
    else earlier.push(test)
  }
  const free = [...byFormerKey.keys()].flatMap((key) =>
    toList(knownByTitle.get(key) ?? []).filter((known) => !taken.has(known)),
  )
  if (free.length === 0) return
  await readNames(free, selectNames)
  const freeByTitle = new Map<string, OneOrMore<KnownTest>>()
  for (const test of free) addToGroup(freeByTitle, test.titleKey, test)
  for (const [formerKey, tests] of byFormerKey) {
    if (yielder.shouldYield()) await yielder.yield()
    const identities = tests.map((uploadTest) => {
      const { former, file } = uploadTest.test
      const titles = former === undefined ? undefined : getTitles({ ...former, file })
      return { ...toIdentity(uploadTest), titleKey: formerKey, titles }
    })
    const group = createTitleGroup(identities, toList(freeByTitle.get(formerKey) ?? []))
    group.resolveDoubts(new Map())
    setKnown(tests, group)
    for (const test of tests) test.isRenamed = test.known !== null
  }
}
