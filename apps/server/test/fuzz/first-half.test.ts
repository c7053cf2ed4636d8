import { describe } from 'vitest'

import { fuzzHalf } from './fuzz-half.ts'

describe('the service, fuzzed from its own document (the first half)', () => {
  fuzzHalf(0)
})
