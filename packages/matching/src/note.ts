/** The longest note that is kept, in characters. A longer one is cut: a long stack trace must never cost an upload. */
export const MAX_NOTE_LENGTH = 65_536
/** How a note ends that was cut. */
export const TRUNCATION_MARK = '… [cut]'

/** Cuts a note that is longer than so many characters, between two of them and never within one. */
export function truncateNote(note: string, longest = MAX_NOTE_LENGTH): string {
  // A string has at least as many UTF-16 units as characters: only one that is longer in units need be counted.
  if (note.length <= longest) return note
  let units = 0
  for (let characters = 0; characters < longest; characters += 1) {
    units += (note.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
  }
  return units >= note.length ? note : note.slice(0, units) + TRUNCATION_MARK
}
