import { describe } from 'vitest'

import { fuzzApi } from './fuzz-api.ts'

describe('the API, fuzzed from its OpenAPI document', () => {
  fuzzApi({ firstRound: 0, requests: Number(process.env['FUZZ_REQUESTS'] ?? 4000) })
})
