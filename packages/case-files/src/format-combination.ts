/** Of the note of a combination, in characters: a result can have a hundred, and a cell of Excel takes 32,767. */
export const MAX_COMBINATION_NOTE_LENGTH = 200

/** The beginning of the note of a combination, which says whether that is all. */
export function cutCombinationNote(note: string): string {
  const characters = Array.from(note.trim())
  if (characters.length <= MAX_COMBINATION_NOTE_LENGTH) return note.trim()
  return `${characters.slice(0, MAX_COMBINATION_NOTE_LENGTH).join('').trimEnd()}…`
}

/** One line about a combination of a result: “Chrome, Windows: Failed, The total is wrong”, with the beginning of its note. */
export function formatCombination(name: string, statusName: string, note: string | null): string {
  const reason = cutCombinationNote((note ?? '').replaceAll(/\s+/g, ' '))
  return `${name}: ${statusName}${reason === '' ? '' : `, ${reason}`}`
}
