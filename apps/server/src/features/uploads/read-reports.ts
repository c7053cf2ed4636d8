import type { ResultItemError } from '@caseward/contract/results'
import type { ReportReceipt } from '@caseward/contract/uploads'
import { JUnitError, type JUnitReport, parseJUnit, type ReaderOptions } from '@caseward/junit'
import { type EqualNames, toReportedTests } from '@caseward/junit/to-tests'
import type { ReportedTest } from '@caseward/matching/attempt'
import { createRootRemover, findSharedDirectory, getModule, type RemoveRoot } from '@caseward/matching/checkout-root'

import { invalidFieldProblem } from '../../platform/http/problems.ts'
import { createYielder, waitInLongRound } from '../../platform/yielder.ts'
import { type SuiteError, toStoredError } from './suite-errors.queries.ts'

/** A JUnit report, as slices of its text or in the encoding that it declares. */
export type JUnitSource = readonly string[] | Buffer

export interface ReportOptions {
  /** Directory of the checkout; undefined if it is unknown. */
  root: string | undefined
  module: string | undefined
  /** Path of the report, from which the module follows; undefined if it is unknown. */
  path?: string | undefined
  /** What the upload or else the project says; a function is called only for reports with equal names. */
  equalNames: EqualNames | (() => Promise<EqualNames>) | undefined
  /** Whether the upload has the output of failed tests as files. */
  hasOutputFiles?: boolean | undefined
}

/** What the receipt says about reports. */
export interface ReportNotes {
  reports: readonly ReportReceipt[] | undefined
  /** Attributes that state a status that is not known, one for each test. */
  unknownStatuses: readonly string[]
  /** '' if there is none. */
  skippedText: string
  errors: readonly ResultItemError[]
}

export interface ReadReports extends ReportNotes {
  tests: ReportedTest[]
  suiteErrors: SuiteError[]
}

/**
 * Reads a report.
 * @throws {Problem} 400 for XML that is not well-formed or not JUnit
 */
export async function readReport(junit: JUnitSource, options: ReportOptions): Promise<ReadReports> {
  try {
    const module = findModule(options)
    return await mergeReports(
      [await parseOne(await parseJUnit(junit, toReaderOptions(options)), module, options)],
      options,
    )
  } catch (error) {
    if (!(error instanceof JUnitError)) throw error
    const path = Buffer.isBuffer(junit) ? '' : '/junit_xml'
    throw invalidFieldProblem(path, `cannot be read: ${error.message}`, 'invalid_junit_xml')
  }
}

/** Reads several reports. One that cannot be read is an error of its own, and the others count. */
export async function readReports(
  sources: readonly { path: string; junit_xml: string }[],
  options: ReportOptions,
): Promise<ReadReports> {
  const read: ParsedReport[] = []
  const reports: ReportReceipt[] = []
  const errors: ResultItemError[] = []
  const removeRoot = getRootRemover(options)
  for (const { path, junit_xml: junit } of sources) {
    try {
      const cleaned = cleanPath(path, removeRoot)
      const module = options.module ?? getModule(cleaned)
      const report = await parseOne(await parseJUnit(junit, toReaderOptions(options)), module, options, cleaned)
      read.push(report)
      reports.push({ path, tests: report.tests.length, error: null })
    } catch (error) {
      if (!(error instanceof JUnitError)) throw error
      const message = `The report cannot be read: ${error.message}`
      reports.push({ path, tests: 0, error: message })
      errors.push({ test_case_id: path, error: message, code: 'invalid_junit_xml' })
    }
  }
  return { ...(await mergeReports(read, options)), reports, errors }
}

const toReaderOptions = ({ hasOutputFiles = false }: ReportOptions): ReaderOptions => ({
  outputFiles: hasOutputFiles ? 'named' : 'none',
})

function findModule({ module, path, ...options }: ReportOptions): string | undefined {
  const removeRoot = getRootRemover({ module, ...options })
  if (module !== undefined) return cleanPath(module, removeRoot)
  return path === undefined ? undefined : getModule(cleanPath(path, removeRoot))
}

const getRootRemover = ({ root }: ReportOptions): RemoveRoot | null =>
  root === undefined ? null : createRootRemover(root)

/** The path of a report or module, relative to the root. */
function cleanPath(path: string, removeRoot: RemoveRoot | null): string {
  const test = { suite: '', name: '', file: path }
  const slashes = (removeRoot === null ? path : removeRoot(test).file).replaceAll('\\', '/')
  return slashes.replace(/^(?:\.\/)+|\/+$/g, '') || '.'
}

interface ParsedReport {
  /** Its path, if several came together. */
  path: string | undefined
  tests: ReportedTest[]
  report: Pick<JUnitReport, 'suiteErrors' | 'skippedText'>
  unknownStatuses: readonly string[]
}

async function parseOne(
  report: JUnitReport,
  module: string | undefined,
  { equalNames }: ReportOptions,
  path?: string,
): Promise<ParsedReport> {
  const tests = await toReportedTests(report, createYielder(), { equalNames, module })
  return {
    path,
    tests: path === undefined ? tests : tests.map((test) => ({ ...test, report: path })),
    report: { suiteErrors: report.suiteErrors, skippedText: report.skippedText },
    unknownStatuses: collectUnknownStatuses(report),
  }
}

/** In a loop: a list for each attempt, nearly all of them empty, would be most of the work. */
function collectUnknownStatuses({ attempts }: JUnitReport): string[] {
  const statuses: string[] = []
  for (const { unknownStatus } of attempts) if (unknownStatus !== null) statuses.push(unknownStatus)
  return statuses
}

/** Joins reports, and removes the directory of the checkout: the one that is named, else the one that all paths share. */
async function mergeReports(read: readonly ParsedReport[], options: ReportOptions): Promise<ReadReports> {
  const tests: ReportedTest[] = []
  for (const report of read) {
    await waitInLongRound()
    for (const test of report.tests) tests.push(test)
  }
  await waitInLongRound()
  const shared = options.root === undefined ? findSharedDirectory(tests) : null
  const removeRoot = shared === null ? getRootRemover(options) : createRootRemover(shared)
  if (removeRoot !== null) {
    const yielder = createYielder()
    for (const [index, test] of tests.entries()) {
      if (yielder.shouldYield()) await yielder.yield()
      tests[index] = removeRoot(test)
    }
  }
  const toLocation = (suite: string) =>
    removeRoot === null ? suite : removeRoot({ suite, name: '', file: '' }).suite || suite
  return {
    tests,
    suiteErrors: read.flatMap(({ report, path }) =>
      report.suiteErrors.map(({ suite, message, text }) => ({
        ...toStoredError(toLocation(suite), message || text),
        report: path,
      })),
    ),
    unknownStatuses: read.flatMap(({ unknownStatuses }) => unknownStatuses),
    skippedText: read.map(({ report }) => report.skippedText).find((text) => text !== '') ?? '',
    reports: undefined,
    errors: [],
  }
}
