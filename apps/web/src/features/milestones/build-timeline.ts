import type { FullMilestone } from './milestone-queries.ts'

/** The place of a bar, in percent of the width. */
export interface TimelineBar {
  readonly left: number
  readonly width: number
  /** Without a due date, it goes on. */
  readonly isOpenEnded: boolean
}

export interface Timeline {
  /** Of today, in percent. */
  readonly today: number
  readonly ticks: readonly { readonly label: string; readonly left: number }[]
  /** Null for a milestone without dates. */
  readonly bars: readonly (TimelineBar | null)[]
}

const DAY_MS = 86_400_000
/** More would touch each other. */
const MAX_TICKS = 8
/** Of the range, between two labels. */
const MIN_GAP = 0.1
/** Of the range, at both ends. */
const MARGIN = 0.03

type Dated = Pick<FullMilestone, 'start_date' | 'due_date' | 'created_at'>

/**
 * Places milestones on a common scale that contains all of their dates and today. What has no start date begins when it was
 * created. @param now in milliseconds since 1970
 */
export function buildTimeline(milestones: readonly Dated[], now: number): Timeline {
  const spans = milestones.map(getSpan)
  const times = [now, ...spans.flatMap((span) => (span === null ? [] : [span.start, span.end ?? span.start]))]
  const first = times.reduce((a, b) => Math.min(a, b))
  const last = Math.max(
    times.reduce((a, b) => Math.max(a, b)),
    first + 7 * DAY_MS,
  )
  const margin = (last - first) * MARGIN
  const [from, to] = [first - margin, last + margin]
  const place = (time: number) => round((100 * (time - from)) / (to - from))
  return {
    today: place(now),
    ticks: listTicks(from, to).map(({ label, time }) => ({ label, left: place(time) })),
    bars: spans.map((span) => {
      if (span === null) return null
      const left = place(span.start)
      const right = span.end === null ? 100 : place(span.end)
      return { left, width: round(right - left), isOpenEnded: span.end === null }
    }),
  }
}

function getSpan({ start_date, due_date, created_at }: Dated): { start: number; end: number | null } | null {
  if (start_date === null && due_date === null) return null
  const end = due_date === null ? null : Date.parse(due_date)
  const start = Date.parse(start_date ?? created_at)
  return { start: end === null ? start : Math.min(start, end), end }
}

/** The first days of weeks or months, in UTC. */
function listTicks(from: number, to: number): { label: string; time: number }[] {
  const days = (to - from) / DAY_MS
  if (days <= 7 * MAX_TICKS) {
    // 5 January 1970 was a Monday.
    const monday = Math.ceil((from / DAY_MS - 4) / 7) * 7 + 4
    const count = Math.max(Math.floor((to / DAY_MS - monday) / 7) + 1, 0)
    return Array.from({ length: count }, (_, index) => {
      const time = (monday + 7 * index) * DAY_MS
      return { label: dayFormat.format(time), time }
    })
  }
  const step = Math.ceil(days / 30 / MAX_TICKS)
  const start = new Date(from)
  const ticks: { label: string; time: number }[] = []
  for (let month = 0; ; month += step) {
    const time = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + month)
    if (time > to) break
    // The month in which the scale begins has its label at the edge.
    ticks.push({ label: monthFormat.format(time), time: Math.max(time, from) })
  }
  const [first, second] = ticks
  const isTooClose = first !== undefined && second !== undefined && second.time - first.time < (to - from) * MIN_GAP
  return isTooClose ? ticks.slice(1) : ticks
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const round = (value: number) => Math.round(value * 100) / 100
