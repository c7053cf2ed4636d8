import type { DateOrder } from './date-orders.ts'
import { toUtc } from './local-time.ts'

/*
 * Times as tools write them. A time without a zone is UTC, unless another one is known. Days and months that could be either way round are not guessed without an order.
 */

const MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const CLOCK = String.raw`(?:[T,\s]+(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?(?:\s*(?<half>[AP])M)?)?`
const ZONE = String.raw`\s*(?<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?`
const FORMS = [
  String.raw`(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})`,
  String.raw`(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})`,
  String.raw`(?<day>\d{1,2})[-\s](?<name>${MONTHS})[a-z]*[-\s](?<year>\d{4})`,
  String.raw`(?<name>${MONTHS})[a-z]*\s(?<day>\d{1,2}),\s?(?<year>\d{4})`,
].map((date) => new RegExp(`^${date}${CLOCK}${ZONE}$`, 'i'))
const SLASHED = new RegExp(String.raw`^(?<first>\d{1,2})/(?<other>\d{1,2})/(?<year>\d{4})${CLOCK}${ZONE}$`, 'i')

const EARLIEST = Date.UTC(1990, 0)
const LATEST = Date.UTC(2100, 0)

/**
 * Reads a time.
 * @param order of day and month in `03/04/2025`, if it is known
 * @param timeZone of times that do not tell theirs; days are those of UTC
 * @returns null for none, or one that cannot be read for sure
 */
export function readTime(text: string, order: DateOrder | null = null, timeZone = 'UTC'): Date | null {
  const trimmed = text.trim()
  if (/^\d{10}(?:\d{3})?$/.test(trimmed)) return toTime(Number(trimmed) * (trimmed.length === 10 ? 1000 : 1))
  const slashed = SLASHED.exec(trimmed)?.groups
  if (slashed !== undefined) return toTime(compose(slashed, orderSlashed(slashed, order), timeZone))
  for (const form of FORMS) {
    const groups = form.exec(trimmed)?.groups
    if (groups === undefined) continue
    const { name, month, day } = groups
    const number = name === undefined ? Number(month) : MONTHS.split('|').indexOf(name.slice(0, 3).toLowerCase()) + 1
    return toTime(compose(groups, { month: number, day: Number(day) }, timeZone))
  }
  return null
}

type Groups = Readonly<Record<string, string | undefined>>

/** A number over 12 tells which one is the day, whatever the others are. */
function orderSlashed({ first, other }: Groups, order: DateOrder | null): { month: number; day: number } | null {
  const [one, two] = [Number(first), Number(other)]
  if (one > 12) return { day: one, month: two }
  if (two > 12 || one === two || order === 'month_first') return { month: one, day: two }
  return order === 'day_first' ? { day: one, month: two } : null
}

/** Whether a text is a time of a clock whose zone it does not tell. */
export function isLocalTime(text: string): boolean {
  const trimmed = text.trim()
  return [SLASHED, ...FORMS].some((form) => {
    const groups = form.exec(trimmed)?.groups
    return groups?.['hour'] !== undefined && groups['zone'] === undefined
  })
}

function compose(groups: Groups, date: { month: number; day: number } | null, timeZone: string): number {
  if (date === null) return NaN
  const { year, hour = '0', minute = '0', second = '0', fraction = '', half, zone } = groups
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return NaN
  const time = Date.UTC(Number(year), date.month - 1, date.day, hours, Number(minute), Number(second))
  // Results of one second keep their order by the milliseconds.
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'))
  // Month 13 and 31 February are another day.
  const check = new Date(time)
  if (check.getUTCMonth() !== date.month - 1 || check.getUTCDate() !== date.day) return NaN
  if (zone === undefined && groups['hour'] !== undefined) return toUtc(time, timeZone) + milliseconds
  return time + milliseconds - toOffset(zone)
}

function toOffset(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '') ?? []
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return sign === '-' ? -offset : offset
}

const toTime = (time: number): Date | null => (time >= EARLIEST && time <= LATEST ? new Date(time) : null)
