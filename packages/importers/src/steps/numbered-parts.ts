/** `1.`, `2)`, `3-`, `4:`; not the `1.` of `1.5 V`. */
const MARKER = /^\s*(\d{1,4})\s?[.)\-:、．](?!\d)[ \t]*/
const INLINE_MARKER = /(^|[\s;,.。；，])(\d{1,4})[.)\-:、．](?!\d)[ \t]*/g

export interface NumberedPart {
  readonly number: number
  readonly text: string
}

export const toLines = (text: string): string[] => text.split(/\r\n|\r|\n/)

const join = (lines: readonly string[]) => lines.join('\n').trim()

/**
 * Splits a text at lines that begin with a number.
 * @param isNext whether a number goes on after the one before it, 0 at first
 */
function splitLines(text: string, isNext: (number: number, last: number) => boolean) {
  const before: string[] = []
  const parts: { number: number; lines: string[] }[] = []
  let isFenced = false
  for (const line of toLines(text)) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced
    const marker = isFenced || line.trimStart().startsWith('|') ? null : MARKER.exec(line)
    const number = Number(marker?.[1])
    if (marker !== null && isNext(number, parts.at(-1)?.number ?? 0)) {
      parts.push({ number, lines: [line.slice(marker[0].length)] })
    } else (parts.at(-1)?.lines ?? before).push(line)
  }
  return {
    before: join(before),
    parts: parts.map(({ number, lines }): NumberedPart => ({ number, text: join(lines) })),
  }
}

/** Splits a text whose lines are numbered 1, 2, 3 …; a line with another number belongs to the part above it. */
export function splitNumbered(text: string): { before: string; parts: readonly NumberedPart[] } {
  // A list within the first step.
  if (/^\s*1[.)]\s+1[.)]/.test(text))
    return { before: '', parts: [{ number: 1, text: text.replace(MARKER, '').trim() }] }
  const split = splitLines(text, (number, last) => number === last + 1)
  if (split.parts.length > 1) return split
  const inline = splitInline(text)
  return inline.length > 1 ? { before: '', parts: inline } : split
}

/** Splits expected results whose numbers may leave some out: 1, 3, 4. */
export function splitWithGaps(text: string): readonly NumberedPart[] {
  const split = splitLines(text, (number, last) => number > last)
  if (split.before !== '') return []
  if (split.parts.length > 1) return split.parts
  const inline = splitInline(text)
  return inline.length > 1 ? inline : split.parts
}

/** Splits one line with numbers in it: `1.Open;2.Sign up`, `1- Click 2- Fill`. */
function splitInline(text: string): readonly NumberedPart[] {
  const line = text.trim()
  if (/[\r\n]/.test(line) || !MARKER.test(line)) return []
  const starts: { number: number; at: number; end: number }[] = []
  for (const match of line.matchAll(INLINE_MARKER)) {
    const number = Number(match[2])
    if (number !== starts.length + 1) continue
    const at = match.index + (match[1] ?? '').length
    starts.push({ number, at, end: match.index + match[0].length })
  }
  return starts.map(({ number, end }, index) => ({
    number,
    text: line
      .slice(end, starts[index + 1]?.at)
      .trim()
      .replace(/[;；]$/, '')
      .trim(),
  }))
}

/** The items of a text that is a list as a whole; none if anything stands beside the list. */
export function splitList(text: string): readonly string[] {
  const items: string[][] = []
  for (const line of toLines(text)) {
    const item = /^(?:[-*•–+])\s+(.*)$/.exec(line)
    const last = items.at(-1)
    if (item !== null) items.push([item[1] ?? ''])
    else if (line.trim() === '' || (last !== undefined && /^\s{2,}/.test(line))) last?.push(line)
    else return []
  }
  return items.map(join).filter((item) => item !== '')
}
