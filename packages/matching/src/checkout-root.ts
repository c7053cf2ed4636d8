import type { ReportedTest } from './attempt.ts'

/*
 * No stored path begins with the directory of the checkout, which differs between the machines of CI. Reports contain it in
 * files, classes, suites and names, with slashes or backslashes, and as addresses of files.
 */

type TestPaths = Pick<ReportedTest, 'suite' | 'name' | 'file' | 'classname' | 'former'>

/** Removes a directory from the texts of a test. */
export type RemoveRoot = <T extends TestPaths>(test: T) => T

const DRIVE = /^[a-z]:/i

/** Splits a directory into its parts, without the slashes; a drive is a part. */
function splitDirectory(root: string): string[] {
  return decodeAddress(root)
    .split(/[/\\]+/)
    .filter((part) => part !== '')
}

/** Returns the path of an address such as `file:///ci/shop`; other texts as they are. */
function decodeAddress(text: string): string {
  const match = /^file:\/{2,3}/i.exec(text)
  if (match === null) return text
  const path = text.slice(match[0].length)
  try {
    return `${DRIVE.test(path) ? '' : '/'}${decodeURIComponent(path)}`
  } catch {
    return path
  }
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Returns a function that removes a directory of the checkout; null for one that says nothing, such as `/`. */
export function createRootRemover(root: string): RemoveRoot | null {
  const parts = splitDirectory(root.trim())
  const [first = '', ...others] = parts
  const isWindows = DRIVE.test(first)
  if (parts.length === 0 || (isWindows && others.length === 0)) return null
  const toPattern = (part: string) => {
    const encoded = encodeURI(part)
    return encoded === part ? escapePattern(part) : `(?:${escapePattern(part)}|${escapePattern(encoded)})`
  }
  const separator = String.raw`[/\\]+`
  const directory = parts.map(toPattern).join(separator)
  // A path begins at the start, or after a character that cannot be part of it.
  const start = String.raw`(?<![\w.~/\\:-])(?:file:/{1,3})?[/\\]${isWindows ? '?' : '+'}`
  // Names of directories are the same in any case on Windows.
  const pattern = new RegExp(`${start}${directory}(?:${separator}|(?![\\w.~-]))`, isWindows ? 'gi' : 'g')
  const lastPart = (parts.at(-1) ?? '').toLowerCase()
  const encodedLastPart = encodeURI(parts.at(-1) ?? '').toLowerCase()
  const mayContain = (text: string) => {
    // Most texts contain no directory, and a plain search is faster than a pattern.
    if (!text.includes('/') && !text.includes('\\')) return false
    const lower = text.toLowerCase()
    return lower.includes(lastPart) || lower.includes(encodedLastPart)
  }
  const removeFrom = (text: string): string => (mayContain(text) ? text.replace(pattern, '') : text)
  return (test) => {
    const suite = removeFrom(test.suite)
    const name = removeFrom(test.name)
    const file = removeFromPath(test.file, removeFrom)
    const classname = test.classname === undefined ? undefined : removeFrom(test.classname)
    const isSame = suite === test.suite && name === test.name && file === test.file && classname === test.classname
    if (isSame) return test
    return {
      ...test,
      // The suite of a reporter is the file.
      suite: test.suite === test.file ? file : suite,
      name: name === '' ? test.name : name,
      file,
      ...(classname === undefined ? {} : { classname }),
      former: test.former ?? { suite: test.suite, name: test.name },
    }
  }
}

/** A path from which a directory was removed has slashes, so that it is the same on all systems. */
function removeFromPath(path: string, removeFrom: (text: string) => string): string {
  const relative = removeFrom(path)
  return relative === path ? path : decodeRelative(relative, path).replaceAll('\\', '/')
}

function decodeRelative(relative: string, original: string): string {
  if (!/^file:/i.test(original) || !relative.includes('%')) return relative
  try {
    return decodeURIComponent(relative)
  } catch {
    return relative
  }
}

const ABSOLUTE = /^(?:file:\/{2,3})?(?:\/|[a-z]:[/\\])/i

const SLASH = 0x2f
const COLON = 0x3a

/** The first characters say of most texts that they are none, which is faster than the pattern. */
export const isAbsolutePath = (path: string): boolean =>
  (path.charCodeAt(0) === SLASH || path.charCodeAt(1) === COLON || path.charCodeAt(4) === COLON) && ABSOLUTE.test(path)

/**
 * Finds the longest directory that all absolute paths of a report share, for reports whose checkout is unknown.
 * @returns null without absolute paths, or if they share nothing
 */
export function findSharedDirectory(tests: Iterable<TestPaths>): string | null {
  let shared: string[] | null = null
  let isRooted = false
  for (const { file, suite, classname = '' } of tests) {
    // Most tests have no absolute path, and lists for all of them would take longer than looking for one.
    if (!isAbsolutePath(file) && !isAbsolutePath(suite) && !isAbsolutePath(classname)) continue
    for (const text of file === suite || suite === classname ? [file, classname] : [file, suite, classname]) {
      if (!isAbsolutePath(text) || !isPath(text)) continue
      const parts = splitDirectory(text).slice(0, -1)
      isRooted = !DRIVE.test(parts[0] ?? '')
      shared = shared === null ? parts : getCommonStart(shared, parts)
      if (shared.length === 0) return null
    }
  }
  if (shared === null || shared.length === 0) return null
  return `${isRooted ? '/' : ''}${shared.join('/')}`
}

/** Whether a text is one path: the name of a suite may only begin with a slash, as that of an address does. */
const isPath = (text: string): boolean => /[/\\][^/\\]*\.[a-z][\w-]{0,10}$/i.test(text) && !/[\n>›»]/.test(text)

function getCommonStart(left: readonly string[], right: readonly string[]): string[] {
  const end = left.findIndex((part, index) => part !== right[index])
  return end === -1 ? [...left] : left.slice(0, end)
}

/** Directories at the end of the path of a report that say nothing about its module. */
const OUTPUT_DIRECTORIES: ReadonlySet<string> = new Set([
  'surefire-reports',
  'failsafe-reports',
  'reports',
  'report',
  'test-results',
  'testresults',
  'test-reports',
  'results',
  'junit',
  'coverage',
  'out',
  'dist',
  '.nyc_output',
])

/** Names of directories of one build, within a directory of output: a number, a date, an id. Tests stay the same in all builds. */
const BUILD_DIRECTORY =
  /^(?:(?:build|run|job|pipeline)[-_.]?)?#?\d[\d._:-]*(?:t[\d._:-]+z?)?$|^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
/** Bazel writes a directory for each shard, each repetition and each failed attempt. */
const BAZEL_DIRECTORY = /^(?:(?:shard|run)_\d+_of_\d+|test_attempts)$/

const isOutputDirectory = (name: string | undefined): boolean =>
  name !== undefined && OUTPUT_DIRECTORIES.has(name.toLowerCase())

/** The module of a report: its directory without the well-known directories of output; `.` for the root. */
export function getModule(reportPath: string): string {
  const parts = reportPath.split(/[/\\]+/).filter((part) => part !== '' && part !== '.')
  parts.pop()
  // Bazel writes its reports into directories like those of the packages.
  if (parts[0] === 'bazel-testlogs') {
    parts.shift()
    while (BAZEL_DIRECTORY.test(parts.at(-1) ?? '')) parts.pop()
  }
  for (;;) {
    const last = parts.at(-1)
    const outer = parts.at(-2)
    if (last === undefined) return '.'
    // `build/test-results/test` of Gradle.
    if (outer === 'test-results' && parts.at(-3) === 'build') parts.splice(-3)
    else if (last === 'test-results' && outer === 'build') parts.splice(-2)
    else if ((last === 'surefire-reports' || last === 'failsafe-reports') && outer === 'target') parts.splice(-2)
    else if (isOutputDirectory(last) || (isOutputDirectory(outer) && BUILD_DIRECTORY.test(last))) parts.pop()
    else return parts.join('/')
  }
}
