import { replaceLoneSurrogates } from './clean-text.ts'

/** No sensible reference is longer between `&` and `;`. */
export const MAX_REFERENCE_LENGTH = 32

/** What may turn out only with the next piece: a reference, or half a surrogate pair. */
const UNFINISHED = /(?:&[#\w]{0,31}|[\ud800-\udbff])$/

/** Pieces of text that never end within a character. */
export interface CharacterJoiner {
  /** @returns the piece with what was held back before it, without what is held back now; may be ''. */
  next(piece: string): string
  /** @returns what is still held back. */
  rest(): string
}

/**
 * Joins a text that comes in pieces. Drops a byte order mark at its start, mends lone surrogates, and makes every line
 * break a line feed, as XML 1.0, 2.11 has it.
 */
export function createCharacterJoiner(): CharacterJoiner {
  let held = ''
  let isStart = true
  let endedInReturn = false

  function withLineFeeds(piece: string): string {
    if (piece === '') return piece
    const fresh = endedInReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    endedInReturn = piece.endsWith('\r')
    return fresh.includes('\r') ? fresh.replaceAll(/\r\n?/g, '\n') : fresh
  }

  return {
    next(piece) {
      let text = held + withLineFeeds(piece)
      if (isStart && text !== '') {
        isStart = false
        if (text.startsWith('\ufeff')) text = text.slice(1)
      }
      held = UNFINISHED.exec(text.slice(-MAX_REFERENCE_LENGTH))?.[0] ?? ''
      return replaceLoneSurrogates(held === '' ? text : text.slice(0, -held.length))
    },
    rest() {
      const text = replaceLoneSurrogates(held)
      held = ''
      return text
    },
  }
}
