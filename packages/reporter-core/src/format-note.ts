import { stripVTControlCharacters } from 'node:util'

import { describeAttempts, joinNotes, type ResultStatus } from '@caseward/matching/outcome'

import type { TestAttempt, TestError } from './test-attempt.ts'

/** What the note of a result says: how many attempts there were, and what went wrong in each. */
export function formatNote(status: ResultStatus, attempts: readonly TestAttempt[]): string | null {
  const failed = attempts.filter((attempt) => attempt.status === 'failed').length
  const several = attempts.length > 1
  const details = attempts.flatMap((attempt, index) => {
    const said = describeAttempt(attempt)
    return said === null ? [] : [several ? `Attempt ${index + 1}: ${said}` : said]
  })
  return joinNotes([describeAttempts(status, attempts.length, failed), ...details])
}

function describeAttempt({ errors = [], comment: remark = '' }: TestAttempt): string | null {
  return joinNotes([toPlainText(remark), ...errors.map(formatError)])
}

/** Message, difference and stack of an error; what one says already is not said twice. */
export function formatError({ message, diff = '', stack = '' }: TestError): string {
  const [said, difference, whole] = [toPlainText(message).trim(), toPlainText(diff).trim(), toPlainText(stack)]
  const { type, frames } = splitStack(whole, said)
  // That it is an error goes without saying.
  const head = type === '' || type === 'Error: ' ? said : type + said
  const parts = [head, said.includes(difference) ? '' : difference, frames.replace(/^\s*\n|\s+$/g, '')]
  return parts.filter((part) => part.trim() !== '').join('\n')
}

/**
 * A stack as V8 writes it begins with the type of the error and its message; what follows are the frames. One that does
 * not begin so is frames from its start.
 */
function splitStack(stack: string, message: string): { type: string; frames: string } {
  const type = /^(?:[\w$.]+(?: \[[^\]\n]*\])?: )?/.exec(stack)?.[0] ?? ''
  for (const start of [type, '']) {
    const end = start.length + message.length
    const isHead =
      message !== '' && stack.startsWith(message, start.length) && /^\s*(?:\n|$)/.test(stack.slice(end, end + 99))
    if (isHead) return { type: start, frames: stack.slice(end) }
  }
  return { type: '', frames: stack }
}

/** Without terminal colours and control characters, and without what the server could not store: halves of characters. */
export function toPlainText(text: string): string {
  // Most texts are plain already.
  if (!/[^\t\n\r -~\u00A0-\uD7FF]/.test(text)) return text
  return stripVTControlCharacters(text)
    .replace(/(?![\t\n\r])\p{Cc}/gu, '')
    .replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** For a terminal: one line, in which nothing moves the cursor or turns the writing around, and not a long one. */
export function toSingleLine(text: string, longest = 200): string {
  const line = toPlainText(text.slice(0, 10 * longest))
    .replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .trim()
  const characters = line.length > longest ? Array.from(line) : []
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : line
}
