import type { PartialReceipt } from '@caseward/client/endpoints'

import type { Delivery } from './deliver.ts'
import { toSingleLine } from './format-note.ts'
import type { ReplaySummary, ReplayedSuite } from './replay.ts'
import type { SuiteRecord } from './suite-record.ts'
import type { Receipt } from './upload-in-parts.ts'

type Delivered = Extract<Delivery, { kind: 'delivered' }>
type Failed = Extract<Delivery, { kind: 'failed' }>
type ItemError = PartialReceipt['errors'][number]

/** How many examples of a kind are named, and how long each may be. */
const EXAMPLES = 3
const LONGEST = 100

/** What was stored, and where to see it; then what was not, and why. */
export function formatSummary(record: SuiteRecord, delivery: Delivered, url: string): string[] {
  const { run, receipts, isRunCompleted: completed } = delivery
  const uploaded = countStored(receipts)
  const place = `“${toSingleLine(run.name, LONGEST)}”${completed ? ', which is complete' : ''}: ${toSingleLine(`${url}/runs/${run.id}`)}`
  const stored =
    uploaded > 0
      ? `stored ${count(uploaded, 'result')} (${byStatus(receipts)}) in ${place}`
      : `stored nothing${record.attempts.length === 0 ? ', as no test ran,' : ''} in ${place}`
  const missed = describeNotStored(delivery)
  return [stored, ...(missed.length === 0 ? [] : [`not stored: ${missed.join('; ')}`]), ...describeErrors(record)]
}

/** That nothing or not everything was stored, and why. */
export function describeFailure({ storedCount: stored, reason }: Failed): string {
  const said = stored === 0 ? 'nothing was stored' : `stored ${count(stored, 'result')}, but not all is done`
  return `${said}: ${sentence(reason)}`
}

/** A line on what went wrong outside of the tests: such a suite is never told as if all were well. */
export function describeErrors({ errors }: Pick<SuiteRecord, 'errors'>): string[] {
  if (errors.length === 0) return []
  const lines = errors
    .slice(0, EXAMPLES)
    .map(({ location: where, message }) => `${toSingleLine(where, LONGEST)}: ${firstLine(message)}`)
  const rest = errors.length > EXAMPLES ? `; and ${errors.length - EXAMPLES} more` : ''
  return [`the suite is not complete: ${count(errors.length, 'error')} outside of tests (${lines.join('; ')}${rest})`]
}

/** What came of the journals of earlier suites. However many there were, it is a few lines. */
export function describeReplay({
  replayed,
  forOtherServer: elsewhere,
  withoutRun: homeless,
  unreadable: garbled,
}: ReplaySummary): string[] {
  const lines = replayed.slice(0, EXAMPLES).map(describeReplayed)
  const rest = replayed.slice(EXAMPLES)
  const failed = rest.filter(({ delivery }) => delivery.kind === 'failed').length
  const stay = (number: number, what: string) =>
    `${count(number, 'suite')} ${what} ${number === 1 ? 'stays' : 'stay'} in the spool`
  return [
    ...lines,
    ...(rest.length === 0
      ? []
      : [
          `and ${count(rest.length, 'earlier suite')} more${failed === 0 ? '' : `, of which ${failed} could not be stored`}`,
        ]),
    ...(elsewhere === 0 ? [] : [`${stay(elsewhere, 'kept for another server')}.`]),
    ...(homeless === 0 ? [] : [`${stay(homeless, 'kept without a run')}: “caseward replay” takes SERVICE_RUN_ID.`]),
    ...(garbled === 0
      ? []
      : [
          `${count(garbled, 'file')} of the spool cannot be read and now ${garbled === 1 ? 'lies' : 'lie'} in .caseward/spool/refused.`,
        ]),
  ]
}

