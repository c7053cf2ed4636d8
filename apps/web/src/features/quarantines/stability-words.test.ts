import { expect, it } from 'vitest'

import { formatFlakes } from './stability-words.ts'

it('flakes of a test are counted by commits, and few commits are said to be few', () => {
  expect(formatFlakes({ flake_commits: 3, commits: 41 })).toBe('3 of 41 commits')
  expect(formatFlakes({ flake_commits: 1, commits: 3 })).toBe('1 of 3 commits, few')
  expect(formatFlakes({ flake_commits: 1, commits: 1 })).toBe('1 of 1 commit, few')
  expect(formatFlakes({ flake_commits: 12, commits: 1200 })).toBe('12 of 1,200 commits')
})
