import { RESULT_STATUSES, type PartialReceipt, type UploadReceipt } from '@caseward/client/endpoints'

import type { ExitCode } from '../../context.ts'
import { pluralize, toTerminalText } from '../../terminal.ts'

export type Receipt = UploadReceipt | PartialReceipt

/** What came of one file. */
export type FileOutcome =
  | { readonly kind: 'answered'; readonly name: string; readonly receipt: Receipt }
  | { readonly kind: 'not-stored'; readonly name: string; readonly reasons: readonly string[] }

/** Lines on one file: what was stored by status, then each item that was not, with its reason. */
export function describeOutcome(outcome: FileOutcome, dryRun: boolean): string[] {
  const name = displayName(outcome.name)
  if (outcome.kind === 'not-stored') {
    return [
      `${name}: ${dryRun ? 'would not be stored' : 'not stored'}`,
      ...outcome.reasons.map((line) => `  - ${line}`),
    ]
  }
  const { uploaded_count, failed_count, stats } = outcome.receipt
  if (uploaded_count === 0 && failed_count === 0) return [`${name}: no results in it, nothing to store`]
  const parts: string[] = []
  if (uploaded_count > 0) parts.push(`${uploaded_count} ${dryRun ? 'would be stored' : 'stored'} (${byStatus(stats)})`)
  if (failed_count > 0) parts.push(`${failed_count} ${dryRun ? 'would not be stored' : 'not stored'}`)
  return [`${name}: ${parts.join(', ')}`, ...formatErrors(outcome.receipt)]
}

/** The sum over several files, in a line. */
export function formatTotals(outcomes: readonly FileOutcome[], unsent: number, dryRun: boolean): string {
  const receipts = outcomes.flatMap((outcome) => (outcome.kind === 'answered' ? [outcome.receipt] : []))
  const uploaded = sum(receipts.map(({ uploaded_count }) => uploaded_count))
  const failed = sum(receipts.map(({ failed_count }) => failed_count))
  const badFiles = outcomes.length - receipts.length + unsent
  const missed = [
    ...(failed > 0 ? [pluralize(failed, 'result')] : []),
    ...(badFiles > 0 ? [pluralize(badFiles, 'file')] : []),
  ]
  const rest = missed.length === 0 ? '' : `; not stored: ${missed.join(', ')}`
  const start = dryRun ? 'Would store' : 'Stored'
  if (uploaded > 0) {
    return `${start} ${pluralize(uploaded, 'result')} of ${pluralize(receipts.length, 'file')} (${byStatus(sumStats(receipts))})${rest}.`
  }
  return `${start} nothing${rest === '' ? ', as no file has results' : rest}.`
}

/** 0: everything was stored. 2: something was, something not. 1: nothing was. */
export function exitCode(outcomes: readonly FileOutcome[], unsent: number): ExitCode {
  const stored = outcomes.some((outcome) => outcome.kind === 'answered' && outcome.receipt.uploaded_count > 0)
  const complete =
    unsent === 0 && outcomes.every((outcome) => outcome.kind === 'answered' && outcome.receipt.failed_count === 0)
  if (complete) return 0
  return stored ? 2 : 1
}

/** `-` as what it stands for. */
export function displayName(name: string): string {
  return name === '-' ? 'standard input' : toTerminalText(name)
}

function formatErrors(receipt: Receipt): string[] {
  if (!('errors' in receipt)) return []
  return receipt.errors.map(({ test_case_id, error }) => {
    const [id, reason] = [toTerminalText(test_case_id), toTerminalText(error)]
    return reason.includes(id) ? `  - ${reason}` : `  - ${id}: ${reason}`
  })
}

export function byStatus(stats: Receipt['stats']): string {
  return RESULT_STATUSES.filter((status) => stats[status] > 0)
    .map((status) => `${stats[status]} ${status.replace('_', ' ')}`)
    .join(', ')
}

export function sumStats(receipts: readonly Receipt[]): Receipt['stats'] {
  const total = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
  for (const { stats } of receipts) for (const status of RESULT_STATUSES) total[status] += stats[status]
  return total
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
