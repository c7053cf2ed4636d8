import { describe, expect, it } from 'vitest'

import { buildFileName } from './download-file.ts'

describe('buildFileName', () => {
  it.each([
    [['Web shop', 'test cases'], 'Web shop test cases 2026-01-05.csv'],
    [['a/b:c*\n"d"', 'results'], 'a b c d results 2026-01-05.csv'],
    [['..', 'x'], 'x 2026-01-05.csv'],
  ])('returns for %j a name that file systems accept', (parts, name) => {
    expect(buildFileName(parts, 'csv', new Date(2026, 0, 5))).toBe(name)
  })
})
