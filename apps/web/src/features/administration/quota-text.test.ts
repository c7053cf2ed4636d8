import { expect, it } from 'vitest'

import { formatQuota, parseQuota } from './quota-text.ts'

it.each([
  ['', null],
  ['  ', null],
  ['1', 1],
  [' 250 ', 250],
  ['999999999', 999_999_999],
  ['0', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['1000000000', undefined],
  ['many', undefined],
])('the text %j means %j', (text, quota) => {
  expect(parseQuota(text, 'max_runs_per_project')).toBe(quota)
})

it('a quota that is formatted and parsed is the same', () => {
  for (const quota of [null, 1, 100_000, 1e14])
    expect(parseQuota(formatQuota(quota), 'max_file_bytes_per_project')).toBe(quota)
})
