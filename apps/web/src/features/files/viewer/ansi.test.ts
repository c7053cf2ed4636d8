import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseAnsi, plainLook } from './ansi.ts'

/** Texts of what sequences consist of. */
const texts = fc
  .array(fc.constantFrom('\u001b', '\u0007', '[', ']', '\\', ';', ':', '?', '0', '1', '3', '8', 'm', 'K', 'a', '\n'))
  .map((parts) => parts.join(''))

describe('parseAnsi', () => {
  it('takes colors out of a line, and keeps the last one for the next line', () => {
    const { text, spans, look } = parseAnsi('\u001b[31mError\u001b[0m in \u001b[1;92mcart.ts', plainLook)
    expect(text).toBe('Error in cart.ts')
    expect(spans).toEqual([
      { from: 0, to: 5, look: { ...plainLook, color: 1 } },
      { from: 9, to: 16, look: { ...plainLook, color: 10, isBold: true } },
    ])
    expect(parseAnsi('next', look).spans).toEqual([{ from: 0, to: 4, look }])
  })

  it.each([
    ['256 colors', '\u001b[38;5;196mred', 9],
    ['true colors', '\u001b[38;2;30;200;40mgreen', 2],
    ['a gray', '\u001b[38;5;240mgray', 8],
    ['a background', '\u001b[44mblue', null],
  ])('finds the nearest color of %s', (_, line, color) => {
    expect(parseAnsi(line, plainLook).spans[0]?.look.color).toBe(color)
  })

  it('removes sequences that are not about colors', () => {
    expect(parseAnsi('\u001b[2K\u001b]0;title\u0007\u001b[1Adone\u001b[?25h', plainLook).text).toBe('done')
  })

  it('keeps every character of a text without sequences, and never fails', () => {
    fc.assert(
      fc.property(texts, (line) => {
        const { text } = parseAnsi(line, plainLook)
        expect(line.includes('\u001b') ? text.length < line.length + 1 : text === line).toBe(true)
      }),
    )
  })
})
