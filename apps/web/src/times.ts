import { formatDuration, formatNumberUnit } from '@caseward/matching/format-amounts'

export { formatDuration } from '@caseward/matching/format-amounts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** How times are formatted; the defaults are those of the browser. */
export interface TimeFormat {
  readonly locale?: string | undefined
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone?: string | undefined
}

interface TimeTextFormat extends TimeFormat {
  /** Whether the time is part of a sentence: "changed 8 min ago", "created just now". */
  readonly isInText?: boolean | undefined
}

/**
 * Formats when something happened for a list: "now", "8 min", "2 h", "Tue 14:05", "3 Nov", "3 Nov 2025".
 * Times up to half a day are relative, up to a week have the weekday, and later ones the day.
 * @param at ISO string
 * @param now in milliseconds since 1970
 */
export function formatTime(
  at: string,
  now: number,
  { locale = 'en', timeZone, isInText = false }: TimeTextFormat = {},
): string {
  const date = new Date(at)
  const age = now - date.getTime()
  if (Number.isNaN(age)) return ''
  // The clocks of server and browser differ a little.
  if (Math.abs(age) < MINUTE_MS) return isInText ? 'just now' : 'now'
  const suffix = isInText ? ' ago' : ''
  if (age > 0 && age < HOUR_MS) return formatNumberUnit(Math.floor(age / MINUTE_MS), 'minute', locale) + suffix
  if (age > 0 && age < 12 * HOUR_MS) return formatNumberUnit(Math.floor(age / HOUR_MS), 'hour', locale) + suffix
  if (age > 0 && age < 6 * DAY_MS) {
    const parts = getFormat(locale, {
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
    })
    return parts.format(date).replace(',', '')
  }
  const hasSameYear = getYear(date, timeZone) === getYear(new Date(now), timeZone)
  const day = { day: 'numeric', month: 'short', timeZone } as const
  return getFormat(toDayFirst(locale), hasSameYear ? day : { ...day, year: 'numeric' }).format(date)
}

/** Formats a time exactly, with its zone, for tooltips and screen readers: "Tuesday 3 November 2026 at 14:05:09 CET". */
export function formatExactTime(at: string, { locale = 'en', timeZone }: TimeFormat = {}): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ''
  return getFormat(toDayFirst(locale), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
    timeZone,
  }).format(date)
}

/** Formats the time of day for "All saved 14:41". @param at in milliseconds since 1970 */
export function formatClock(at: number, { locale = 'en', timeZone }: TimeFormat = {}): string {
  return getFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(at)
}

/** Formats the duration of a test: "812 ms", "1.2 s", "48 s", "8 min". */
export function formatMilliseconds(milliseconds: number, locale = 'en'): string {
  if (milliseconds < SECOND_MS) return formatNumberUnit(Math.round(milliseconds), 'millisecond', locale)
  const seconds = milliseconds / SECOND_MS
  return seconds < 9.95
    ? formatNumberUnit(Math.round(seconds * 10) / 10, 'second', locale)
    : formatDuration(seconds, locale)
}

/** Formats a running timer: "01:24", "1:02:03". */
export function formatTimer(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const pad = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${pad(minutes)}:${pad(whole % 60)}`
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(whole % 60)}`
}

/**
 * Returns how long the text of {@link formatTime} is valid, so that it is rendered again in time.
 * @returns milliseconds; `Infinity` if it does not change any more today
 */
export function getTimeValidMs(at: string, now: number): number {
  const age = now - Date.parse(at)
  if (age < HOUR_MS) return MINUTE_MS - (Math.max(0, age) % MINUTE_MS)
  if (age < 12 * HOUR_MS) return HOUR_MS - (age % HOUR_MS)
  return age < 6 * DAY_MS ? 6 * DAY_MS - age : Infinity
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Creating a format takes about 50 µs, and a list needs one per row. */
export function getFormat(locale: string, options: { [K in keyof Intl.DateTimeFormatOptions]: unknown }) {
  const key = locale + JSON.stringify(options)
  const known = formats.get(key)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(locale, options as Intl.DateTimeFormatOptions)
  formats.set(key, format)
  return format
}

export const getYear = (date: Date, timeZone: string | undefined) =>
  getFormat('en', { year: 'numeric', timeZone }).format(date)

/** The texts of the app are English: "3 Nov", not "Nov 3". */
export const toDayFirst = (locale: string) => (locale === 'en' ? 'en-GB' : locale)
