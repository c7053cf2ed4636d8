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
export function elapsedSeconds(time: string | undefined): number | null {
  // The length keeps the patterns below from being fed nonsense.
  if (time === undefined || time.length > 64) return null
  const quickly = startsPlain(time) ? Number(time) : Number.NaN
  const seconds = Number.isNaN(quickly) ? numberIn(time.trim()) : quickly
  return seconds <= LONGEST_SECONDS ? seconds : null
}

/** Nearly all times do, and then `Number` alone decides: that saves a tenth of the parser's own time. */
function startsPlain(time: string): boolean {
  const second = time.charCodeAt(1)
  // A digit, then a digit, a point or the end: neither white space, nor a sign, nor `0x10`.
  return isDigit(time.charCodeAt(0)) && (isDigit(second) || second === 0x2e || time.length === 1)
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function numberIn(time: string): number {
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
