import { getPositionAfter, type Position } from './junit-error.ts'

/** Matches a `&` that does not start a reference such as `&amp;` or `&#27;`. */
const BARE_AMPERSAND = /&(?!#?\w{1,31};)/g

/**
 * Finds the bare `&` that caused a syntax error. An XML parser reads on from it to the next `;` and reports the error
 * only there. Offsets are UTF-16 units from the start of the report.
 */
export interface BareAmpersandTracker {
  /** @param position position of the piece's first character, in the form that `getPositionAfter` takes */
  startPiece(piece: string, position: Position): void
  /** @param eventEnd end of the last XML event; the search starts there */
  endPiece(eventEnd: number): void
  /**
   * @param eventEnd end of the last XML event; the search starts there
   * @param readEnd how far the parser has read; the search ends there
   * @returns the position of the bare `&`, or null when there is none
   */
  find(eventEnd: number, readEnd: number): Position | null
}

export function createBareAmpersandTracker(): BareAmpersandTracker {
  let piece = ''
  let pieceStart = 0
  let piecePosition: Position = { line: 1, column: 0 }
  /** State of the current search: where it starts, the first five characters from there, and its result. */
  let searchStart = 0
  let head = ''
  let ampersand: Position | null = null

  function find(eventEnd: number, readEnd: number): Position | null {
    if (searchStart !== eventEnd) {
      searchStart = eventEnd
      head = ''
      ampersand = null
    }
    const from = Math.max(0, eventEnd - pieceStart)
    head = (head + piece.slice(from, from + 5)).slice(0, 5)
    // A bare "&" is allowed in CDATA, comments and processing instructions. The XML declaration has no event.
    const isLiteral = head.startsWith('<!') || (head.startsWith('<?') && head !== '<?xml')
    if (ampersand === null && !isLiteral) {
      BARE_AMPERSAND.lastIndex = from
      const match = BARE_AMPERSAND.exec(piece)
      if (match !== null && pieceStart + match.index < readEnd)
        ampersand = getPositionAfter(piece.slice(0, match.index), piecePosition)
    }
    return ampersand
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
