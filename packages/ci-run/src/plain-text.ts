import { stripVTControlCharacters } from 'node:util'

/** Removes terminal colors and control characters, and replaces lone surrogates, which the server cannot store. */
export function toPlainText(text: string): string {
  // A shortcut for most texts.
  if (!/[^\t\n\r -~\u00A0-\uD7FF]/.test(text)) return text
  return stripVTControlCharacters(text)
    .replace(/(?![\t\n\r])\p{Cc}/gu, '')
    .replace(/\p{Surrogate}/gu, '\uFFFD')
}

/**
 * Formats a text as one line for a terminal, without characters that move the cursor or change its direction.
 * @param maxLength number of characters after which the line is cut
 */
export function toSingleLine(text: string, maxLength = 200): string {
  const line = toPlainText(text.slice(0, 10 * maxLength))
    .replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .trim()
  const characters = line.length > maxLength ? Array.from(line) : []
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : line
}

/** Truncates a text to a number of characters and removes what the server does not accept. */
export const truncateText = (text: string, length: number): string =>
  Array.from(toPlainText(text)).slice(0, length).join('').trim()
