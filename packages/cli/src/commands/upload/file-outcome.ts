import { type Receipt, sumReceipts, sumTests } from '@caseward/ci-run/receipts'
import { formatStatusCounts, pluralize } from '@caseward/ci-run/wording'

import type { ExitCode } from '../../context.ts'
import { toTerminalText } from '../../text.ts'

/** The outcome of one file. */
export type FileOutcome =
  | { readonly kind: 'uploaded'; readonly name: string; readonly receipt: Receipt }
  | { readonly kind: 'not-stored'; readonly name: string; readonly reasons: readonly string[] }

/** Formats what was stored of a file by status in one line. */
export function formatOutcome(outcome: FileOutcome, dryRun: boolean): string {
  const name = getDisplayName(outcome.name)
  const [stored, notStored] = dryRun ? ['would be stored', 'would not be stored'] : ['stored', 'not stored']
  if (outcome.kind === 'not-stored') return `${name}: ${notStored}`
  const { uploaded_count: uploaded, failed_count: failed, stats, tests } = outcome.receipt
  if (uploaded === 0 && failed === 0) {
    return tests === undefined || tests.total === 0
      ? `${name}: no results found`
      : `${name}: ${pluralize(tests.total, 'unmatched test')} ${stored}`
  }
  const parts = [
    ...(uploaded > 0 ? [`${uploaded} ${stored} (${formatStatusCounts(stats)})`] : []),
    ...(failed > 0 ? [`${failed} ${notStored}`] : []),
  ]
  return `${name}: ${parts.join(', ')}`
}

/** Returns why the file was not stored, or the results that were not stored, each with its reason. */
export function formatErrors(outcome: FileOutcome): string[] {
  if (outcome.kind === 'not-stored') return [...outcome.reasons]
  if (!('errors' in outcome.receipt)) return []
  return outcome.receipt.errors.map(({ test_case_id, error }) => {
    const [id, reason] = [toTerminalText(test_case_id), toTerminalText(error)]
    return reason.includes(id) ? reason : `${id}: ${reason}`
  })
}

/** Formats the totals over several files in one line. */
export function formatTotals(outcomes: readonly FileOutcome[], filesNotSent: number, dryRun: boolean): string {
  const { uploaded_count: uploaded, failed_count: failed, stats } = sumReceipts(getReceipts(outcomes))
  const storedFiles = getReceipts(outcomes).length
  const failedFiles = outcomes.length - storedFiles + filesNotSent
  const missing = [
    ...(failed > 0 ? [pluralize(failed, 'result')] : []),
    ...(failedFiles > 0 ? [pluralize(failedFiles, 'file')] : []),
  ]
  const notStored = missing.length === 0 ? '' : `; not stored: ${missing.join(', ')}`
  const verb = dryRun ? 'Would store' : 'Stored'
  if (uploaded > 0) {
    return `${verb} ${pluralize(uploaded, 'result')} from ${pluralize(storedFiles, 'file')} (${formatStatusCounts(stats)})${notStored}.`
  }
  const testCount = sumTests(getReceipts(outcomes))?.total ?? 0
  if (testCount > 0) {
    return `${verb} ${pluralize(testCount, 'unmatched test')} from ${pluralize(storedFiles, 'file')}${notStored}.`
  }
  return `${verb} nothing${notStored === '' ? ': no file contains results' : notStored}.`
}

/** Returns 0 if everything was stored, 2 if part of it was stored, and 1 if nothing was stored. */
export function getExitCode(outcomes: readonly FileOutcome[], filesNotSent: number): ExitCode {
  const hasStored = outcomes.some((outcome) => outcome.kind === 'uploaded' && outcome.receipt.uploaded_count > 0)
  const isComplete =
    filesNotSent === 0 && outcomes.every((outcome) => outcome.kind === 'uploaded' && outcome.receipt.failed_count === 0)
  if (isComplete) return 0
  return hasStored ? 2 : 1
}

export function getDisplayName(name: string): string {
  return name === '-' ? 'standard input' : toTerminalText(name)
}

export function getColor(outcome: FileOutcome) {
  if (outcome.kind === 'not-stored') return 'red'
  return outcome.receipt.success ? 'green' : 'yellow'
}

/** Returns the outcome as `--json` prints it. */
export function toOutcomeDocument(outcome: FileOutcome) {
  const { name } = outcome
  if (outcome.kind === 'not-stored') return { name, stored: false, reasons: outcome.reasons }
  const { uploaded_count, failed_count, stats, tests } = outcome.receipt
  const errors = 'errors' in outcome.receipt ? outcome.receipt.errors : []
  return { name, stored: true, uploaded_count, failed_count, stats, ...(tests === undefined ? {} : { tests }), errors }
}

export const getReceipts = (outcomes: readonly FileOutcome[]): Receipt[] =>
  outcomes.flatMap((outcome) => (outcome.kind === 'uploaded' ? [outcome.receipt] : []))
