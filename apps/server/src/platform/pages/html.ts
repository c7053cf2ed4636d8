import { escapeHtml } from '../mail/mail-layout.ts'

const content = Symbol('html')

/** HTML in which every text is escaped. Only {@link html} creates it. */
export interface Html {
  readonly [content]: string
}

type Piece = Html | string | number | null | readonly Html[]

/** Builds HTML from a template: values are escaped, unless they are HTML built by this function. Null renders nothing. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return { [content]: String.raw({ raw: strings }, ...pieces.map(renderPiece)) }
}

function renderPiece(piece: Piece): string {
  if (piece === null) return ''
  if (typeof piece === 'object') return content in piece ? piece[content] : piece.map((part) => part[content]).join('')
  return escapeHtml(String(piece))
}

export const renderHtml = (page: Html): string => page[content]
