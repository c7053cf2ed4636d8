import { MAX_REFERENCE_LENGTH, replaceLoneSurrogates } from './clean-text.ts'

/** An incomplete reference or surrogate pair at the end of a piece. */
const INCOMPLETE_END = /(?:&[#\w]{0,31}|[\ud800-\udbff])$/

/** Joins pieces of text, so that none of them ends in the middle of a character. */
export interface CharacterJoiner {
  /** @returns the piece, preceded by the characters kept from the one before; an incomplete end is kept for the next */
  next(piece: string): string
  /** @returns the characters that are still kept */
  flush(): string
}

/**
 * Creates a joiner that also removes a byte order mark, replaces lone surrogates, and normalizes line breaks to line
 * feeds (XML 1.0, section 2.11).
 */
export function createCharacterJoiner(): CharacterJoiner {
  let pending = ''
  let isStart = true
  let endsWithReturn = false

  function normalizeLineBreaks(piece: string): string {
    if (piece === '') return piece
    const text = endsWithReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    endsWithReturn = piece.endsWith('\r')
    return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
  }

  return {
    next(piece) {
      let text = pending + normalizeLineBreaks(piece)
      if (isStart && text !== '') {
        isStart = false
        if (text.startsWith('\ufeff')) text = text.slice(1)
      }
      pending = INCOMPLETE_END.exec(text.slice(-MAX_REFERENCE_LENGTH))?.[0] ?? ''
      return replaceLoneSurrogates(pending === '' ? text : text.slice(0, -pending.length))
    },
    flush() {
      const text = replaceLoneSurrogates(pending)
      pending = ''
      return text
    },
  }
}
