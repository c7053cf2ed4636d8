import { type BurnUp, MAX_BURN_UP_DAYS } from '@caseward/contract/milestone-readiness'

export interface BurnUpCounts {
  total: number
  /** The tested and the failed results of a quarter of an hour, in milliseconds since 1970; the oldest first. */
  times: readonly (readonly [at: number, executed: number, failed: number])[]
}

const DAY_MS = 86_400_000

/** Adds up what was tested until the end of each day of a time zone, from the first result until today. */
export function buildBurnUp({ total, times }: BurnUpCounts, timeZone: string, now: Date): BurnUp {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const today = format.format(now)
  const byDay = new Map<string, { executed: number; failed: number }>()
  for (const [at, executed, failed] of times) {
    const day = format.format(at)
    const known = byDay.get(day) ?? { executed: 0, failed: 0 }
    byDay.set(day, { executed: known.executed + executed, failed: known.failed + failed })
  }
  const [first = today] = byDay.keys()
  const days: BurnUp['days'] = []
  let [executed, failed] = [0, 0]
  // Days are counted in UTC, where each has 24 hours.
  for (let at = Date.parse(first); at <= Date.parse(today); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10)
    executed += byDay.get(day)?.executed ?? 0
    failed += byDay.get(day)?.failed ?? 0
    days.push({ day, executed, failed })
  }
  return { total, days: days.slice(-MAX_BURN_UP_DAYS) }
}
