/** Past this, a time is a time stamp or nonsense: no test runs for 68 years. */
const LONGEST_SECONDS = 2 ** 31 - 1

const NUMBER = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const THOUSANDS_BY_COMMA = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/
const THOUSANDS_BY_POINT = /^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/
const THOUSANDS_BY_SPACE = /^[1-9]\d{0,2}(?:[ '\u00a0\u2009\u202f]\d{3})+(?:[.,]\d*)?$/
const DECIMAL_COMMA = /^\d+,\d+$/

/**
 * Reads a `time` attribute as seconds. Surefire and others print it in the machine's language, so besides `1234.5` and
 * `1.2e-05` there are `1,234.5`, `1.234,5`, `1 234,5` and `0,123`; `1,234` is taken as English.
 *
 * @returns seconds, as exact as they stand there, or null when there is no time or it is none (`<<computed>>`, `-1`, `NaN`).
 */
export function parseElapsedSeconds(time: string | undefined): number | null {
  // The length keeps the patterns below from being fed nonsense.
  if (time === undefined || time.length > 64) return null
  const quickly = plainDecimal(time)
  const seconds = Number.isNaN(quickly) ? parseLocalizedNumber(time.trim()) : quickly
  return seconds <= LONGEST_SECONDS ? seconds : null
}

/**
 * Nearly all times are digits with a point among them. Up to fifteen, one division gives the very number that `Number`
 * would (Clinger 1990), twenty times as fast; NaN otherwise.
 */
function plainDecimal(time: string): number {
  if (time.length > 16) return Number.NaN
  let digits = 0
  let value = 0
  let divisor = 0
  for (let index = 0; index < time.length; index++) {
    const code = time.charCodeAt(index)
    if (code >= 0x30 && code <= 0x39) {
      digits++
      value = value * 10 + (code - 0x30)
      divisor *= 10
    } else if (code === 0x2e && divisor === 0) {
      divisor = 1
    } else {
      return Number.NaN
    }
  }
  if (digits === 0 || digits > 15) return Number.NaN
  return divisor === 0 ? value : value / divisor
}

function parseLocalizedNumber(time: string): number {
  const plain = withDecimalPoint(time)
  return NUMBER.test(plain) ? Number(plain) : Number.NaN
}

function withDecimalPoint(time: string): string {
  if (NUMBER.test(time)) return time
  if (THOUSANDS_BY_COMMA.test(time)) return time.replaceAll(',', '')
  if (THOUSANDS_BY_POINT.test(time)) return time.replaceAll('.', '').replace(',', '.')
  if (THOUSANDS_BY_SPACE.test(time)) return time.replaceAll(/[ '\u00a0\u2009\u202f]/g, '').replace(',', '.')
  if (DECIMAL_COMMA.test(time)) return time.replace(',', '.')
  return time
}
