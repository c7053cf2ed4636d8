import { describe } from 'vitest'

import { fuzzHalf } from './fuzz-half.ts'

describe('the API, fuzzed from its OpenAPI document (first half)', () => {
  fuzzHalf(0)
})
