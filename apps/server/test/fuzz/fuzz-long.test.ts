import { describe, expect, it } from 'vitest'

import { fuzzApi } from './fuzz-api.ts'

describe('the API, fuzzed from its OpenAPI document with other requests than those of fuzz.test.ts', () => {
  const { findRarelyAccepted } = fuzzApi({ firstRound: 1, requests: 16_000 })

  it('accepts more than a quarter of the requests of every operation, and at least one successfully', () => {
    expect(findRarelyAccepted()).toEqual([])
  })
})
