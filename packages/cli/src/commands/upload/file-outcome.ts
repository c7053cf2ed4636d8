import { type Receipt, sumReceipts, sumTests } from '@caseward/ci-run/receipts'
import { formatStatusCounts, pluralize } from '@caseward/ci-run/wording'

import type { ExitCode } from '../../context.ts'
import { toTerminalText } from '../../text.ts'

/** The outcome of one file, or of several that were stored together. */
export type FileOutcome =
  | { readonly kind: 'uploaded'; readonly name: string; readonly receipt: Receipt }
  | { readonly kind: 'batch'; readonly files: readonly FileInBatch[]; readonly receipt: Receipt }
  | { readonly kind: 'not-stored'; readonly name: string; readonly reasons: readonly string[] }
  /** XML of another kind in a directory or pattern. */
  | { readonly kind: 'skipped'; readonly name: string; readonly reason: string }

interface FileInBatch {
  readonly name: string
  readonly testCount: number
}

/** Formats what was stored, in one line for each file. */
export function formatOutcome(outcome: FileOutcome, dryRun: boolean): string[] {
  const [stored, notStored] = dryRun ? ['would be stored', 'would not be stored'] : ['stored', 'not stored']
  if (outcome.kind === 'batch') {
    return outcome.files.map(({ name, testCount }) => {
      const count = testCount === 0 ? 'no results found' : `${pluralize(testCount, 'test')} ${stored}`
      return `${getDisplayName(name)}: ${count}`
    })
  }
  const name = getDisplayName(outcome.name)
  if (outcome.kind === 'skipped') return [`${name}: skipped. ${toTerminalText(outcome.reason)}`]
  if (outcome.kind === 'not-stored') return [`${name}: ${notStored}`]
  const { receipt } = outcome
  const { uploaded_count: uploaded, failed_count: failed, stats, tests } = receipt
  if (uploaded === 0 && failed === 0) {
    return tests === undefined || tests.total === 0
      ? [`${name}: no results found`]
      : [`${name}: ${pluralize(tests.total, 'unmatched test')} ${stored}`]
  }
  const errorCount = countSuiteErrors([receipt])
  const parts = [
    ...(uploaded > 0 ? [`${uploaded} ${stored} (${formatStatusCounts(stats)})`] : []),
    ...(failed > errorCount ? [`${failed - errorCount} ${notStored}`] : []),
    ...(errorCount > 0 ? [`${pluralize(errorCount, 'error')} outside of tests`] : []),
  ]
  return [`${name}: ${parts.join(', ')}`]
}

/** Returns why the file was not stored, or the results that were not stored, each with its reason. */
export function formatErrors(outcome: FileOutcome): string[] {
  if (outcome.kind === 'skipped') return []
  if (outcome.kind === 'not-stored') return [...outcome.reasons]
  return getErrors(outcome.receipt).map(({ test_case_id, error }) => {
    const [id, reason] = [toTerminalText(test_case_id), toTerminalText(error)]
    return reason.includes(id) ? reason : `${id}: ${reason}`
  })
}

const getErrors = (receipt: Receipt) => ('errors' in receipt ? receipt.errors : [])

/** Counts the errors outside of tests, which are among the errors of a receipt. */
const countSuiteErrors = (receipts: readonly Receipt[]): number =>
  receipts.flatMap(getErrors).filter(({ code }) => code === 'suite_error').length

