import { describe, expect, it } from 'vitest'

import type { OpenableFile } from '../shown-file.ts'
import { findComparison } from './find-comparison.ts'

const file = (name: string, attempt: number | null = null) =>
  ({ name, attempt, step: null, kind: 'image' }) as unknown as OpenableFile

describe('findComparison', () => {
  it('finds the pictures of the same name and attempt', () => {
    const files = [
      file('pay-expected.png', 2),
      file('pay-actual.png', 1),
      file('pay-actual.png', 2),
      file('pay-diff.png', 2),
    ]
    const found = findComparison(files[3] ?? file(''), files)
    expect([found?.expected, found?.actual, found?.diff]).toEqual([files[0], files[2], files[3]])
  })

  it('finds nothing for a picture alone, or without its counterpart', () => {
    expect(findComparison(file('shot.png'), [file('shot.png')])).toBeNull()
    expect(findComparison(file('pay-actual.png'), [file('pay-actual.png'), file('cart-expected.png')])).toBeNull()
  })
})
