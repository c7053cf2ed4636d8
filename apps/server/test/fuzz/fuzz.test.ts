import { describe } from 'vitest'

import { fuzzApi } from './fuzz-api.ts'

// fuzz-long.test.ts sends enough to say which share of them each operation accepts.
describe('the API, fuzzed from its OpenAPI document', () => {
  fuzzApi({ firstRound: 0, requests: Number(process.env['FUZZ_REQUESTS'] ?? 800), leastRequests: 2 })
})
