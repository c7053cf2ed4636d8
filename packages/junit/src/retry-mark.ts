/** What a property of a test says about its attempts, such as `retry="1"` or `flaky="true"`. */
export interface RetryMark {
  /** The number of the attempt, from 0 for the first; null if the property has no number. */
  readonly attempt: number | null
}

const NAMES: ReadonlySet<string> = new Set(['retry', 'attempt', 'rerun', 'flaky'])
const NO = /^(?:|false|no|none|off|never)$/i

export const isRetryProperty = (name: string | undefined): boolean =>
  name !== undefined && NAMES.has(name.toLowerCase())

/** Reads a property `retry`, `attempt`, `rerun` or `flaky`; null if it says that there is no other attempt. */
export function readRetryMark(name: string, value: string): RetryMark | null {
  const text = value.trim()
  if (NO.test(text)) return null
  if (!/^\d{1,6}$/.test(text)) return { attempt: null }
  const number = Number(text)
  const lowerName = name.toLowerCase()
  // `attempt` numbers attempts, `retry` and `rerun` count those after the first, and `flaky` is a boolean.
  if (lowerName === 'flaky') return number === 0 ? null : { attempt: null }
  return { attempt: number }
}

/**
 * Whether an execution is another attempt at the test of the execution before it: a number that is greater than before, or
 * a mark without a number on one of the two.
 */
export function isNextAttempt(previous: RetryMark | null, current: RetryMark | null): boolean {
  if (current !== null && current.attempt !== null) return current.attempt > (previous?.attempt ?? 0)
  return current !== null || (previous !== null && previous.attempt === null)
}
