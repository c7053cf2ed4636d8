import { stripVTControlCharacters } from 'node:util'

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

/** Removes terminal colors and control characters, and replaces lone surrogates, which the server cannot store. */
export function toPlainText(text: string): string {
  // A shortcut for most texts.
  if (!/[^\t\n\r -~\u00A0-\uD7FF]/.test(text)) return text
  return stripVTControlCharacters(text)
    .replace(/(?![\t\n\r])\p{Cc}/gu, '')
    .replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** Formats a text as one short line for a terminal, without characters that move the cursor or change its direction. */
export function toSingleLine(text: string, maxLength = 200): string {
  const line = toPlainText(text.slice(0, 10 * maxLength))
    .replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .trim()
  const characters = line.length > maxLength ? Array.from(line) : []
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : line
}
