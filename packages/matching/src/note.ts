/**
 * Maximum length of a note in characters. A longer note is truncated, so that a long stack trace never fails an upload.
 */
export const MAX_NOTE_LENGTH = 65_536
/** The end of a truncated note. */
export const TRUNCATION_MARK = '… [cut]'

/** Truncates a note to a number of characters, and marks its end. */
export function truncateNote(note: string, maxLength = MAX_NOTE_LENGTH): string {
  const start = cutText(note, maxLength)
  return start.length === note.length ? note : start + TRUNCATION_MARK
}

/** Returns the first characters of a text, never half of one. */
export function cutText(text: string, maxLength: number): string {
  // A string has at least as many UTF-16 units as characters, so that a shorter one does not have to be counted.
  if (text.length <= maxLength) return text
  let units = 0
  for (let characters = 0; characters < maxLength; characters += 1) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, units)
}
