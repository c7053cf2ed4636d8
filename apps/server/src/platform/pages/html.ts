import { escapeHtml } from '../mail/mail-layout.ts'

const safe = Symbol('html')

/** HTML in which every text from outside has been escaped. Only {@link html} makes it. */
export interface Html {
  readonly [safe]: string
}

type Piece = Html | string | number | null | readonly Html[]

/** Puts HTML together: what is put in is escaped, unless it is HTML made by this function. Null is nothing. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return { [safe]: String.raw({ raw: strings }, ...pieces.map(renderPiece)) }
}

function renderPiece(piece: Piece): string {
  if (piece === null) return ''
  if (typeof piece === 'object') return safe in piece ? piece[safe] : piece.map((part) => part[safe]).join('')
  return escapeHtml(String(piece))
}

export const renderHtml = (page: Html): string => page[safe]
