import { toSingleLine } from '@caseward/ci-run/plain-text'
import { formatDuration } from '@caseward/matching/format-amounts'
import type { TestVerdict } from '@caseward/client/endpoints'

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
/** Items of a section. */
const MAX_ITEMS = 20
/** Items of a section, and of all, that are not folded if they block. */
const MAX_OPEN_ITEMS = 5
const OPEN_ITEMS = 15
/** Sections of causes. */
const MAX_CAUSES = 10
const MAX_NAME_LENGTH = 300
const MAX_LINE_LENGTH = 200
/** Parts of the line below a name: a test may have many test cases. */
const MAX_TEXTS = 5

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
    ...(elapsedMs === null || elapsedMs < 1000 ? [] : [formatDuration(elapsedMs / 1000)]),
  ].join(', ')
  const counts = formatVerdictCounts([...judgement.blocking, ...judgement.others])
  return counts === '' ? extent : `${counts} · ${extent}`
}

/**
 * Renders the Markdown summary of a judged run: at most 20 items a section, cut at a line. What blocks has some items open, and the
 * others folded.
 */
export function renderSummary(input: SummaryInput, maxBytes = MAX_SUMMARY_BYTES): string {
  const { evidence, judgement, url } = input
  const { evaluation, suiteErrors, suiteErrorCount } = evidence
  const base = formatBase(evaluation)
  const branch = evaluation.base?.branch ?? null
  const causes = groupByCause(judgement.blocking)
  const isAlone = ({ signature }: TestVerdict) => signature === null || !causes.has(signature)
  const end = [
    '',
    `[Open in Caseward](${encodeURI(url)})${base === null ? '' : ` · against ${escapeMarkdown(base, MAX_NAME_LENGTH)}`}`,
    '',
  ]
  const blocking = [
    ...listErrors(suiteErrors, suiteErrorCount),
    ...listVerdicts(judgement.blocking.filter(isAlone), branch),
    ...listCauses(causes),
  ]
  let left = OPEN_ITEMS
  const lines = [
    `### ${formatHeadline(input)}`,
    '',
    formatFigures(input),
    ...renderNotes(input),
    ...blocking.flatMap((section) => {
      const open = Math.min(left, MAX_OPEN_ITEMS, section.items.length)
      left -= open
      return renderSection(section, open)
    }),
    ...(causes.size > MAX_CAUSES ? ['', `… and ${plural(causes.size - MAX_CAUSES, 'more cause')}`] : []),
  ]
  const details = listVerdicts(judgement.others, branch).flatMap((section) => renderSection(section))
  if (details.length === 0) return [...cutLines(lines, maxBytes, end), ...end].join('\n')
  const open = ['', `<details><summary>Does not block (${formatCount(judgement.others.length)})</summary>`]
  return [
    ...cutLines(lines, maxBytes / 2, end),
    ...open,
    ...cutLines(details, maxBytes / 2, [...open, ...CLOSE, ...end]),
    ...CLOSE,
    ...end,
  ].join('\n')
}

/** Renders a note at the end of a summary. */
export const renderNote = (note: string): string => `- ${escapeMarkdown(note, 1000)}`

/** Renders the summary of a run that was not judged. */
export const renderUnjudged = (message: string): string =>
  ['### ⚠ Caseward did not judge this build', '', escapeMarkdown(message, 1000), ''].join('\n')

function renderNotes({ evidence, judgement }: SummaryInput): string[] {
  const reasons = judgement.reasons.filter(({ code }) => code !== 'verdicts' && code !== 'suite_errors')
  const isHeadline = reasons.length === judgement.reasons.length
  const notes = [
    ...reasons.slice(isHeadline ? 1 : 0).map(({ detail }) => `✗ ${detail}`),
    ...(judgement.blocking.some(({ verdict }) => verdict === 'environment')
      ? ['Most failures have one cause: run the build again.']
      : []),
    ...evidence.evaluation.warnings.map(({ detail }) => escapeMarkdown(detail, 1000)),
  ]
  return notes.length === 0 ? [] : ['', ...notes.map((note) => `- ${note}`)]
}

/** A title and a list below it, in Markdown: on a phone, a table would be cut off. */
interface Section {
  readonly title: string
  readonly items: readonly string[]
  /** How many there are, with those that are no item. */
  readonly count: number
}

