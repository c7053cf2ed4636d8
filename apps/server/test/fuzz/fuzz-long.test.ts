import { describe } from 'vitest'

import { fuzzApi } from './fuzz-api.ts'

describe('the API, fuzzed from its OpenAPI document with other requests than those of fuzz.test.ts', () => {
  fuzzApi({ firstRound: 1, requests: 16_000 })
})
