import { createHash } from 'node:crypto'

import type { ReportedTest } from '@caseward/matching/attempt'
import { LRUCache } from 'lru-cache'

import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'
import { selectSuiteDigest, type SuiteBasis, toSuiteBasis } from './known-suites.queries.ts'
import type { KnownTest } from '../tests/known-tests.queries.ts'
import type { Identification } from './match-upload.ts'
import type { UploadTests } from './read-titles.ts'
import { adoptsVariant } from './separate-variants.ts'
import { createUploadTest, type UploadTest } from './upload-test.ts'

/*
 * A suite is usually uploaded again and again with the same tests. Which known tests they are was found out by the first of
 * these uploads, from their titles and from what the database had of them. As long as that is the same in the database, the next
 * upload finds out the same. The database decides, so that several servers need not know of each other: nothing has changed while
 * the version of the tests of the project has not moved; after that, a digest of the rows decides.
 */

/** The memory of all suites that are remembered. */
const MAX_BYTES = 32 * 1024 * 1024
/** What a test takes besides its texts: its entry here, its known test, and its part of the digests and ids. */
const TEST_BYTES = 400
/** Of a character in a text that is not Latin-1. */
const CHARACTER_BYTES = 2

type IdentifiedTest = Pick<
  UploadTest,
  'titleKey' | 'titles' | 'isRepeated' | 'known' | 'isInDoubt' | 'titlesByCase'
> & { variant: string }

interface KnownSuite {
  /** In the order of the suite. */
  tests: readonly IdentifiedTest[]
  basis: SuiteBasis
  /** Of the tests of the project, before the rows were read or compared; null if it is not known. */
  version: number | null
  bytes: number
}

export interface KnownSuites {
  /**
   * Looks for a suite of the project with the same tests.
   * @param version of the tests of the project, as it was read before
   */
  find(projectId: string, version: number | null, tests: readonly ReportedTest[]): Promise<FoundSuite>
}

export interface FoundSuite {
  /**
   * The tests with the known tests that they are, if {@link FoundSuite.isCurrent}; null if that has to be found out. Titles are
   * not grouped.
   */
  tests: UploadTests | null
  /** Whether no test of the project has changed since. */
  isUnchanged: boolean
  /** Whether an upload would find out the same tests now. Another connection than that of the upload can answer it meanwhile. */
  isCurrent(db: Database): Promise<boolean>
  /** Remembers what was found out, for the next upload of the suite. */
  remember(tests: UploadTests, identification: Identification): Promise<void>
}

/** Creates the memory of one server. */
export function createKnownSuites(): KnownSuites {
  const suites = new LRUCache<string, KnownSuite>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_BYTES / 2,
    sizeCalculation: ({ bytes }) => bytes,
  })
  return {
    async find(projectId, version, tests) {
      const key = `${projectId} ${await digestTests(tests)}`
      const suite = suites.get(key)
      return {
        tests: suite === undefined ? null : await applySuite(suite, tests),
        isUnchanged: suite !== undefined && version !== null && suite.version === version,
        async isCurrent(db) {
          if (suite === undefined) return false
          const isSame = (await selectSuiteDigest(db, projectId, suite.basis)) === suite.basis.digest
          if (isSame) suite.version = version
          return isSame
        },
        async remember(uploadTests, identification) {
          if (uploadTests.all.length !== tests.length) return
          const known = await toKnownSuite(uploadTests, identification)
          if (known !== null) suites.set(key, { ...known, version })
        },
      }
    },
  }
}

const TESTS_PER_CHUNK = 500

/** Digests all that decides which known tests the tests are, besides what is known. */
async function digestTests(tests: readonly ReportedTest[]): Promise<string> {
  const digest = createHash('sha256')
  const yielder = createYielder(1)
  for (let start = 0; start < tests.length; start += TESTS_PER_CHUNK) {
    if (yielder.shouldYield()) await yielder.yield()
    let chunk = ''
    for (const test of tests.slice(start, start + TESTS_PER_CHUNK)) {
      const { suite, name, variant, file, module = '', report = '', reportSuite = '', former } = test
      chunk += `${suite}\0${name}\0${variant}\0${file}\0${module}\0${report}\0${reportSuite}\0`
      // Each test has ten texts, so that no two lists of tests are the same.
      chunk += former === undefined ? '\0\0\0' : `former\0${former.suite}\0${former.name}\0`
    }
    digest.update(chunk)
  }
  return digest.digest('base64')
}

/** Whether an upload of the test leaves its titles as they are, so that the next one finds out the same. */
const isSettled = (test: UploadTest): boolean =>
  test.known !== null && !test.isRenamed && test.repeats.length === 0 && !adoptsVariant(test)

async function toKnownSuite(
  { all: tests, byTitle }: UploadTests,
  { known, names }: Identification,
): Promise<Omit<KnownSuite, 'version'> | null> {
  const yielder = createYielder(1)
  const identified: IdentifiedTest[] = []
  let length = 0
  for (let start = 0; start < tests.length; start += TESTS_PER_CHUNK) {
    if (yielder.shouldYield()) await yielder.yield()
    const chunk = tests.slice(start, start + TESTS_PER_CHUNK)
    if (!chunk.every(isSettled)) return null
    // One text of many, so that none keeps the report in memory of which it is a part.
    const titleKeys = chunk
      .map(({ titleKey }) => titleKey)
      .join('\0')
      .split('\0')
    if (titleKeys.length !== chunk.length) return null
    for (const [index, { titles, isRepeated, isInDoubt, titlesByCase, test, known: own }] of chunk.entries()) {
      const titleKey = titleKeys[index] ?? ''
      const { variant } = test
      length += titleKey.length + titles.length + variant.length
      identified.push({
        titleKey,
        titles,
        isRepeated,
        variant,
        known: own === null ? null : { ...own, titleKey },
        isInDoubt,
        titlesByCase,
      })
    }
  }
  const sameTitles: KnownTest[] = []
  for (const [index, test] of known.entries()) {
    if (index % TESTS_PER_CHUNK === 0 && yielder.shouldYield()) await yielder.yield()
    // Those with the titles that earlier versions read are only looked at for tests that are new.
    if (!byTitle.has(test.titleKey)) continue
    sameTitles.push(test)
    const { file, variant, module, titles = '' } = test
    length += file.length + variant.length + module.length + titles.length
  }
  const basis = await toSuiteBasis(sameTitles, names)
  length += basis.titleDigests.length + basis.testIds.length + basis.namedIds.length
  return { tests: identified, basis, bytes: tests.length * TEST_BYTES + length * CHARACTER_BYTES }
}

async function applySuite(suite: KnownSuite, tests: readonly ReportedTest[]): Promise<UploadTests> {
  const yielder = createYielder()
  const all: UploadTest[] = []
  for (const [index, test] of tests.entries()) {
    if (yielder.shouldYield()) await yielder.yield()
    const identified = suite.tests[index]
    if (identified === undefined) continue
    const { titleKey, variant, isRepeated } = identified
    const uploadTest = createUploadTest(isRepeated ? { ...test, variant } : test, titleKey, null)
    uploadTest.titles = identified.titles
    uploadTest.isRepeated = isRepeated
    uploadTest.known = identified.known
    uploadTest.isInDoubt = identified.isInDoubt
    uploadTest.titlesByCase = identified.titlesByCase
    all.push(uploadTest)
  }
  return { all, byTitle: new Map(), formerKeys: new Set() }
}
