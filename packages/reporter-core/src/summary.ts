import { toSingleLine } from '@caseward/ci-run/plain-text'
import { type Receipt, sumReceipts, sumTests } from '@caseward/ci-run/receipts'
import { formatCreateCasesCommand, formatStatusCounts, getUnmatchedTestsUrl, pluralize } from '@caseward/ci-run/wording'
import type { PartialReceipt, TestCounts } from '@caseward/client/endpoints'
import { MAX_CASE_IDS } from '@caseward/matching/case-ids'

import type { Delivery } from './deliver.ts'
import type { ReplaySummary, ReplayedSuite } from './replay.ts'
import type { SuiteRecord } from './suite-record.ts'
import { describeFiles, describeIgnoredFields, describeRefusedFiles, describeRefusedLinks } from './summary-files.ts'
import { formatGroup, MAX_EXAMPLE_LENGTH, MAX_EXAMPLES, quote, toSentence } from './summary-text.ts'

type Delivered = Extract<Delivery, { kind: 'delivered' }>
type Failed = Extract<Delivery, { kind: 'failed' }>
type ItemError = PartialReceipt['errors'][number]

/** Describes what was stored and what was not, and what to do about tests that match no test case. */
export function formatSummary(record: SuiteRecord, delivery: Delivered, url: string): string[] {
  const { run, receipts, isRunCompleted } = delivery
  const isReopened = receipts.some(({ reopened }) => reopened)
  const change = isRunCompleted ? ' (run completed)' : isReopened ? ' (run reopened)' : ''
  const name = `“${toSingleLine(run.name, MAX_EXAMPLE_LENGTH)}”${change}`
  const runUrl = toSingleLine(`${url}/runs/${run.id}`)
  const notStored = describeNotStored(delivery)
  return [
    `${describeStored(record, receipts)} in ${name}: ${runUrl}`,
    ...describeUnmatched(receipts, run.id, runUrl),
    ...(notStored.length === 0 ? [] : [`not stored: ${notStored.join('; ')}`]),
    ...describeErrors(record),
    ...describeRefusedFiles(delivery),
    ...describeRefusedLinks(delivery),
    ...describeIgnoredFields(delivery),
  ]
}

function describeStored(record: SuiteRecord, receipts: readonly Receipt[]): string {
  const { uploaded_count: storedCount, stats } = sumReceipts(receipts)
  const { total, flaky, created } = sumTests(receipts) ?? noTests
  const extras = [
    ...(created > 0 ? [`${pluralize(created, 'test case')} created`] : []),
    ...(flaky > 0 ? [`${flaky} flaky`] : []),
  ]
  const extra = extras.length === 0 ? '' : `, ${extras.join(', ')}`
  if (storedCount > 0) return `stored ${pluralize(storedCount, 'result')} (${formatStatusCounts(stats)})${extra}`
  if (total > 0) return `stored ${pluralize(total, 'test')}${extra} and no result`
  return `stored nothing${record.attempts.length === 0 ? ' (no test ran)' : ''}`
}

/** Says how many tests match no test case, where to see them, and the one command that creates test cases for them. */
function describeUnmatched(receipts: readonly Receipt[], runId: string, runUrl: string): string[] {
  const counts = formatUnmatched(receipts)
  if (counts === null) return []
  return [`${counts}: ${getUnmatchedTestsUrl(runUrl)} (to create test cases: npx ${formatCreateCasesCommand(runId)})`]
}

/** Counts the tests that match no test case; null if there are none. */
function formatUnmatched(receipts: readonly Receipt[]): string | null {
  const { unmatched, unmatched_failed: failed = 0 }: TestCounts = sumTests(receipts) ?? noTests
  if (unmatched === 0) return null
  const match = unmatched === 1 ? 'matches' : 'match'
  return `${pluralize(unmatched, 'test')} ${match} no test case${failed === 0 ? '' : `, and ${failed} of them failed`}`
}

/** The counts of a server that does not count tests. */
const noTests = { total: 0, matched: 0, unmatched: 0, flaky: 0, created: 0 }

/** Describes why results were not stored, or not all of them. */
export function describeFailure({ storedCount, reason }: Failed): string {
  const stored = storedCount === 0 ? 'nothing was stored' : `stored ${pluralize(storedCount, 'result')}, then failed`
  return `${stored}: ${toSentence(reason)}`
}

/** Describes errors outside of tests in one line. */
export function describeErrors({ errors }: Pick<SuiteRecord, 'errors'>): string[] {
  if (errors.length === 0) return []
  const examples = errors
    .slice(0, MAX_EXAMPLES)
    .map(({ location, message }) => `${toSingleLine(location, MAX_EXAMPLE_LENGTH)}: ${getFirstLine(message)}`)
  const more = errors.length > MAX_EXAMPLES ? `; and ${errors.length - MAX_EXAMPLES} more` : ''
  return [
    `the suite is incomplete: ${pluralize(errors.length, 'error')} outside of tests (${examples.join('; ')}${more})`,
  ]
}