function describeReplayed({ startedAt, framework, errors, delivery }: ReplayedSuite): string {
  const what = `the results of ${toSingleLine(framework, LONGEST)} kept since ${startedAt.toISOString()}`
  if (delivery.kind === 'failed') {
    return delivery.storedCount === 0
      ? `${what} were not stored: ${sentence(delivery.reason)}`
      : `${what} are stored: ${delivery.storedCount}, but not all is done: ${sentence(delivery.reason)}`
  }
  const missed = describeNotStored(delivery)
  const stored = `${what} are stored: ${countStored(delivery.receipts)}`
  const notStored = missed.length === 0 ? [] : [`not stored: ${missed.join('; ')}`]
  return [stored, ...notStored, ...describeErrors({ errors })].join('; ')
}

/** How many results were not stored that ought to be: what is newer on the server is no loss. */
export function countNotStored({ receipts, results }: Delivered): number {
  const errors = collectErrors(receipts).filter(({ code }) => code !== 'newer_result')
  return errors.length + results.unknownIds.size
}

function describeNotStored({ receipts, results }: Delivered): string[] {
  const errors = collectErrors(receipts)
  const of = (...codes: string[]) => errors.filter(({ code }) => codes.includes(code))
  const names = (found: readonly ItemError[]) => found.map(({ test_case_id }) => toSingleLine(test_case_id, LONGEST))
  const known = new Set<string | undefined>(['no_test_case_id', 'not_in_run', 'newer_result'])
  const isId = ({ test_case_id }: ItemError) => /^[A-Z]{2,5}-\d+$/.test(test_case_id)
  const notInRunErrors = of('not_in_run')
  const testsWithoutId = [...of('no_test_case_id'), ...notInRunErrors.filter((error) => !isId(error))]
  const notInRun = notInRunErrors.filter(isId)
  const unknown = [...results.unknownIds].map(
    ([id, title]) => `${toSingleLine(id, LONGEST)} of “${toSingleLine(title, LONGEST)}”`,
  )
  const others = errors.filter(({ code }) => !known.has(code)).map(({ error }) => toSingleLine(error))
  return [
    ...group(
      testsWithoutId.length,
      'test names no test case',
      'tests name no test case',
      quoted(names(testsWithoutId)),
    ),
    ...group(notInRun.length, 'is not in the run', 'are not in the run', names(notInRun)),
    ...group(unknown.length, 'is no id of this project', 'are no ids of this project', unknown),
    ...group(of('newer_result').length, 'newer result was kept', 'newer results were kept', names(of('newer_result'))),
    ...others.slice(0, EXAMPLES),
    ...(others.length > EXAMPLES ? [`and ${others.length - EXAMPLES} more`] : []),
  ]
}

/** Such as `2 tests name no test case (“a”, “b”)`. */
function group(number: number, one: string, many: string, examples: readonly string[]): string[] {
  if (number === 0) return []
  const rest = number > EXAMPLES ? ', …' : ''
  return [`${number} ${number === 1 ? one : many} (${examples.slice(0, EXAMPLES).join(', ')}${rest})`]
}

const quoted = (names: readonly string[]) => names.map((name) => `“${name}”`)

const collectErrors = (receipts: readonly Receipt[]): ItemError[] =>
  receipts.flatMap((receipt) => ('errors' in receipt ? receipt.errors : []))

const countStored = (receipts: readonly Receipt[]) => sum(receipts.map(({ uploaded_count }) => uploaded_count))

const statuses = ['passed', 'failed', 'blocked', 'retest', 'not_tested'] as const

function byStatus(receipts: readonly Receipt[]): string {
  return statuses
    .map((status) => [sum(receipts.map(({ stats }) => stats[status])), status.replace('_', ' ')] as const)
    .filter(([number]) => number > 0)
    .map(([number, status]) => `${number} ${status}`)
    .join(', ')
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** Words from elsewhere, as a sentence of ours. */
function sentence(text: string): string {
  const line = toSingleLine(text, 500)
  return /[.!?…]$/.test(line) ? line : `${line}.`
}

const firstLine = (text: string) => toSingleLine(text.trim().split(/[\r\n]/, 1)[0] ?? '')