function listErrors(errors: Evidence['suiteErrors'], count: number): Section[] {
  if (count === 0) return []
  const items = errors.slice(0, MAX_ITEMS).map(({ where, message }) => formatItem('✗', where, [getFirstLine(message)]))
  return [{ title: `Errors outside of tests (${formatCount(count)})`, items, count }]
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

const listCauses = (causes: ReadonlyMap<string, readonly TestVerdict[]>): Section[] =>
  [...causes.values()].slice(0, MAX_CAUSES).map((tests) => {
    const cause = tests[0]?.message_line ?? ''
    const toWord = ({ verdict }: TestVerdict) =>
      verdict === 'environment' ? null : VERDICT_TITLES[verdict].toLowerCase()
    const words = new Set(tests.map(toWord))
    const [word] = words.size === 1 ? words : []
    return {
      title: `One cause, ${plural(tests.length, 'test')}${word ? `, all ${word}` : ''}${cause === '' ? '' : `: ${escapeMarkdown(cause, MAX_LINE_LENGTH)}`}`,
      items: tests
        .slice(0, MAX_ITEMS)
        .map((test) =>
          formatTestItem(test, [test.message_line === cause ? null : test.message_line, word ? null : toWord(test)]),
        ),
      count: tests.length,
    }
  })

/** @param base the branch of the base run */
function listVerdicts(verdicts: readonly TestVerdict[], base: string | null): Section[] {
  const groups = groupByVerdict(verdicts)
  return VERDICT_ORDER.flatMap((verdict) => {
    const group = groups.get(verdict) ?? []
    if (group.length === 0) return []
    const where = verdict === 'already_red' && base !== null ? ` on ${escapeMarkdown(base, MAX_LINE_LENGTH)}` : ''
    const title = `${VERDICT_TITLES[verdict]}${where} (${formatCount(group.length)})`
    const items = group.slice(0, MAX_ITEMS).map((test) => formatTestItem(test, [test.message_line]))
    return [{ title, items, count: group.length }]
  })
}

function formatTestItem(test: TestVerdict, texts: readonly (string | null)[]): string {
  const name = formatTestName(test)
  const words = name.split(/[^\w-]+/)
  const ids = test.test_case_ids.filter((id) => !words.includes(id))
  return formatItem(test.outcome === 'passed' ? '✓' : '✗', name, [...texts, ...ids, formatSince(test)])
}

/** @param sign goes first, so that no name begins another list */
const formatItem = (sign: string, name: string, texts: readonly (string | null)[]): string =>
  `- ${sign}&nbsp;${[
    escapeMarkdown(name, MAX_NAME_LENGTH),
    texts
      .flatMap((text) => (text ? [escapeMarkdown(text, MAX_LINE_LENGTH)] : []))
      .slice(0, MAX_TEXTS)
      .join(' · '),
  ]
    .filter(Boolean)
    .join('<br>')}`

const CLOSE = ['', '</details>']

/** @param open number of items that are not folded */
function renderSection({ title, items, count }: Section, open = items.length): string[] {
  const shown = open === 0 ? [] : ['', `**${title}**`, '', ...items.slice(0, open)]
  const more = count > items.length ? ['', `… and ${formatCount(count - items.length)} more`] : []
  if (open === items.length) return [...shown, ...more]
  const summary = open === 0 ? title : `${formatCount(count - open)} more`
  return [...shown, '', `<details><summary>${summary}</summary>`, '', ...items.slice(open), ...more, ...CLOSE]
}

const CUT = ['', '… The rest is in Caseward.']

/** @param reserved lines that have to fit as well */
function cutLines(lines: readonly string[], maxBytes: number, reserved: readonly string[]): readonly string[] {
  const measure = (line: string) => Buffer.byteLength(line) + 1
  let left = maxBytes - [...reserved, ...CLOSE, ...CUT].reduce((sum, line) => sum + measure(line), 0)
  const end = lines.findIndex((line) => (left -= measure(line)) < 0)
  if (end < 0) return lines
  const kept = lines.slice(0, end)
  const isOpen = kept.findLastIndex((line) => line.startsWith('<details>')) > kept.lastIndexOf('</details>')
  return [...kept, ...(isOpen ? CLOSE : []), ...CUT]
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
