import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { truncateNote, MAX_NOTE_LENGTH } from './note.ts'

const CUT = '… [cut]'

describe('cutNote', () => {
  it.each([
    ['letters', 'x'.repeat(MAX_NOTE_LENGTH)],
    ['characters of two units', '🐞'.repeat(MAX_NOTE_LENGTH)],
    ['both', `${'x'.repeat(MAX_NOTE_LENGTH - 1)}🐞`],
    ['nothing', ''],
  ])('leaves a note of at most 65,536 characters as it is: %s', (_what, note) => {
    expect(truncateNote(note) === note).toBe(true)
  })

  it.each([
    ['a letter', 'x', 'y'],
    ['a character of two units', '🐞', '🐞'],
    ['a letter after characters of two units', '🐞', 'x'],
    ['a character of two units after letters', 'x', '🐞'],
  ])('cuts one that is %s longer, and says so', (_what, filler, extra) => {
    const full = filler.repeat(MAX_NOTE_LENGTH)
    expect(truncateNote(full + extra) === full + CUT).toBe(true)
  })

  it('never cuts within a character, and comes out the same when cut again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }), (piece) => {
        const note = truncateNote(piece.repeat(MAX_NOTE_LENGTH))
        return !/\p{Surrogate}/u.test(note) && truncateNote(note) === note
      }),
      { numRuns: 30 },
    )
  })
})
