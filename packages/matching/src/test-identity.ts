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
const WRITTEN_SEPARATOR = /\s+[>›»]\s+/g
/** The class of every test in a report of node:test. */
const NODE_TEST_CLASS = 'test'

type NamedTest = Pick<ReportedTest, 'suite' | 'name' | 'file'>

/** What a suite adds to the titles of its tests, as written and normalized. */
export interface SuiteTitles {
  readonly titles: string
  readonly key: string
}

/** Returns what a suite adds to the titles of tests in a file. */
export type ReadSuite = (suite: string, file: string) => SuiteTitles

const readSuite: ReadSuite = (suite, file) => {
  const titles = getSuiteTitles(suite, file)
  return { titles, key: normalizeKey(titles) }
}

/** Creates a {@link ReadSuite} for many tests: most have the suite of others, which takes as long to read as their names. */
export function createSuiteMemo(): ReadSuite {
  const bySuite = new Map<string, SuiteTitles & { file: string }>()
  return (suite, file) => {
    const earlier = bySuite.get(suite)
    if (earlier !== undefined && earlier.file === file) return earlier
    const read = { ...readSuite(suite, file), file }
    bySuite.set(suite, read)
    return read
  }
}

/**
 * Returns the normalized titles of a test, without the file.
 * @param read the memo of those who read many tests
 */
export function getTitleKey({ suite, name, file }: NamedTest, read = readSuite): string {
  const nameKey = normalizeKey(name)
  if (suite === '' || suite === file) return nameKey
  const { key: suiteKey } = read(suite, file)
  return repeatsSuite(nameKey, suiteKey) ? nameKey : `${suiteKey} ${nameKey}`.trim()
}

/**
 * Returns the titles of a test as they are written, without the file: titles that differ in this are never one test, although
 * they may have the same key. Only what joins titles is the same for all tools.
 * @param read the memo of those who read many tests
 */
export function getTitles({ suite, name, file }: NamedTest, read = readSuite): string {
  if (suite === '' || suite === file) return joinTitles(name)
  const { titles, key } = read(suite, file)
  return repeatsSuite(normalizeKey(name), key) ? joinTitles(name) : joinTitles(`${titles} ${name}`)
}

const joinTitles = (text: string): string => text.normalize('NFC').replace(WRITTEN_SEPARATOR, ' ').trim()

function getSuiteTitles(suite: string, file: string): string {
  const titles = suite.includes(TITLE_SEPARATOR) ? suite.split(TITLE_SEPARATOR) : [suite]
  if (titles.at(-1) === NODE_TEST_CLASS) titles.pop()
  return titles.filter((title) => !isFile(title, file)).join(' ')
}

/** Whether the name has all titles, and the suite is empty or repeats the outer ones or the last. */
const repeatsSuite = (nameKey: string, suiteKey: string): boolean =>
  suiteKey === '' || nameKey === suiteKey || nameKey.startsWith(`${suiteKey} `) || nameKey.endsWith(` ${suiteKey}`)

/** A title without a directory, such as `cart.js`, may be that of a block about this file in a test of another file. */
const isFile = (title: string, file: string): boolean =>
  title === file ||
  (file !== '' && agreeOnFile(title, file)) ||
  (isSourceFile(title) && (file === '' || /[/\\]/.test(title)))

/** Returns a path with slashes, and without a leading `./`. */
export const normalizePath = (path: string): string => {
  const slashes = path.includes('\\') ? path.replaceAll('\\', '/') : path
  return slashes.startsWith('./') ? slashes.slice(2) : slashes
}

/** Whether two paths can be the same file: one may begin further out than the other. */
export function agreeOnFile(a: string, b: string): boolean {
  if (a === b) return true
  const [left, right] = [normalizePath(a), normalizePath(b)]
  return left === right || left.endsWith(`/${right}`) || right.endsWith(`/${left}`)
}

/** What identifies a test. Texts are '' if unknown. */
export interface TestIdentity {
  readonly titleKey: string
  readonly file: string
  /** Rows of one title have numbers at the end: `chrome`, `chrome #2`. */
  readonly variant: string
  readonly module?: string | undefined
  /** As {@link getTitles} returns them; only compared where several tests have the same key. */
  readonly titles?: string | undefined
  /** What the tests of one suite of a report have in common that does not name its file. */
  readonly reportSuite?: string | undefined
}

/** Whether two tests of the same titles can be the same: an unknown file, variant or module is the same as any. */
export function fits(test: TestIdentity, known: TestIdentity): boolean {
  return (test.variant === known.variant || fitsVariant(test.variant, known.variant)) && fitsPlace(test, known)
}

function fitsVariant(variant: string, known: string): boolean {
  const { base, number } = splitVariant(variant)
  const other = splitVariant(known)
  if (base !== '' && other.base !== '' && base !== other.base) return false
  return base !== other.base || number === other.number
}

/** As {@link fits}, for the file and the module. */
export function fitsPlace(test: TestIdentity, known: TestIdentity): boolean {
  const module = test.module ?? ''
  const knownModule = known.module ?? ''
  const hasOtherModule = module !== '' && knownModule !== '' && module !== knownModule
  if (test.file === '' || known.file === '') return !hasOtherModule
  return hasOtherModule
    ? agreeOnFile(toFullPath(test.file, module), toFullPath(known.file, knownModule))
    : agreeOnFile(test.file, known.file)
}

/** Paths in a report begin at its module as often as at the root of the repository. */
function toFullPath(file: string, module: string): string {
  const path = normalizePath(file)
  return module === '.' || path === module || path.startsWith(`${module}/`) ? path : `${module}/${path}`
}

/** Returns the path of a file within its module: tests of two packages may differ only in this. */
export function getPathInModule({ file, module = '' }: Pick<TestIdentity, 'file' | 'module'>): string {
  const path = normalizePath(file)
  return module !== '' && path.startsWith(`${module}/`) ? path.slice(module.length + 1) : path
}

const NUMBER = /^(.*?) ?#([1-9]\d{0,5})$/

/** Divides a variant into its name and the number of a row. */
export function splitVariant(variant: string): { base: string; number: number } {
  const match = variant.includes('#') ? NUMBER.exec(variant) : null
  return match === null ? { base: variant, number: 1 } : { base: match[1] ?? '', number: Number(match[2]) }
}

/** Returns the variant of a row: all but the first have a number. */
export const formatVariant = (base: string, number: number): string =>
  number === 1 ? base : `${base} #${number}`.trim()
