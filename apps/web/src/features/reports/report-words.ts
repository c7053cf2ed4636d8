import type { Report, ReportSubscription } from '@caseward/client/endpoints'

import { formatCount, formatNumberOf, formatShare } from '../../ui/format-count.ts'

/** How a report formats times; the default zone is that of the browser. */
interface Zone {
  readonly timeZone?: string | undefined
}

const formatWith = (at: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { hourCycle: 'h23', ...options }).format(new Date(at))

const DAY = { day: 'numeric', month: 'short' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const

/** Formats a time for paper, where "8 min ago" means nothing: "Tue 24 Nov, 02:10". */
export const formatMoment = (at: string, { timeZone }: Zone = {}): string =>
  `${formatWith(at, { ...DAY, weekday: 'short', timeZone }).replace(',', '')}, ${formatWith(at, { ...CLOCK, timeZone })}`

/** Formats the days of a report and when it was written: "22 Nov to 28 Nov 2026, 14:05 CET". */
export function formatSpan({ from, to }: Pick<Report, 'from' | 'to'>, { timeZone }: Zone = {}): string {
  const year = { ...DAY, year: 'numeric', timeZone } as const
  const hasSameYear = formatWith(from, { year: 'numeric', timeZone }) === formatWith(to, { year: 'numeric', timeZone })
  const first = formatWith(from, hasSameYear ? { ...DAY, timeZone } : year)
  return `${first} to ${formatWith(to, year)}, ${formatWith(to, { ...CLOCK, timeZoneName: 'short', timeZone })}`
}

/** What a report says, in one sentence: "main is red. 84 runs, 2 new causes of failures, 1 new flaky test." */
export function summarize({ branch, green, run_count: runs, new_causes: causes, flaky }: Report): string {
  const isRed = green.some(({ state }) => state === 'red')
  const isKnown = green.some(({ state }) => state !== null)
  const facts = [
    formatNumberOf(runs, 'run'),
    ...(causes.total === 0 ? [] : [`${formatNumberOf(causes.total, 'new cause')} of failures`]),
    ...(flaky.added_count === 0 ? [] : [formatNumberOf(flaky.added_count, 'new flaky test')]),
  ]
  return `${isKnown ? `${branch ?? 'It'} is ${isRed ? 'red' : 'green'}. ` : ''}${facts.join(', ')}.`
}

/** What a suite is and was: "94 % of the time green, red since Tue 24 Nov, 02:10". */
export function describeGreen({ green_share: share, state, since }: Report['green'][number], zone: Zone = {}): string {
  return [
    share === null ? 'no run that counts' : `${formatShare(share, 1)} of the time green`,
    ...(state === null || since === null ? [] : [`${state} since ${formatMoment(since, zone)}`]),
  ].join(', ')
}

/** The states of a suite for screen readers, in a row where they are equal: "3 parts green, 1 part red". */
export function describeCells(cells: Report['green'][number]['cells']): string {
  const parts: { state: string; count: number }[] = []
  for (const state of cells) {
    const last = parts.at(-1)
    if (last?.state === state) last.count += 1
    else parts.push({ state, count: 1 })
  }
  return parts.map(({ state, count }) => `${formatNumberOf(count, 'part')} ${cellNames[state] ?? state}`).join(', ')
}

const cellNames: Readonly<Record<string, string>> = { excluded: 'left out', none: 'without a run' }

/** How a run by hand went: "12 passed, 1 failed or blocked, 3 to do". */
export const describeByHand = ({ passed, failed, not_tested: open }: Report['by_hand'][number]): string =>
  [
    `${formatCount(passed)} passed`,
    ...(failed === 0 ? [] : [`${formatCount(failed)} failed or blocked`]),
    ...(open === 0 ? [] : [`${formatCount(open)} to do`]),
  ].join(', ')

/** How far a milestone is: "71 % tested, 12 failed, done on 28 Nov at this pace". */
export const describeReadiness = ({ tested, total, failed, expected_on: on }: Report['readiness'][number]): string =>
  [
    `${formatShare(tested, total)} tested`,
    ...(failed === 0 ? [] : [`${formatCount(failed)} failed`]),
    ...(on === null || tested === total ? [] : [`done on ${formatWith(on, { ...DAY, timeZone: 'UTC' })} at this pace`]),
  ].join(', ')

/** The days of the week by their number, from 1. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** The hours of a day. */
export const HOURS: readonly string[] = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)

/** When a report comes: "every Monday from 08:00 (Europe/Berlin)". */
export const describeSubscription = ({ weekday, hour, time_zone: zone }: ReportSubscription): string =>
  `every ${weekday === null ? 'day' : (WEEKDAYS[weekday - 1] ?? 'week')} from ${HOURS[hour] ?? ''} (${zone})`
