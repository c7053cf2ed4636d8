import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { plainLook } from './ansi.ts'
import { cutParts, findMatches, splitLines, textStart } from './text-lines.ts'

const line = (text: string) => ({ text, spans: [], number: 1 })

describe('splitLines', () => {
  it('numbers lines over several parts of a text', () => {
    const first = splitLines('one\r\ntwo\n', textStart)
    const second = splitLines('three', first.end)
    expect([...first.lines, ...second.lines].map(({ number, text }) => `${number} ${text}`)).toEqual([
      '1 one',
      '2 two',
      '3 three',
    ])
  })

  it('shows a line that is longer than a part without a second number', () => {
    const first = splitLines('a'.repeat(3000), textStart)
    const second = splitLines('b\nnext\n', first.end)
    expect([...first.lines, ...second.lines].map(({ number, text }) => [number, text.length])).toEqual([
      [1, 2000],
      [null, 1000],
      [null, 1],
      [2, 4],
    ])
  })

  it('keeps a color until it ends in a later line', () => {
    const { lines } = splitLines('\u001b[31mred\nstill\u001b[0m plain\n', textStart)
    expect(lines.map(({ spans }) => spans.map(({ to, look }) => [to, look.color]))).toEqual([[[3, 1]], [[5, 1]]])
  })
})

describe('findMatches', () => {
  it('finds every place whatever the case, and nothing for an empty text', () => {
    const lines = [line('Error: no error'), line('fine'), line('ERROR')]
    expect(findMatches(lines, 'error').map(({ line: at, from }) => [at, from])).toEqual([
      [0, 0],
      [0, 10],
      [2, 0],
    ])
    expect(findMatches(lines, '')).toEqual([])
  })
})

describe('cutParts', () => {
  it('returns the whole text of a line for any spans and matches', () => {
    const range = fc
      .tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 }))
      .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))
    fc.assert(
      fc.property(fc.string({ minLength: 20, maxLength: 20 }), fc.array(range), (text, ranges) => {
        const spans = ranges.map((part) => ({ ...part, look: { ...plainLook, color: 1 } }))
        const matches = ranges.map((part, index) => ({ ...part, line: 0, index }))
        expect(
          cutParts({ text, spans, number: 1 }, matches)
            .map((part) => part.text)
            .join(''),
        ).toBe(text)
      }),
    )
  })
})