/** Formats the totals over several files in one line. */
export function formatTotals(outcomes: readonly FileOutcome[], filesNotSent: number, dryRun: boolean): string {
  const receipts = getReceipts(outcomes)
  const { uploaded_count: uploaded, failed_count: failed, stats } = sumReceipts(receipts)
  const errorCount = countSuiteErrors(receipts)
  const storedFiles = countFiles(outcomes.filter(({ kind }) => kind === 'uploaded' || kind === 'batch'))
  const failedFiles = outcomes.filter(({ kind }) => kind === 'not-stored').length + filesNotSent
  const missing = [
    ...(failed > errorCount ? [pluralize(failed - errorCount, 'result')] : []),
    ...(failedFiles > 0 ? [pluralize(failedFiles, 'file')] : []),
  ]
  const errors = errorCount === 0 ? '' : `; ${pluralize(errorCount, 'error')} outside of tests`
  const notStored = `${errors}${missing.length === 0 ? '' : `; not stored: ${missing.join(', ')}`}`
  const verb = dryRun ? 'Would store' : 'Stored'
  if (uploaded > 0) {
    return `${verb} ${pluralize(uploaded, 'result')} from ${pluralize(storedFiles, 'file')} (${formatStatusCounts(stats)})${notStored}.`
  }
  const testCount = sumTests(receipts)?.total ?? 0
  if (testCount > 0) {
    return `${verb} ${pluralize(testCount, 'unmatched test')} from ${pluralize(storedFiles, 'file')}${notStored}.`
  }
  return `${verb} nothing${notStored === '' ? ': no file contains results' : notStored}.`
}

/** Returns 0 if everything was stored, 2 if part of it was stored, and 1 if nothing was stored. */
export function getExitCode(outcomes: readonly FileOutcome[], filesNotSent: number): ExitCode {
  const receipts = getReceipts(outcomes)
  const hasStored = receipts.some(
    ({ uploaded_count: uploaded, failed_count: failed, tests }) => uploaded > 0 || (tests?.total ?? 0) > failed,
  )
  const isComplete =
    filesNotSent === 0 &&
    outcomes.every(({ kind }) => kind !== 'not-stored') &&
    receipts.every(({ failed_count: count }) => count === 0)
  if (isComplete) return 0
  return hasStored ? 2 : 1
}

/** Whether everything was read, and nothing in it is a result, a test or an error. */
export function isEmpty(outcomes: readonly FileOutcome[]): boolean {
  if (outcomes.some(({ kind }) => kind === 'not-stored')) return false
  const receipts = getReceipts(outcomes)
  const { uploaded_count: uploaded, failed_count: failed } = sumReceipts(receipts)
  return uploaded + failed + (sumTests(receipts)?.total ?? 0) === 0
}

export function getDisplayName(name: string): string {
  return name === '-' ? 'standard input' : toTerminalText(name)
}

export function getColor(outcome: FileOutcome) {
  if (outcome.kind === 'not-stored') return 'red'
  if (outcome.kind === 'skipped') return 'yellow'
  return outcome.receipt.success ? 'green' : 'yellow'
}

/** Returns the outcome as `--json` prints it, an entry for each file. */
export function toOutcomeDocuments(outcome: FileOutcome): object[] {
  if (outcome.kind === 'batch') {
    return outcome.files.map(({ name, testCount }) => ({ name, stored: true, test_count: testCount }))
  }
  const { name } = outcome
  if (outcome.kind === 'skipped') return [{ name, stored: false, skipped: true, reasons: [outcome.reason] }]
  if (outcome.kind === 'not-stored') return [{ name, stored: false, reasons: outcome.reasons }]
  const { uploaded_count, failed_count, stats, tests } = outcome.receipt
  const counts = { uploaded_count, failed_count, stats, ...(tests === undefined ? {} : { tests }) }
  return [{ name, stored: true, ...counts, errors: getErrors(outcome.receipt) }]
}

/** Returns the errors of files that were stored together, of which the server does not say to which file they belong. */
export const getBatchErrors = (outcomes: readonly FileOutcome[]) =>
  outcomes.flatMap((outcome) => (outcome.kind === 'batch' ? getErrors(outcome.receipt) : []))

export const getReceipts = (outcomes: readonly FileOutcome[]): Receipt[] =>
  outcomes.flatMap((outcome) => (outcome.kind === 'uploaded' || outcome.kind === 'batch' ? [outcome.receipt] : []))

export const countFiles = (outcomes: readonly FileOutcome[]): number =>
  outcomes.reduce((sum, outcome) => sum + (outcome.kind === 'batch' ? outcome.files.length : 1), 0)

/** Returns the names of the files of an outcome, for a line of the file of errors. */
export const getOutcomeName = (outcome: FileOutcome): string =>
  outcome.kind === 'batch' ? pluralize(outcome.files.length, 'file') : getDisplayName(outcome.name)
