import type { ReportedTest } from './attempt.ts'
import { normalizeKey } from './normalize-key.ts'

/*
 * How a test is recognized in all uploads and in the reports of different tools. Suite, name and variant as they are written
 * are not enough: for one test, a reporter sends the file as suite and the titles as name; jest-junit writes all titles as
 * class and again as name, mocha-junit-reporter the last title as class and all as name, Mocha's xunit the outer titles as
 * class and the last as name, and neither says which file. Therefore the titles decide, with the file and the variant as far
 * as both sides know them.
 */

const SOURCE_FILE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|php|java|kt|groovy|scala|cs|fs|vb|go|rs|swift|dart|feature|robot)$/

/** Whether a text is the path of a source file. */
export const isSourceFile = (text: string): boolean => SOURCE_FILE.test(text) && !/\s/.test(text)

const TITLE_SEPARATOR = ' > '
/** The class of every test in a report of node:test. */
const NODE_TEST_CLASS = 'test'

/** Returns the normalized titles of a test, without the file. */
export function getTitleKey({ suite, name, file }: Pick<ReportedTest, 'suite' | 'name' | 'file'>): string {
  const nameKey = normalizeKey(name)
  if (suite === '' || suite === file) return nameKey
  const titles = suite.includes(TITLE_SEPARATOR) ? suite.split(TITLE_SEPARATOR) : [suite]
  if (titles.at(-1) === NODE_TEST_CLASS) titles.pop()
  const suiteKey = normalizeKey(titles.filter((title) => !isFile(title, file)).join(' '))
  if (suiteKey === '' || nameKey === suiteKey) return nameKey
  // The name has all titles, and the suite repeats the outer ones or the last.
  if (nameKey.startsWith(`${suiteKey} `) || nameKey.endsWith(` ${suiteKey}`)) return nameKey
  return `${suiteKey} ${nameKey}`.trim()
}

/** A title without a directory, such as `cart.js`, may be that of a block about this file in a test of another file. */
const isFile = (title: string, file: string): boolean =>
  title === file ||
  (file !== '' && agreeOnFile(title, file)) ||
  (isSourceFile(title) && (file === '' || /[/\\]/.test(title)))

const normalizePath = (path: string): string => {
  const slashes = path.includes('\\') ? path.replaceAll('\\', '/') : path
  return slashes.startsWith('./') ? slashes.slice(2) : slashes
}

/** Whether two paths can be the same file: one may begin further out than the other. */
function agreeOnFile(a: string, b: string): boolean {
  const [left, right] = [normalizePath(a), normalizePath(b)]
  return left === right || left.endsWith(`/${right}`) || right.endsWith(`/${left}`)
}

/** What identifies a test. File and variant are '' if unknown. */
export interface TestIdentity {
  readonly titleKey: string
  readonly file: string
  readonly variant: string
}

/**
 * Finds for each test the known test that it is: of those with the same titles, the one with the same file and variant;
 * otherwise the only one with the same variant and a file that may be the same; otherwise the only one that fits, where an
 * unknown file or variant fits any. Two tests are never the same known test, and their order does not matter.
 * @returns for each test the known test, or null for a new one
 */
export function resolveTests<K extends TestIdentity>(
  tests: readonly TestIdentity[],
  known: readonly K[],
): (K | null)[] {
  if (known.length === 0) return tests.map(() => null)
  const [only] = tests
  const [onlyKnown] = known
  // As nearly always, if all have the same titles.
  if (only !== undefined && onlyKnown !== undefined && tests.length + known.length === 2) {
    return [only.titleKey === onlyKnown.titleKey && fits(only, onlyKnown) ? onlyKnown : null]
  }
  const knownByPlace = new Map<string, K>()
  const knownByTitle = new Map<string, K[]>()
  for (const candidate of known) {
    knownByPlace.set(toPlace(candidate), candidate)
    const sameTitle = knownByTitle.get(candidate.titleKey)
    if (sameTitle === undefined) knownByTitle.set(candidate.titleKey, [candidate])
    else sameTitle.push(candidate)
  }
  const taken = new Set<K>()
  const resolved = tests.map((test): K | null => {
    const exact = knownByPlace.get(toPlace(test))
    if (exact === undefined || taken.has(exact)) return null
    taken.add(exact)
    return exact
  })
  resolveRest(tests, resolved, { knownByTitle, taken, isSame: isSameVariantOfFile })
  resolveRest(tests, resolved, { knownByTitle, taken, isSame: fits })
  return resolved
}