/** Describes the replay of earlier suites in a few lines, however many suites there were. */
export function describeReplay(summary: ReplaySummary): string[] {
  const { replayed, forOtherServer, withoutRun, unreadable, files } = summary
  const lines = replayed.slice(0, MAX_EXAMPLES).map(describeReplayedSuite)
  const others = replayed.slice(MAX_EXAMPLES)
  if (others.length > 0) {
    const failed = others.filter(({ delivery }) => delivery.kind === 'failed').length
    const failures = failed === 0 ? '' : `, ${failed} of which could not be stored`
    lines.push(`and ${others.length} more earlier suite${others.length === 1 ? '' : 's'}${failures}`)
  }
  if (forOtherServer > 0) {
    const remain = forOtherServer === 1 ? 'it remains' : 'they remain'
    lines.push(`skipped ${pluralize(forOtherServer, 'saved suite')} for another server; ${remain} in the spool.`)
  }
  if (withoutRun > 0) {
    const action = `set SERVICE_RUN_ID and run “caseward replay” to send ${withoutRun === 1 ? 'it' : 'them'}`
    lines.push(`skipped ${pluralize(withoutRun, 'saved suite')} without a run: ${action}.`)
  }
  if (unreadable > 0) {
    const verbs = unreadable === 1 ? 'is unreadable and was' : 'are unreadable and were'
    lines.push(`${pluralize(unreadable, 'spool file')} ${verbs} moved to .caseward/spool/refused.`)
  }
  return [...lines, ...describeFiles(files).map((line) => (/^\d/.test(line) ? `of earlier suites: ${line}` : line))]
}

function describeReplayedSuite({ startedAt, framework, errors, delivery }: ReplayedSuite): string {
  const suite = `the ${toSingleLine(framework, MAX_EXAMPLE_LENGTH)} suite of ${startedAt.toISOString()}`
  if (delivery.kind === 'failed') {
    const { storedCount, reason } = delivery
    return storedCount === 0
      ? `nothing was stored of ${suite}: ${toSentence(reason)}`
      : `stored ${pluralize(storedCount, 'result')} of ${suite}, then failed: ${toSentence(reason)}`
  }
  const notStored = describeNotStored(delivery)
  const { created } = sumTests(delivery.receipts) ?? noTests
  return [
    `stored ${pluralize(sumReceipts(delivery.receipts).uploaded_count, 'result')} of ${suite}`,
    ...(created === 0 ? [] : [`${pluralize(created, 'test case')} created`]),
    ...toList(formatUnmatched(delivery.receipts)),
    ...(notStored.length === 0 ? [] : [`not stored: ${notStored.join('; ')}`]),
    ...describeErrors({ errors }),
  ].join('; ')
}

/**
 * Counts results that were not stored. A result that is older than the stored one does not count, nor does an error outside
 * of tests, which is not a result.
 */
export const countNotStored = ({ receipts }: Delivered): number =>
  collectErrors(receipts).filter(({ code }) => code !== 'newer_result' && code !== 'suite_error').length

function describeNotStored({ receipts }: Delivered): string[] {
  const errors = collectErrors(receipts).filter(({ code }) => code !== 'suite_error')
  const withCode = (wanted: string) => errors.filter(({ code }) => code === wanted)
  const toIds = (items: readonly ItemError[]) =>
    items.map(({ test_case_id }) => toSingleLine(test_case_id, MAX_EXAMPLE_LENGTH))
  const groupedCodes = new Set<string | undefined>(['no_test_case_id', 'not_in_run', 'newer_result', 'too_many_ids'])
  const hasId = ({ test_case_id }: ItemError) => /^[A-Z]{2,5}-\d+$/.test(test_case_id)
  const notInRunErrors = withCode('not_in_run')
  const others = errors.filter(({ code }) => !groupedCodes.has(code)).map(({ error }) => toSingleLine(error))
  return [
    ...formatGroup(toIds(withCode('no_test_case_id')).map(quote), {
      one: 'test has no matching test case',
      many: 'tests have no matching test case',
    }),
    ...formatGroup(toIds(notInRunErrors.filter(hasId)), {
      one: 'test case is not in the run',
      many: 'test cases are not in the run',
    }),
    // Matched by its automation key: the server returns the title of the test.
    ...formatGroup(toIds(notInRunErrors.filter((error) => !hasId(error))).map(quote), {
      one: 'test matches a test case that is not in the run',
      many: 'tests match test cases that are not in the run',
    }),
    ...formatGroup(toIds(withCode('too_many_ids')).map(quote), {
      one: `test has more than ${MAX_CASE_IDS} test case ids, of which only the first ${MAX_CASE_IDS} were used`,
      many: `tests have more than ${MAX_CASE_IDS} test case ids, of which only the first ${MAX_CASE_IDS} were used`,
    }),
    ...formatGroup(toIds(withCode('newer_result')), { one: 'newer result was kept', many: 'newer results were kept' }),
    ...others.slice(0, MAX_EXAMPLES),
    ...(others.length > MAX_EXAMPLES ? [`and ${others.length - MAX_EXAMPLES} more`] : []),
  ]
}

const toList = (text: string | null): string[] => (text === null ? [] : [text])

const collectErrors = (receipts: readonly Receipt[]): ItemError[] =>
  receipts.flatMap((receipt) => ('errors' in receipt ? receipt.errors : []))

const getFirstLine = (text: string) => toSingleLine(text.trim().split(/[\r\n]/, 1)[0] ?? '')
