import { createHash } from 'node:crypto'

import { cutOtherErrors, findFailureKind, isAssertion } from './failure-kind.ts'
import { type FailureText, joinFailureText } from './failure-text.ts'
import { formatFailureTitle } from './failure-title.ts'
import { findOwnFrame, type TestPlace } from './own-frame.ts'
import { cutQuoted, replaceMadeUp, replaceVolatile } from './replace-volatile.ts'
import { parseStackFrame } from './stack-frames.ts'
import { isWeakMessage } from './weak-failure.ts'

export type { FailureText } from './failure-text.ts'

/** Changes with any rule that changes signatures. Rows of an earlier version stay as they are. */
export const SIGNATURE_VERSION = 1

/** The test that failed. */
export interface FailedTest extends TestPlace {
  readonly name: string
}

/** What is known of a failure from its texts. */
export interface Failure {
  /** `TypeError`; '' without one. */
  kind: string
  /** What it says, with what differs from run to run replaced, such as `connect ECONNREFUSED <addr>`; at most 400 characters. */
  message: string
  /** The same with its values: only what programs make up, such as UUIDs and addresses of objects, is replaced. */
  exactMessage: string
  /** Where it happened: `cart.ts.addLine`; '' when unknown, and for assertions, which happen in the test. */
  frame: string
  /** Whether it says too little to be the same cause in another test. */
  isWeak: boolean
  /** The same for all failures with one cause, as far as texts tell: 32 hexadecimal digits. */
  signature: string
  /** What people call it: kind and message as they were, without secrets, in one line of at most 200 characters. */
  title: string
}

/** Of the message before anything is replaced, and after. */
const MAX_RAW_MESSAGE = 2000
const MAX_MESSAGE = 400
/** A shorter name may be part of any sentence. */
const MIN_TEST_NAME = 6

/**
 * Reads what identifies a failure across tests and runs. Pure: equal input has an equal signature on every machine, and no other
 * place decides what is the same.
 */
export function readFailure(texts: FailureText, test: FailedTest): Failure {
  const text = cutOtherErrors(joinFailureText(texts))
  const { kind, messageStart } = findFailureKind(text)
  const lines = text.slice(messageStart).split('\n')
  const raw = readMessage(lines, messageStart > 0)
  const message = normalizeMessage(raw, test.name)
  const frame = isAssertion(kind, message) ? '' : findOwnFrame(text.split('\n'), test)
  const isWeak = frame === '' && isWeakMessage(message)
  const parts = [String(SIGNATURE_VERSION), kind, message, frame, ...(isWeak ? [test.suite, test.name] : [])]
  return {
    kind,
    message,
    exactMessage: replaceMadeUp(raw).replace(/\s+/g, ' ').trim(),
    frame,
    isWeak,
    signature: createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32),
    title: formatFailureTitle(kind, raw),
  }
}

/** The text up to the first frame. Of pytest, which repeats the source of the test, the lines that it marks with `E`. */
function readMessage(lines: readonly string[], hasKind: boolean): string {
  const marked = lines.filter((line) => /^\s*E {2,}\S/.test(line)).map((line) => line.trim().slice(1).trim())
  const end = lines.findIndex((line, index) => index > 0 && endsMessage(line))
  const [first = '', ...others] = end === -1 ? lines : lines.slice(0, end)
  const start = hasKind ? first.replace(/^[ \t]*:?[ \t]*/, '') : first
  if (marked.length === 0) return [start, ...others].join('\n').slice(0, MAX_RAW_MESSAGE).trim()
  // The report has the first of them twice: once as its message.
  const isRepeated = (line: string) => hasKind && start.trim() !== '' && line.endsWith(start.trim())
  const rest = marked.filter((line) => !isRepeated(line))
  return [...(hasKind ? [start] : []), ...rest].join('\n').slice(0, MAX_RAW_MESSAGE).trim()
}

/** Whether a stack trace begins, or the source around the place, with the numbers of its lines. */
const endsMessage = (line: string): boolean =>
  /^\s*(?:Traceback \(most recent call last\):|at <Jasmine>|stack backtrace:|goroutine \d+ \[|>? *\d+ +\|)/.test(
    line,
  ) || parseStackFrame(line) !== null

function normalizeMessage(raw: string, testName: string): string {
  const replaced = cutQuoted(replaceVolatile(raw)).replace(/\s+/g, ' ').trim()
  return replaceName(replaced, testName).slice(0, MAX_MESSAGE).trim()
}

/** The name may have numbers, which are replaced by then. */
function replaceName(message: string, testName: string): string {
  const name = cutQuoted(replaceVolatile(testName)).replace(/\s+/g, ' ').trim()
  return name.length < MIN_TEST_NAME ? message : message.replaceAll(name, '<test>')
}
