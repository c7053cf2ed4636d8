import { MAX_ESTIMATE } from '@caseward/client/endpoints'

/** In the order in which a text has them. */
const UNITS = [
  { seconds: 3600, symbol: 'h', names: ['h', 'hr', 'hrs', 'hour', 'hours'] },
  { seconds: 60, symbol: 'm', names: ['m', 'min', 'mins', 'minute', 'minutes'] },
  { seconds: 1, symbol: 's', names: ['s', 'sec', 'secs', 'second', 'seconds'] },
] as const

/** Formats an estimate without rounding: `1h 30m`, `45s`. @param seconds a whole number, or null for none */
export function formatEstimate(seconds: number | null): string {
  let rest = seconds ?? 0
  const parts = UNITS.map(({ seconds: size, symbol }) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? '' : `${count}${symbol}`
  })
  return parts.filter((part) => part !== '').join(' ')
}

/**
 * Reads an estimate as people and other tools write it: `1h 30m`, `90 min`, `1.5 hours`, `1:30:00`. Days are refused, because
 * tools count 8 or 24 hours for one; a bare number is refused, because it can be seconds or minutes.
 * @returns seconds; null for an empty text; or what is wrong, as the rest of a sentence about the estimate
 */
export function parseEstimate(text: string): number | null | string {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === '') return null
  const seconds = readClock(trimmed) ?? readUnits(trimmed)
  if (seconds === null) return `cannot be read: write it like 90s, 15m or 1h 30m`
  if (seconds < 1) return 'must be at least one second'
  return seconds > MAX_ESTIMATE ? `is too long: the maximum is ${formatEstimate(MAX_ESTIMATE)}` : seconds
}

/** `1:30:00`: hours, minutes and seconds. */
function readClock(text: string): number | null {
  const parts = /^(\d{1,5}):([0-5]\d):([0-5]\d)$/.exec(text)
  return parts === null ? null : Number(parts[1]) * 3600 + Number(parts[2]) * 60 + Number(parts[3])
}

function readUnits(text: string): number | null {
  // Each number with its unit once, the longest unit first.
  const pattern = /^(\d{1,7}(?:\.\d{1,3})?) *([a-z]{1,7})(?:[ ,]*(?:and )?|$)/
  let rest = text
  let total = 0
  let next = 0
  while (rest !== '') {
    const found = pattern.exec(rest)
    const unit = UNITS.findIndex(({ names }, index) => index >= next && names.some((name) => name === found?.[2]))
    const size = UNITS[unit]?.seconds
    if (found === null || size === undefined) return null
    total += Number(found[1]) * size
    next = unit + 1
    rest = rest.slice(found[0].length)
  }
  return Math.round(total)
}
