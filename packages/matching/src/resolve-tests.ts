import { bridgeTitles } from './bridge-titles.ts'
import { agreeOnFile, fitsPlace, normalizePath, splitVariant, type TestIdentity } from './test-identity.ts'

/**
 * Where the tests of a suite or file are in the other side: the file or suite of those that were recognized without doubt,
 * if it is the same for all of them. By the place of the reported test.
 */
export type PlaceHints = ReadonlyMap<string, string>

/** The place of a test: its file, else the suite of its report. '' if neither is known. */
export function getPlace({ file, reportSuite = '' }: TestIdentity): string {
  if (file !== '') return normalizePath(file)
  return reportSuite === '' ? '' : `\0${reportSuite}`
}

/** A test among those with the same titles. */
interface Candidate<T> {
  readonly item: T
  readonly file: string
  readonly place: string
  readonly titles: string
  readonly base: string
  readonly module: string
  readonly variant: string
  /** Its position among the rows of the same titles, variant and module in its place. */
  rank: number
}

interface Reported<K> extends Candidate<TestIdentity> {
  readonly index: number
  known: K | null
}

interface Known<K> extends Candidate<K> {
  isTaken: boolean
}

/** Tests of the same normalized titles, reported and known. */
export interface TitleGroup<K> {
  /** For each reported test the known test that it is; null if it is new, or if there is a doubt. */
  getResolved(): (K | null)[]
  /** Resolves those that are in doubt, as far as hints or, at last, the order of the report decide. */
  resolveDoubts(hints: PlaceHints): void
}

/**
 * Finds for each test the known test that it is. Titles as they are written decide first; titles that only have the same key
 * are bridged where one of each side meets one of the other. Then the test with the same file, variant and module; otherwise
 * the only one that fits, where what is unknown fits any. Two tests are never the same known test, and their order does not
 * matter.
 */
export function createTitleGroup<K extends TestIdentity>(
  tests: readonly TestIdentity[],
  knownTests: readonly K[],
): TitleGroup<K> {
  const bridge = bridgeTitles(tests, knownTests)
  const reported: Reported<K>[] = tests.map((test, index) => ({
    ...toCandidate(test, test.titles ?? test.titleKey),
    index,
    known: null,
  }))
  const known: Known<K>[] = knownTests.map((test) => {
    const titles = test.titles ?? test.titleKey
    return { ...toCandidate(test, bridge.get(titles) ?? titles), isTaken: false }
  })
  // In a file, an upload numbers rows as they are; without one, it numbers those of all suites together.
  for (const test of reported) test.rank = splitVariant(test.variant).number
  setRanks(reported.filter(({ file }) => file === ''))
  setRanks(known)
  const scattered = findScatteredTitles(reported, known)
  const resolve = (isSame: IsSame, toBucket: ToBucket) => resolvePass(reported, known, isSame, toBucket)
  resolve(isExact(scattered), toExactBucket)
  resolve(isSameVariantOfFile, toFileNameBucket)
  resolve(fitsAll, toFileNameBucket)
  adoptWithoutModule(reported, known)
  return {
    getResolved: () => reported.map((test) => test.known),
    resolveDoubts(hints) {
      resolve(isAtHint(hints), toTitlesBucket)
      resolve(isSameRow, toTitlesBucket)
      resolve(fitsAll, toFileNameBucket)
      adoptWithoutModule(reported, known)
      takeIdentical(reported, known)
    },
  }
}

/** What tells stored tests of the same titles apart: no two of them have the same. */
const toStoredKey = ({ item, file, module, variant }: AnyCandidate): string =>
  [file, variant, module, item.titles ?? item.titleKey].join('\0')

/**
 * Gives each test in doubt the known test that is stored as it would be, which cannot be stored twice. Another test that was
 * taken for that one is in doubt instead, and looks for its own.
 */
