import { toPlainText } from '@caseward/ci-run/plain-text'

import type { TestError } from './test-attempt.ts'

/** Formats message, diff and stack of an error without repetition. */
export function formatError({ message, diff = '', stack = '' }: TestError): string {
  const [plainMessage, plainDiff] = [toPlainText(message).trim(), toPlainText(diff).trim()]
  const { type, frames } = splitStack(toPlainText(stack), plainMessage)
  const head = type === '' || type === 'Error: ' ? plainMessage : type + plainMessage
  const parts = [head, plainMessage.includes(plainDiff) ? '' : plainDiff, frames.replace(/^\s*\n|\s+$/g, '')]
  return parts.filter((part) => part.trim() !== '').join('\n')
}

/** Splits a stack of V8, which starts with the error's type and message. Any other stack consists only of frames. */
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
