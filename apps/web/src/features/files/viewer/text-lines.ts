import { type AnsiLook, type AnsiSpan, hasAnsi, parseAnsi, plainLook } from './ansi.ts'

/** A line of a text, or a part of one that is very long. */
export interface TextLine {
  readonly text: string
  readonly spans: readonly AnsiSpan[]
  /** From 1; null for a part of a line, and where the number is unknown. */
  readonly number: number | null
}

/** Where a text goes on. */
export interface TextEnd {
  readonly look: AnsiLook
  /** The number of the next line; null if it is unknown. */
  readonly nextNumber: number | null
  /** Whether the last line goes on. */
  readonly isOpen: boolean
}

export const textStart: TextEnd = { look: plainLook, nextNumber: 1, isOpen: false }

/** Longer lines are shown in parts: browsers are slow with very long ones. */
const MAX_LENGTH = 2000

/** Splits the next part of a text into lines. The last one is not open if the text ends with a line end. */
export function splitLines(text: string, start: TextEnd): { lines: TextLine[]; end: TextEnd } {
  const parts = text.split(/\r\n|\n|\r/)
  const isOpen = parts.at(-1) !== ''
  if (!isOpen) parts.pop()
  const lines: TextLine[] = []
  let { look, nextNumber } = start
  for (const [index, part] of parts.entries()) {
    const isContinued = index === 0 && start.isOpen
    const number = isContinued ? null : nextNumber
    if (!isContinued && nextNumber !== null) nextNumber += 1
    const parsed = look !== plainLook || hasAnsi(part) ? parseAnsi(part, look) : { text: part, spans: [], look }
    look = parsed.look
    lines.push(...cutLine({ text: parsed.text, spans: parsed.spans, number }))
  }
  return { lines, end: { look, nextNumber, isOpen } }
}

function cutLine(line: TextLine): TextLine[] {
  if (line.text.length <= MAX_LENGTH) return [line]
  const parts: TextLine[] = []
  for (let from = 0; from < line.text.length; from += MAX_LENGTH) {
    const to = from + MAX_LENGTH
    const spans = line.spans
      .filter((span) => span.from < to && span.to > from)
      .map((span) => ({ ...span, from: Math.max(span.from, from) - from, to: Math.min(span.to, to) - from }))
    parts.push({ text: line.text.slice(from, to), spans, number: from === 0 ? line.number : null })
  }
  return parts
}

/** Where a searched text is. */
export interface TextMatch {
  readonly line: number
  readonly from: number
  readonly to: number
}

/** More are of no use to anybody. */
const MAX_MATCHES = 5000

/** Finds a text in lines, whatever the case of its letters. */
export function findMatches(lines: readonly TextLine[], searched: string): TextMatch[] {
  const needle = searched.toLowerCase()
  const matches: TextMatch[] = []
  if (needle === '') return matches
  for (const [line, { text }] of lines.entries()) {
    const lower = text.toLowerCase()
    for (let from = lower.indexOf(needle); from !== -1; from = lower.indexOf(needle, from + needle.length)) {
      matches.push({ line, from, to: from + needle.length })
      if (matches.length === MAX_MATCHES) return matches
    }
  }
  return matches
}

/** A part of a line with one look, highlighted if a search has found it. */
export interface LinePart {
  /** Where it begins. */
  readonly from: number
  readonly text: string
  readonly look: AnsiLook
  /** Index of the match; null for none. */
  readonly match: number | null
}

/** Cuts a line where its look changes, and where matches begin and end. @param matches those of the line, with their indexes */
export function cutParts(
  { text, spans }: TextLine,
  matches: readonly (TextMatch & { readonly index: number })[],
): LinePart[] {
  const cuts = [...spans, ...matches].flatMap(({ from, to }) => [from, to])
  const edges = [...new Set([0, ...cuts, text.length])].filter((edge) => edge <= text.length).toSorted((a, b) => a - b)
  return edges.slice(0, -1).map((from, index) => {
    const to = edges[index + 1] ?? text.length
    const contains = (part: { from: number; to: number }) => part.from <= from && to <= part.to
    return {
      from,
      text: text.slice(from, to),
      look: spans.find(contains)?.look ?? plainLook,
      match: matches.find(contains)?.index ?? null,
    }
  })
}
