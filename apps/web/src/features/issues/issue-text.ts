import { blankSecrets } from '@caseward/failures/blank-secrets'
import type { FailureGroupDetail } from '@caseward/client/endpoints'

import { formatNumberOf } from '../../ui/format-count.ts'
import { formatTest } from '../tests/split-path.ts'

const MAX_TITLE = 200
/** Of what failed. */
const MAX_TESTS = 10
const MAX_LINES = 40
const MAX_MESSAGE = 2400
/** Trackers and servers before them refuse longer addresses. */
const MAX_ADDRESS = 6000
/** The label that says where an issue comes from. */
const LABEL = 'caseward'
/** So many digits of the signature tell one cause from another in the search of a tracker. */
const MARK_DIGITS = 16

/** The run in which it failed. */
export interface FailedRun {
  readonly name: string
  readonly metadata: Readonly<Record<string, string>>
}

export interface IssueFacts {
  readonly group: FailureGroupDetail
  /** The test that the issue is about; null for all tests of the cause. */
  readonly test: string | null
  /** Null on pages that are not about a run. */
  readonly run: FailedRun | null
  /** The address of the failure in this app. */
  readonly url: string
  readonly reporter: string
}

/** The title of an issue: that of the cause, or of the test if the failure has no text. */
export const buildIssueTitle = ({ group: { title }, test }: Pick<IssueFacts, 'group' | 'test'>): string =>
  cut(title === '' ? `${test ?? 'A test'} fails` : title, MAX_TITLE)

/** What an issue says, as Markdown: what failed and how, where and since when, and who reported it. */
export function buildIssueBody({ group, test, run, url, reporter }: IssueFacts): string {
  const named = group.tests.slice(0, MAX_TESTS)
  const failed =
    test === null
      ? [
          `${formatNumberOf(group.test_count, 'test')} failed:`,
          ...named.map((item) => `- ${toInline(formatTest(item))}`),
          ...(group.test_count > named.length
            ? [`- and ${formatNumberOf(group.test_count - named.length, 'other')}`]
            : []),
        ].join('\n')
      : `${toInline(test)} failed.`
  const text = group.sample === null ? '' : cutMessage(blankSecrets(joinMessage(group.sample)))
  const { branch, commit } = run?.metadata ?? {}
  const origin = [
    ...(run === null ? [] : [`Run: ${run.name}`]),
    ...(branch === undefined ? [] : [`branch ${branch}`]),
    ...(commit === undefined ? [] : [`commit ${commit.slice(0, 12)}`]),
  ].join(', ')
  const seen = `Seen in ${formatNumberOf(group.run_count, 'run')} since ${formatDay(group.first_seen)}.`
  return [
    failed,
    ...(text === '' ? [] : [toBlock(text)]),
    [...(origin === '' ? [] : [origin]), seen, url].join('\n'),
    [`Reported by ${reporter} in Caseward`, `${LABEL}:${group.signature.slice(0, MARK_DIGITS)}`].join('\n'),
  ].join('\n\n')
}

/** What fills the places of a template. */
export interface IssueTexts {
  readonly title: string
  readonly body: string
  readonly url: string
}

/** Fills the places of the address of a tracker. The body is cut so that the address stays short enough. */
export function fillIssueTemplate(template: string, { title, body, url }: IssueTexts): string {
  const fill = (text: string) => {
    const values: Readonly<Record<string, string>> = { title, body: text, url, labels: LABEL }
    return template.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
      values[name] === undefined ? place : encodeURIComponent(values[name].toWellFormed()),
    )
  }
  const whole = fill(body)
  if (whole.length <= MAX_ADDRESS) return whole
  // Every character is encoded as one or more.
  let [low, high] = [0, Math.min(body.length, MAX_ADDRESS)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fill(cut(body, middle)).length <= MAX_ADDRESS) low = middle
    else high = middle - 1
  }
  return fill(low === 0 ? '' : cut(body, low))
}

const joinMessage = ({ message, details }: NonNullable<FailureGroupDetail['sample']>): string =>
  details.includes(message) ? details : [message, details].filter((part) => part.trim() !== '').join('\n\n')

const cutMessage = (text: string): string => {
  const lines = text.trim().split(/\r?\n/)
  const shown = lines.slice(0, MAX_LINES).join('\n')
  return lines.length > MAX_LINES || shown.length > MAX_MESSAGE ? `${cut(shown, MAX_MESSAGE - 2)}\n…` : shown
}

/** Cuts a text and says so; a pair of surrogates is not cut. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`

/** A fence is longer than any that is in the text. */
function toBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  return `${fence}\n${text}\n${fence}`
}

/** A name is no Markdown, and mentions nobody. */
const toInline = (name: string): string => {
  const fence = name.includes('`') ? '``' : '`'
  return name.includes('``') ? name.replaceAll('`', "'") : `${fence}${fence === '``' ? ` ${name} ` : name}${fence}`
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const formatDay = (at: string): string => dayFormat.format(new Date(at))
