/**
 * Maximum length of a note in characters. A longer note is truncated, so that a long stack trace never fails an upload.
 */
export const MAX_NOTE_LENGTH = 65_536
/** The end of a truncated note. */
export const TRUNCATION_MARK = '… [cut]'

/** Truncates a note to a number of characters, never in the middle of a character. */
export function truncateNote(note: string, maxLength = MAX_NOTE_LENGTH): string {
  // A string has at least as many UTF-16 units as characters, so that a shorter one does not have to be counted.
  if (note.length <= maxLength) return note
  let units = 0
  for (let characters = 0; characters < maxLength; characters += 1) {
    units += (note.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
  }
  return units >= note.length ? note : note.slice(0, units) + TRUNCATION_MARK
}