function takeIdentical<K extends TestIdentity>(reported: readonly Reported<K>[], known: readonly Known<K>[]): void {
  const open = reported.filter((test) => test.known === null)
  if (open.length === 0) return
  const byKey = new Map(known.map((candidate) => [toStoredKey(candidate), candidate]))
  const holders = new Map(reported.flatMap((test) => (test.known === null ? [] : [[test.known, test] as const])))
  for (let test = open.pop(); test !== undefined; test = open.pop()) {
    const found = byKey.get(toStoredKey(test))
    const holder = found === undefined ? undefined : holders.get(found.item)
    if (found === undefined || holder === test) continue
    // Two reported tests are never the same stored one.
    if (holder !== undefined && toStoredKey(holder) === toStoredKey(test)) continue
    if (holder !== undefined) {
      holder.known = null
      open.push(holder)
    }
    test.known = found.item
    found.isTaken = true
    holders.set(found.item, test)
  }
}

/** Finds the known tests of tests that are not told apart further. */
export function resolveTests<K extends TestIdentity>(
  tests: readonly TestIdentity[],
  known: readonly K[],
): (K | null)[] {
  if (known.length === 0) return tests.map(() => null)
  const group = createTitleGroup(tests, known)
  group.resolveDoubts(new Map())
  return group.getResolved()
}

function toCandidate<T extends TestIdentity>(item: T, titles: string): Candidate<T> {
  const { file, module = '', variant } = item
  const { base } = splitVariant(variant)
  return { item, file, place: getPlace(item), titles: `${item.titleKey}\0${titles}`, base, module, variant, rank: 1 }
}

/** Numbers may have gaps where titles that differ were numbered together; positions have none. */
function setRanks(candidates: readonly Candidate<TestIdentity>[]): void {
  const rows = new Map<string, Candidate<TestIdentity>[]>()
  for (const candidate of candidates) {
    const key = [candidate.titles, candidate.place, candidate.base, candidate.module].join('\0')
    const earlier = rows.get(key)
    if (earlier === undefined) rows.set(key, [candidate])
    else earlier.push(candidate)
  }
  for (const sameRow of rows.values()) {
    sameRow.sort((a, b) => splitVariant(a.variant).number - splitVariant(b.variant).number)
    for (const [index, candidate] of sameRow.entries()) candidate.rank = index + 1
  }
}

/** Titles of tests without a file in several suites: which of them is which is not told by their order alone. */
function findScatteredTitles(...sides: (readonly Candidate<TestIdentity>[])[]): ReadonlySet<string> {
  const scattered = new Set<string>()
  for (const side of sides) {
    const places = new Map<string, string>()
    for (const { file, place, titles } of side) {
      if (file !== '') continue
      const first = places.get(titles)
      if (first === undefined) places.set(titles, place)
      else if (first !== place) scattered.add(titles)
    }
  }
  return scattered
}

type AnyCandidate = Candidate<TestIdentity>
type IsSame = (test: AnyCandidate, known: AnyCandidate) => boolean
/** Candidates are compared only within a bucket. '' of a known test is in every bucket of its titles. */
type ToBucket = (candidate: AnyCandidate) => string

const toTitlesBucket: ToBucket = () => 'all'
const toExactBucket: ToBucket = ({ file, base, module, rank }) => [normalizePath(file), base, module, rank].join('\0')
/** Files that agree have the same name, so that tests in many files of a project are compared with few others. */
const toFileNameBucket: ToBucket = ({ file }) => file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)

const isExact =
  (scattered: ReadonlySet<string>): IsSame =>
  (test, known) =>
    // In the same bucket, so that all else is equal.
    (test.file !== '') === (known.file !== '') && (test.file !== '' || !scattered.has(test.titles))

const isSameVariantOfFile: IsSame = (test, known) =>
  test.base === known.base &&
  test.rank === known.rank &&
  test.file !== '' &&
  known.file !== '' &&
  agreeOnFile(test.file, known.file) &&
  fitsPlace(test.item, known.item)

const fitsAll: IsSame = (test, known) =>
  (test.base === '' || known.base === '' || test.base === known.base) &&
  test.rank === known.rank &&
  fitsPlace(test.item, known.item)

