/** A greater value is a timestamp or an error: no test runs for 68 years. */
const MAX_SECONDS = 2 ** 31 - 1

const NUMBER = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const THOUSANDS_BY_COMMA = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/
const THOUSANDS_BY_POINT = /^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/
const THOUSANDS_BY_SPACE = /^[1-9]\d{0,2}(?:[ '\u00a0\u2009\u202f]\d{3})+(?:[.,]\d*)?$/
const DECIMAL_COMMA = /^\d+,\d+$/

/**
 * Parses a `time` attribute as seconds. Surefire and others format it in the machine's locale, so besides `1234.5` and
 * `1.2e-05` there are `1,234.5`, `1.234,5`, `1 234,5` and `0,123`; `1,234` is read as English.
 *
 * @returns seconds, not rounded; null when the attribute is missing or not a time (`<<computed>>`, `-1`, `NaN`)
 */
export function parseElapsedSeconds(time: string | undefined): number | null {
  // Limits the input of the patterns below.
  if (time === undefined || time.length > 64) return null
  const plain = parsePlainDecimal(time)
  const seconds = Number.isNaN(plain) ? parseLocalizedNumber(time.trim()) : plain
  return seconds <= MAX_SECONDS ? seconds : null
}

/**
 * Parses digits with a decimal point, as nearly all times are; NaN otherwise. Up to fifteen digits, one division gives
 * exactly the result of `Number` (Clinger 1990) and is twenty times as fast.
 */
function parsePlainDecimal(time: string): number {
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
  const number = normalizeSeparators(time)
  return NUMBER.test(number) ? Number(number) : Number.NaN
}

function normalizeSeparators(time: string): string {
  if (NUMBER.test(time)) return time
  if (THOUSANDS_BY_COMMA.test(time)) return time.replaceAll(',', '')
  if (THOUSANDS_BY_POINT.test(time)) return time.replaceAll('.', '').replace(',', '.')
  if (THOUSANDS_BY_SPACE.test(time)) return time.replaceAll(/[ '\u00a0\u2009\u202f]/g, '').replace(',', '.')
  if (DECIMAL_COMMA.test(time)) return time.replace(',', '.')
  return time
}