const toPlace = ({ titleKey, file, variant }: TestIdentity): string => `${titleKey}\0${normalizePath(file)}\0${variant}`

type IsSame = (test: TestIdentity, known: TestIdentity) => boolean

interface RestOptions<K> {
  knownByTitle: ReadonlyMap<string, readonly K[]>
  /** The known tests that are resolved already. */
  taken: Set<K>
  isSame: IsSame
}

/** Resolves tests without an exact match: only where one test and one known test fit each other and nothing else. */
function resolveRest<K extends TestIdentity>(
  tests: readonly TestIdentity[],
  resolved: (K | null)[],
  { knownByTitle, taken, isSame }: RestOptions<K>,
): void {
  const restByTitle = new Map<string, { index: number; test: TestIdentity }[]>()
  for (const [index, test] of tests.entries()) {
    if (resolved[index] !== null || !knownByTitle.has(test.titleKey)) continue
    const rest = restByTitle.get(test.titleKey)
    if (rest === undefined) restByTitle.set(test.titleKey, [{ index, test }])
    else rest.push({ index, test })
  }
  for (const [titleKey, rest] of restByTitle) {
    const free = (knownByTitle.get(titleKey) ?? []).filter((candidate) => !taken.has(candidate))
    for (const { index, known } of pairSameTitle(rest, free, isSame)) {
      resolved[index] = known
      taken.add(known)
    }
  }
}

/**
 * How often tests with the same titles are compared. Parameterized tests may have the same titles a thousand times, and
 * comparing all with all would take too long: these are new tests.
 */
const MAX_COMPARISONS = 20_000

function pairSameTitle<K extends TestIdentity>(
  rest: readonly { index: number; test: TestIdentity }[],
  free: readonly K[],
  isSame: IsSame,
): { index: number; known: K }[] {
  const findCandidates = createCandidateFinder(free)
  const pairs: { index: number; known: K }[] = []
  const fitCounts = new Map<K, number>()
  let comparisons = 0
  for (const { index, test } of rest) {
    const candidates = findCandidates(test)
    comparisons += candidates.length
    if (comparisons > MAX_COMPARISONS) return []
    const fitting = candidates.filter((candidate) => isSame(test, candidate))
    for (const known of fitting) fitCounts.set(known, (fitCounts.get(known) ?? 0) + 1)
    const [only] = fitting
    if (only !== undefined && fitting.length === 1) pairs.push({ index, known: only })
  }
  return pairs.filter(({ known }) => fitCounts.get(known) === 1)
}

/** Files that agree have the same name, so that tests in many files of a project are compared with few others. */
function createCandidateFinder<K extends TestIdentity>(known: readonly K[]): (test: TestIdentity) => readonly K[] {
  if (known.length <= 1) return () => known
  const byFileName = new Map<string, K[]>()
  for (const candidate of known) {
    const fileName = getFileName(candidate.file)
    const sameName = byFileName.get(fileName)
    if (sameName === undefined) byFileName.set(fileName, [candidate])
    else sameName.push(candidate)
  }
  const withoutFile = byFileName.get('') ?? []
  return ({ file }) => {
    const fileName = getFileName(file)
    return fileName === '' ? known : [...(byFileName.get(fileName) ?? []), ...withoutFile]
  }
}

/** Returns the last part of a path. */
const getFileName = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

const isSameVariantOfFile: IsSame = (test, known) =>
  test.variant === known.variant && test.file !== '' && known.file !== '' && agreeOnFile(test.file, known.file)

function fits(test: TestIdentity, known: TestIdentity): boolean {
  if (test.variant !== '' && known.variant !== '' && test.variant !== known.variant) return false
  return test.file === '' || known.file === '' || agreeOnFile(test.file, known.file)
}
