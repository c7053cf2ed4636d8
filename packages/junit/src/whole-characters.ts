import { wellFormed } from './clean-text.ts'

/** No sensible reference is longer between `&` and `;`. */
export const LONGEST_REFERENCE = 32

/** What may turn out only with the next piece: a reference, half a surrogate pair, a line break of two characters. */
const UNFINISHED = /(?:\r?&[#\w]{0,31}|[\ud800-\udbff]|\r)$/

/** Pieces of text that never end within a character. */
export interface CharacterJoiner {
  /** @returns the piece with what was held back before it, without what is held back now; may be ''. */
  next(piece: string): string
  /** @returns what is still held back. */
  rest(): string
}

/** Joins a text that comes in pieces. Drops a byte order mark at its start and mends lone surrogates. */
export function createCharacterJoiner(): CharacterJoiner {
  let held = ''
  let isStart = true

  return {
    next(piece) {
      let text = held + piece
      if (isStart && text !== '') {
        isStart = false
        if (text.startsWith('\ufeff')) text = text.slice(1)
      }
      held = UNFINISHED.exec(text.slice(-LONGEST_REFERENCE - 1))?.[0] ?? ''
      return wellFormed(held === '' ? text : text.slice(0, -held.length))
    },
    rest() {
      const text = wellFormed(held)
      held = ''
      return text
    },
  }
}
