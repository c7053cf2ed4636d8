import { describe, expect, it } from 'vitest'

import { isSelected, readOptions } from './read-options.ts'

describe('readOptions', () => {
  it.each([true, 'true', '1', 'yes'])('reads strict=%j as true', (strict) => {
    expect(readOptions({ reporterOption: { strict } }).strict).toBe(true)
  })

  it.each([false, 'false', '0', ''])('reads strict=%j as false', (strict) => {
    expect(readOptions({ reporterOptions: { strict } }).strict).toBe(false)
  })

  it('reads all flags of the command line', () => {
    const reporterOption = { createCases: 'true', addToRun: 'false' }
    expect(readOptions({ reporterOption })).toEqual({ createCases: true, addToRun: false })
  })

  it('returns no options that are not set', () => {
    expect(readOptions({ reporterOptions: { runId: '7' } })).toEqual({ runId: '7' })
    expect(readOptions({})).toEqual({})
  })
})

describe('isSelected', () => {
  it('returns true without filters', () => {
    expect(isSelected('Shop opens', {})).toBe(true)
  })

  it('returns the same for repeated calls with a global pattern', () => {
    const grep = /Shop/g
    expect([isSelected('Shop opens', { grep }), isSelected('Shop opens', { grep })]).toEqual([true, true])
    expect(isSelected('Cart opens', { grep })).toBe(false)
  })

  it('inverts the result of the pattern with --invert', () => {
    expect(isSelected('Shop opens', { grep: /Shop/, invert: true })).toBe(false)
    expect(isSelected('Cart opens', { grep: /Shop/, invert: true })).toBe(true)
  })
})
