import type { MilestoneReadiness } from '@caseward/client/endpoints'

import { formatCount, formatNumberOf, formatShare } from '../../ui/format-count.ts'

const DAY_MS = 86_400_000

/** A part of the sentence; each leads to its list. */
export interface ReadinessPart {
  readonly kind: 'tested' | 'failed' | 'critical' | 'blocked'
  readonly words: string
}

/** How far a milestone is: "71 % tested", "12 failed", "2 of them critical", "3 blocked". */
export function describeParts({
  tested,
  total,
  failed,
  failed_critical,
  blocked,
}: MilestoneReadiness): ReadinessPart[] {
  const parts: ReadinessPart[] = [{ kind: 'tested', words: `${formatShare(tested, total)} tested` }]
  if (failed > 0) parts.push({ kind: 'failed', words: `${formatCount(failed)} failed` })
  if (failed_critical > 0) parts.push({ kind: 'critical', words: `${formatCount(failed_critical)} of them critical` })
  if (blocked > 0) parts.push({ kind: 'blocked', words: `${formatCount(blocked)} blocked` })
  return parts
}

/**
 * When a milestone will be tested, as a sentence. Days are those of UTC, as dates of milestones are.
 * @param due ISO string
 */
export function describePace(readiness: MilestoneReadiness, due: string | null): string {
  const { tested, total, expected_on: expected } = readiness
  if (total === 0) return 'No run with test cases is linked to it yet.'
  if (tested === total) return 'Everything is tested.'
  if (expected === null) return 'Nothing was tested in the last seven days.'
  const on = `At this pace, everything is tested on ${formatDay(expected)}`
  if (due === null) return `${on}.`
  const days = toDay(due) - toDay(expected)
  if (days === 0) return `${on}, the day it is due.`
  return `${on}, ${formatNumberOf(Math.abs(days), 'day')} ${days > 0 ? 'before' : 'after'} it is due.`
}

const toDay = (date: string) => Math.floor(Date.parse(date) / DAY_MS)

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const formatDay = (date: string) => dayFormat.format(Date.parse(date))
