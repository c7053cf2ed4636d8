/** How a part of a line looks. Colors are numbers from 0 (black) to 15 (bright white). */
export interface AnsiLook {
  readonly color: number | null
  readonly background: number | null
  readonly isBold: boolean
  readonly isDim: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
}

export const plainLook: AnsiLook = {
  color: null,
  background: null,
  isBold: false,
  isDim: false,
  isItalic: false,
  isUnderlined: false,
}

/** A part of a line with one look, from one character to another. */
export interface AnsiSpan {
  readonly from: number
  readonly to: number
  readonly look: AnsiLook
}

/** All sequences of a terminal: those of colors (`ESC [ … m`), and others, such as those that move the cursor or set a title. */
// oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
const SEQUENCE = /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

/** Whether a text has sequences of a terminal, so that it must be parsed. */
export const hasAnsi = (text: string): boolean => text.includes('\u001b')

/**
 * Takes the sequences of a terminal out of a line (ECMA-48).
 * @param look at the beginning of the line: a color goes on in the next one
 */
export function parseAnsi(line: string, look: AnsiLook): { text: string; spans: AnsiSpan[]; look: AnsiLook } {
  let text = ''
  let current = look
  let end = 0
  const spans: AnsiSpan[] = []
  const append = (part: string) => {
    if (part === '') return
    if (current !== plainLook) spans.push({ from: text.length, to: text.length + part.length, look: current })
    text += part
  }
  for (const match of line.matchAll(SEQUENCE)) {
    append(line.slice(end, match.index))
    end = match.index + match[0].length
    if (match[2] === 'm') current = applyCodes(current, match[1] ?? '')
  }
  append(line.slice(end))
  return { text, spans, look: current }
}

function applyCodes(look: AnsiLook, parameters: string): AnsiLook {
  const codes = parameters.split(/[;:]/).map(Number)
  const next = { ...look }
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0
    if (code === 38 || code === 48) {
      const { color, length } = readExtendedColor(codes.slice(index + 1))
      next[code === 38 ? 'color' : 'background'] = color
      index += length
    } else Object.assign(next, toChange(code))
  }
  return isPlain(next) ? plainLook : next
}

/** What a code changes; nothing for those that are not known. */
function toChange(code: number): Partial<AnsiLook> {
  if (code >= 30 && code <= 37) return { color: code - 30 }
  if (code >= 90 && code <= 97) return { color: code - 82 }
  if (code >= 40 && code <= 47) return { background: code - 40 }
  if (code >= 100 && code <= 107) return { background: code - 92 }
  return changes[code] ?? {}
}

const changes: Readonly<Record<number, Partial<AnsiLook>>> = {
  0: plainLook,
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  22: { isBold: false, isDim: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  39: { color: null },
  49: { background: null },
}

/** `5;n` of 256 colors, or `2;r;g;b`: the nearest of the 16 that both themes have. */
function readExtendedColor([mode, ...values]: readonly number[]): { color: number | null; length: number } {
  if (mode === 5) return { color: toNamedColor(values[0] ?? 0), length: 2 }
  if (mode !== 2) return { color: null, length: 1 }
  const [red = 0, green = 0, blue = 0] = values
  return { color: toNearest(red, green, blue), length: 4 }
}

function toNamedColor(index: number): number {
  if (index < 16) return index
  if (index >= 232) return toNearest(...gray((index - 232) * 10 + 8))
  const level = (value: number) => (value === 0 ? 0 : value * 40 + 55)
  const cube = index - 16
  return toNearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6))
}

const gray = (value: number): [number, number, number] => [value, value, value]

/** Black to white, then the bright ones, by the bits of red, green and blue. */
function toNearest(red: number, green: number, blue: number): number {
  const max = Math.max(red, green, blue)
  if (max < 64) return 0
  const bit = (value: number, weight: number) => (value > max / 2 ? weight : 0)
  const color = bit(red, 1) + bit(green, 2) + bit(blue, 4)
  if (color === 7 && max < 150) return 8
  return max > 220 ? color + 8 : color
}

const isPlain = (look: AnsiLook): boolean =>
  look.color === null && look.background === null && !look.isBold && !look.isDim && !look.isItalic && !look.isUnderlined
