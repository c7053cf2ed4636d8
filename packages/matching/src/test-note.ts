import type { Attempt, AttemptStatus } from './attempt.ts'
import { combineOutcomes, describeAttempts, joinNotes, type TestOutcome } from './outcome.ts'
import { getTestOutcome, toResultStatus } from './test-outcome.ts'

/** A test of a test case. */
export interface CaseTest {
  readonly name: string
  readonly attempts: readonly Attempt[]
  /** Its outcome, if something else than the attempts decides that. */
  readonly status?: AttemptStatus | undefined
}

/** The result of a test case: the worst outcome of its tests, the sum of their times, and what went wrong. */
export function combineTestOutcomes(tests: readonly CaseTest[]): TestOutcome {
  const [only] = tests
  if (only !== undefined && tests.length === 1) return toOutcome(only)
  return combineOutcomes(tests.map((test) => ({ name: test.name, outcome: toOutcome(test) })))
}

function toOutcome({ attempts, status: decided }: CaseTest): TestOutcome {
  const { status: fromAttempts, elapsedMs } = getTestOutcome(attempts)
  const status = toResultStatus(decided ?? fromAttempts)
  return {
    status,
    note: isSilent(attempts) ? null : joinNotes(describe(attempts, status)),
    seconds: elapsedMs === null ? null : elapsedMs / 1000,
  }
}

/** Whether there is nothing to say of a test, as of nearly all that pass. */
const isSilent = ([first, second]: readonly Attempt[]): boolean =>
  first !== undefined && second === undefined && first.message === '' && first.details === ''

/** The number of attempts if there were several, then what each of them says. */
function* describe(attempts: readonly Attempt[], status: TestOutcome['status']): Generator<string> {
  const failed = attempts.filter((attempt) => attempt.status === 'failed').length
  yield describeAttempts(status, attempts.length, failed)
  for (const [index, attempt] of attempts.entries()) {
    const text = formatAttempt(attempt)
    if (text !== '') yield attempts.length === 1 ? text : `Attempt ${index + 1}: ${text}`
  }
}

/** Message and details, without repeating the message. */
function formatAttempt({ status, message, details }: Attempt): string {
  const heading = message.trim()
  // Keeps the indentation of the first line.
  const body = details.replace(/^\s*\n/, '').trimEnd()
  const text = body.includes(heading) ? body : joinLines(heading, body)
  return text !== '' && status === 'skipped' ? `Skipped: ${text}` : text
}

const joinLines = (first: string, second: string): string =>
  first === '' || second === '' ? first + second : `${first}\n${second}`
