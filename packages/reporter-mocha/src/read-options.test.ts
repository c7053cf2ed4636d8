import { describe, expect, it } from 'vitest'

import { isSelected, readOptions } from './read-options.ts'

describe('options', () => {
  it.each([true, 'true', '1', 'yes'])('take strict: %j for strict', (strict) => {
    expect(readOptions({ reporterOption: { strict } }).strict).toBe(true)
  })

  it.each([false, 'false', '0', ''])('take strict: %j for not strict', (strict) => {
    expect(readOptions({ reporterOptions: { strict } }).strict).toBe(false)
  })

  it('leave to the environment what they do not say', () => {
    expect(readOptions({ reporterOptions: { runId: '7' } })).toEqual({ runId: '7' })
    expect(readOptions({})).toEqual({})
  })
})

describe('a test', () => {
  it('is asked for when nothing is said', () => {
    expect(isSelected('Shop opens', {})).toBe(true)
  })

  it('is asked for by --grep, each time the same', () => {
    const grep = /Shop/g
    expect([isSelected('Shop opens', { grep }), isSelected('Shop opens', { grep })]).toEqual([true, true])
    expect(isSelected('Cart opens', { grep })).toBe(false)
  })

  it('is asked for by --invert when --grep does not find it', () => {
    expect(isSelected('Shop opens', { grep: /Shop/, invert: true })).toBe(false)
    expect(isSelected('Cart opens', { grep: /Shop/, invert: true })).toBe(true)
  })
})
