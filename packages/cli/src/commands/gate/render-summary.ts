import { toSingleLine } from '@caseward/ci-run/plain-text'
import { formatDuration } from '@caseward/matching/format-amounts'
import type { Evaluation, TestVerdict } from '@caseward/client/endpoints'

import {
  formatBase,
  formatCount,
  formatSince,
  formatVerdictCounts,
  groupByVerdict,
  VERDICT_ORDER,
  VERDICT_TITLES,
} from '../../verdicts/format-verdicts.ts'
import { formatTestName } from '../tests/format-test.ts'
import { escapeMarkdown } from './escape-markdown.ts'
import type { Evidence, Judgement } from './judge.ts'

/** GitHub takes 1 MiB of all steps of a job. */
export const MAX_SUMMARY_BYTES = 200_000
/** Rows of a section. */
const MAX_ROWS = 20
/** Sections of causes. */
const MAX_CAUSES = 10
const MAX_NAME_LENGTH = 300
const MAX_LINE_LENGTH = 200

/** What the summary shows. */
export interface SummaryInput {
  readonly evidence: Evidence
  readonly judgement: Judgement
  /** Address of the run. */
  readonly url: string
}

const plural = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

/** The outcome in a few words: `3 failures block this build`. */
function formatHeadline({ evidence, judgement }: SummaryInput): string {
  const { reasons, blocking } = judgement
  const failures = blocking.length + evidence.suiteErrorCount
  if (failures > 0) return `✗ ${plural(failures, 'failure')} ${failures === 1 ? 'blocks' : 'block'} this build`
  if (reasons.length > 0) return `✗ This build is blocked: ${reasons[0]?.detail ?? ''}`
  const { tests } = evidence.evaluation
  const isGreen = tests.failed === 0 && judgement.others.every(({ verdict }) => verdict === 'fixed')
  if (!isGreen) return '✓ Nothing blocks this build'
  return evidence.executed === 1 ? '✓ The test passed' : `✓ All ${plural(evidence.executed, 'test')} passed`
}

/** How much was tested: `1 new · 2 fixed · 1,204 tests, 3 of 4 shards, 4 min`. */
function formatFigures({ evidence, judgement }: SummaryInput): string {
  const { executed, shards, elapsedMs } = evidence
  const extent = [
    plural(executed, 'test'),
    ...(shards === null ? [] : [`${formatCount(shards.done)} of ${plural(shards.expected, 'shard')}`]),
    ...(elapsedMs === null ? [] : [formatDuration(elapsedMs / 1000)]),
  ].join(', ')
  const counts = formatVerdictCounts([...judgement.blocking, ...judgement.others])
  return counts === '' ? extent : `${counts} · ${extent}`
}

/** Renders the Markdown summary of a judged run: at most 20 rows a section, cut at a line. */
export function renderSummary(input: SummaryInput, maxBytes = MAX_SUMMARY_BYTES): string {
  const { evidence, judgement, url } = input
  const { evaluation, suiteErrors, suiteErrorCount } = evidence
  const base = formatBase(evaluation)
  const causes = groupByCause(judgement.blocking)
  const isAlone = ({ signature }: TestVerdict) => signature === null || !causes.has(signature)
  const end = [
    '',
    `[Open in Caseward](${encodeURI(url)})${base === null ? '' : ` · against ${escapeMarkdown(base, MAX_NAME_LENGTH)}`}`,
    '',
  ]
  const lines = [
    `### ${formatHeadline(input)}`,
    '',
    formatFigures(input),
    ...renderNotes(evaluation, judgement),
    ...renderErrors(suiteErrors, suiteErrorCount),
    ...renderSections(judgement.blocking.filter(isAlone), evaluation.base?.branch ?? null),
    ...renderCauses(causes),
  ]
  const details = renderSections(judgement.others, evaluation.base?.branch ?? null)
  const kept = cutLines(lines, maxBytes / 2, end)
  if (details.length === 0) return [...kept, ...end].join('\n')
  const open = ['', `<details><summary>Does not block (${formatCount(judgement.others.length)})</summary>`]
  const close = ['', '</details>']
  return [...kept, ...open, ...cutLines(details, maxBytes / 2, [...open, ...close, ...end]), ...close, ...end].join(
    '\n',
  )
}

/** Renders a note at the end of a summary. */
export const renderNote = (note: string): string => `- ${escapeMarkdown(note, 1000)}`

/** Renders the summary of a run that was not judged. */
export const renderUnjudged = (message: string): string =>
  ['### ⚠ Caseward did not judge this build', '', escapeMarkdown(message, 1000), ''].join('\n')

function renderNotes({ warnings }: Evaluation, { reasons }: Judgement): string[] {
  const notes = [
    ...reasons.filter(({ code }) => code !== 'verdicts' && code !== 'suite_errors').map(({ detail }) => `✗ ${detail}`),
    ...warnings.map(({ detail }) => escapeMarkdown(detail, 1000)),
  ]
  return notes.length === 0 ? [] : ['', ...notes.map((note) => `- ${note}`)]
}

function renderErrors(errors: Evidence['suiteErrors'], count: number): string[] {
  if (count === 0) return []
  const rows = errors.slice(0, MAX_ROWS).map(({ where, message }) => [where, getFirstLine(message)])
  return renderTable(`Errors outside of tests (${formatCount(count)})`, ['Where', 'First line'], rows, count)
}

