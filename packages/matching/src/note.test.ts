import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { truncateNote, MAX_NOTE_LENGTH } from './note.ts'

const MARK = '… [cut]'

describe('truncateNote', () => {
  it.each([
    ['letters', 'x'.repeat(MAX_NOTE_LENGTH)],
    ['surrogate pairs', '🐞'.repeat(MAX_NOTE_LENGTH)],
    ['letters and a surrogate pair', `${'x'.repeat(MAX_NOTE_LENGTH - 1)}🐞`],
    ['nothing', ''],
  ])('does not change a note of at most 65,536 characters that contains %s', (_, note) => {
    expect(truncateNote(note) === note).toBe(true)
  })

  it.each([
    ['one letter', 'x', 'y'],
    ['one surrogate pair', '🐞', '🐞'],
    ['one letter after surrogate pairs', '🐞', 'x'],
    ['one surrogate pair after letters', 'x', '🐞'],
  ])('truncates and marks a note that is too long by %s', (_, filler, extra) => {
    const full = filler.repeat(MAX_NOTE_LENGTH)
    expect(truncateNote(full + extra) === full + MARK).toBe(true)
  })

  it('never splits a character, and does not change a note that is already truncated', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }), (piece) => {
        const note = truncateNote(piece.repeat(MAX_NOTE_LENGTH))
        return !/\p{Surrogate}/u.test(note) && truncateNote(note) === note
      }),
      { numRuns: 30 },
    )
  })
})
