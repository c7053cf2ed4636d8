import { type Position, positionAfter } from './junit-error.ts'

/** One that begins no reference such as `&amp;` or `&#27;`. */
const BARE_AMPERSAND = /&(?!#?\w{1,31};)/g

/**
 * Knows which `&` is to blame. Behind one that begins no reference, an XML parser looks for a `;` through the rest of the
 * report if need be, and objects only there. Offsets are UTF-16 units from the start of the report.
 */
export interface BareAmpersandTracker {
  /** @param position that of the piece's first character, in the form `positionAfter` takes. */
  startPiece(piece: string, position: Position): void
  /** @param eventEnd where the last event ends, after which it would stand. */
  endPiece(eventEnd: number): void
  /**
   * @param readEnd how far has been read.
   * @returns its place, or null when there is none.
   */
  find(eventEnd: number, readEnd: number): Position | null
}

export function createBareAmpersandTracker(): BareAmpersandTracker {
  let piece = ''
  let pieceStart = 0
  let piecePosition: Position = { line: 1, column: 0 }
  /** The event after which was searched, how what follows it begins, and what was found there. */
  let searchedAfter = 0
  let head = ''
  let found: Position | null = null

  function find(eventEnd: number, readEnd: number): Position | null {
    if (searchedAfter !== eventEnd) {
      searchedAfter = eventEnd
      head = ''
      found = null
    }
    const from = Math.max(0, eventEnd - pieceStart)
    head = (head + piece.slice(from, from + 5)).slice(0, 5)
    // In CDATA, comments and the like there is nothing wrong with one. The XML declaration is no event.
    const isLiteral = head.startsWith('<!') || (head.startsWith('<?') && head !== '<?xml')
    if (found === null && !isLiteral) {
      BARE_AMPERSAND.lastIndex = from
      const match = BARE_AMPERSAND.exec(piece)
      if (match !== null && pieceStart + match.index < readEnd)
        found = positionAfter(piece.slice(0, match.index), piecePosition)
    }
    return found
  }

  return {
    startPiece(text, position) {
      pieceStart += piece.length
      piece = text
      piecePosition = position
    },
    endPiece(eventEnd) {
      find(eventEnd, pieceStart + piece.length)
    },
    find,
  }
}