const getFirstLine = (message: string): string => message.trim().split('\n', 1)[0] ?? ''

/** Finds the failures that several tests have, the one of most tests first. */
function groupByCause(verdicts: readonly TestVerdict[]): ReadonlyMap<string, readonly TestVerdict[]> {
  const groups = new Map<string, TestVerdict[]>()
  for (const test of verdicts) {
    if (test.signature === null) continue
    const group = groups.get(test.signature) ?? []
    group.push(test)
    groups.set(test.signature, group)
  }
  const shared = [...groups].filter(([, tests]) => tests.length > 1)
  return new Map(shared.toSorted(([, one], [, other]) => other.length - one.length))
}

function renderCauses(causes: ReadonlyMap<string, readonly TestVerdict[]>): string[] {
  const sections = [...causes.values()].slice(0, MAX_CAUSES).flatMap((tests) => {
    const cause = tests[0]?.message_line ?? ''
    const rows = tests
      .slice(0, MAX_ROWS)
      .map((test) => [
        formatTestName(test),
        test.test_case_ids.join(', '),
        VERDICT_TITLES[test.verdict],
        test.message_line === cause ? '' : (test.message_line ?? ''),
        formatSince(test),
      ])
    const title = `One cause, ${plural(tests.length, 'test')}${cause === '' ? '' : `: ${escapeMarkdown(cause, MAX_LINE_LENGTH)}`}`
    return renderTable(title, ['Test', 'Test case', 'Verdict', 'First line', 'Since'], rows, tests.length)
  })
  const left = causes.size - MAX_CAUSES
  return left > 0 ? [...sections, '', `… and ${plural(left, 'more cause')}`] : sections
}

/** @param base the branch of the base run */
function renderSections(verdicts: readonly TestVerdict[], base: string | null): string[] {
  const groups = groupByVerdict(verdicts)
  return VERDICT_ORDER.flatMap((verdict) => {
    const group = groups.get(verdict) ?? []
    if (group.length === 0) return []
    const rows = group
      .slice(0, MAX_ROWS)
      .map((test) => [formatTestName(test), test.test_case_ids.join(', '), test.message_line ?? '', formatSince(test)])
    const where = verdict === 'already_red' && base !== null ? ` on ${escapeMarkdown(base, MAX_LINE_LENGTH)}` : ''
    const title = `${VERDICT_TITLES[verdict]}${where} (${formatCount(group.length)})`
    return renderTable(title, ['Test', 'Test case', 'First line', 'Since'], rows, group.length)
  })
}

/**
 * Leaves out columns that say nothing about any row.
 * @param rows texts that are not escaped yet
 */
function renderTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  count: number,
): string[] {
  const kept = head.flatMap((_, index) => (rows.some((cells) => cells[index] !== '') ? [index] : []))
  const format = (cells: readonly string[]) => `| ${kept.map((index) => cells[index] ?? '').join(' | ')} |`
  return [
    '',
    `**${title}**`,
    '',
    format(head),
    format(head.map(() => '---')),
    ...rows.map((cells) =>
      format(cells.map((cell, index) => escapeMarkdown(cell, index === 0 ? MAX_NAME_LENGTH : MAX_LINE_LENGTH))),
    ),
    ...(count > rows.length ? ['', `… and ${formatCount(count - rows.length)} more`] : []),
  ]
}

const CUT = ['', '… The rest is in Caseward.']

/** @param reserved lines that have to fit as well */
function cutLines(lines: readonly string[], maxBytes: number, reserved: readonly string[]): readonly string[] {
  const measure = (line: string) => Buffer.byteLength(line) + 1
  let left = maxBytes - [...reserved, ...CUT].reduce((sum, line) => sum + measure(line), 0)
  const end = lines.findIndex((line) => (left -= measure(line)) < 0)
  return end < 0 ? lines : [...lines.slice(0, end), ...CUT]
}

/** Renders the outcome for a terminal: the first ten of what blocks. */
export function renderTerminal(input: SummaryInput): string[] {
  const { evidence, judgement, url } = input
  const { blocking, reasons } = judgement
  const base = formatBase(evidence.evaluation)
  return [
    formatHeadline(input),
    formatFigures(input),
    ...evidence.suiteErrors
      .slice(0, MAX_NAMES)
      .map(({ where, message }) => `  error outside of tests: ${toSingleLine(`${where}: ${getFirstLine(message)}`)}`),
    ...blocking
      .toSorted((one, other) => VERDICT_ORDER.indexOf(one.verdict) - VERDICT_ORDER.indexOf(other.verdict))
      .slice(0, MAX_NAMES)
      .map((test) => `  ${VERDICT_TITLES[test.verdict].toLowerCase()}: ${toSingleLine(formatTestName(test))}`),
    ...(blocking.length > MAX_NAMES ? [`  and ${formatCount(blocking.length - MAX_NAMES)} more`] : []),
    ...reasons.filter(({ code }) => code !== 'verdicts' && code !== 'suite_errors').map(({ detail }) => `  ${detail}`),
    ...(base === null ? [] : [`compared with ${toSingleLine(base)}`]),
    url,
  ]
}

const MAX_NAMES = 10