const isAtHint =
  (hints: PlaceHints): IsSame =>
  (test, known) =>
    hints.get(test.place) === known.place && known.place !== '' && fitsAll(test, known)

/** Tests without a file that have the same number in their report: nothing else tells them apart. */
const isSameRow: IsSame = (test, known) =>
  test.file === '' && known.file === '' && test.variant === known.variant && fitsPlace(test.item, known.item)

/**
 * How often tests with the same titles are compared. Parameterized tests may have the same titles a thousand times, and
 * comparing all with all would take too long: these are new tests.
 */
const MAX_COMPARISONS = 20_000

/** Resolves tests where one test and one known test fit each other and nothing else. */
function resolvePass<K extends TestIdentity>(
  reported: readonly Reported<K>[],
  known: readonly Known<K>[],
  isSame: IsSame,
  toBucket: ToBucket,
): void {
  const open = reported.filter((test) => test.known === null)
  if (open.length === 0) return
  const findKnown = groupFree(known, toBucket)
  const comparisons = new Map<string, number>()
  const pairs: { test: Reported<K>; found: Known<K> }[] = []
  const fitCounts = new Map<Known<K>, number>()
  for (const test of open) {
    const lists = findKnown(test)
    const count = lists.reduce((sum, list) => sum + list.length, comparisons.get(test.titles) ?? 0)
    comparisons.set(test.titles, count)
    if (count > MAX_COMPARISONS) continue
    const fitting = lists.flatMap((list) => list.filter((candidate) => isSame(test, candidate)))
    for (const found of fitting) fitCounts.set(found, (fitCounts.get(found) ?? 0) + 1)
    const [only] = fitting
    if (only !== undefined && fitting.length === 1) pairs.push({ test, found: only })
  }
  for (const { test, found } of pairs) {
    if (fitCounts.get(found) !== 1 || (comparisons.get(test.titles) ?? 0) > MAX_COMPARISONS) continue
    test.known = found.item
    found.isTaken = true
  }
}

function groupFree<K extends TestIdentity>(
  known: readonly Known<K>[],
  toBucket: ToBucket,
): (test: AnyCandidate) => readonly (readonly Known<K>[])[] {
  const byTitles = new Map<string, Map<string, Known<K>[]>>()
  for (const candidate of known) {
    if (candidate.isTaken) continue
    const buckets = byTitles.get(candidate.titles) ?? new Map<string, Known<K>[]>()
    byTitles.set(candidate.titles, buckets)
    const bucket = toBucket(candidate)
    for (const name of bucket === '' ? [''] : [bucket, '*']) {
      const earlier = buckets.get(name)
      if (earlier === undefined) buckets.set(name, [candidate])
      else earlier.push(candidate)
    }
  }
  return (test) => {
    const buckets = byTitles.get(test.titles)
    if (buckets === undefined) return []
    const bucket = toBucket(test)
    // Without a file, a test may be in any.
    return [buckets.get(bucket === '' ? '*' : bucket) ?? [], buckets.get('') ?? []]
  }
}

/**
 * Known tests of earlier versions have no module. Of several tests that differ only in theirs, the first by name takes over
 * the identity, so that its order in the report does not matter.
 */
function adoptWithoutModule<K extends TestIdentity>(
  reported: readonly Reported<K>[],
  known: readonly Known<K>[],
): void {
  const free = known.filter(({ isTaken, module }) => !isTaken && module === '')
  if (free.length === 0) return
  const open = reported.filter((test) => test.known === null && test.module !== '')
  const firstByRow = new Map<string, Reported<K>>()
  for (const test of open) {
    const key = [test.titles, test.variant, test.place].join('\0')
    const first = firstByRow.get(key)
    if (first === undefined || test.module < first.module) firstByRow.set(key, test)
  }
  const firsts = new Set(firstByRow.values())
  if (firsts.size === open.length) return
  resolvePass([...firsts], free, fitsAll, toFileNameBucket)
}
