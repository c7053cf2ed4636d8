import { describe, expect, it } from 'vitest'

import { listBuildFacts } from './build-data.ts'

const run = {
  metadata: {},
  expected_shards: null,
  shards_done: [],
  created_at: '2026-11-21T09:00:00.000Z',
  completed_at: null,
}

describe('listBuildFacts', () => {
  it('lists what reporters send first, with a short commit and a link to the build', () => {
    const commit = '8a006ed1234567890abcdef1234567890abcdef1'
    const metadata = { browser: 'Firefox', ci_url: 'https://ci.example.com/1', commit, branch: 'main' }
    expect(listBuildFacts({ ...run, metadata })).toEqual([
      { label: 'Branch', text: 'main', url: null, full: null },
      { label: 'Commit', text: '8a006ed', url: null, full: commit },
      { label: 'Build', text: 'Open build', url: 'https://ci.example.com/1', full: 'https://ci.example.com/1' },
      { label: 'browser', text: 'Firefox', url: null, full: null },
    ])
  })

  it.each([
    [{ build: '#842', build_url: 'https://ci.test/842' }, ['#842 https://ci.test/842']],
    [{ build: '842', ci_url: 'https://ci.test/842', build_url: 'https://ci.test/842' }, ['842 https://ci.test/842']],
    [{ build: '842' }, ['842 null']],
    [{ build_url: 'ftp://x' }, ['ftp://x null']],
    [
      { build: '842', ci_url: 'https://a.test', build_url: 'https://b.test' },
      ['842 null', 'Open build https://a.test', 'Open build https://b.test'],
    ],
  ])('makes one link of number and page of a build: %j', (metadata, expected) => {
    const facts = listBuildFacts({ ...run, metadata })
    expect(facts.map(({ label, text, url }) => `${label}: ${text} ${url}`)).toEqual(
      expected.map((text) => `Build: ${text}`),
    )
  })

  it('leaves out what only the comparison with other runs needs', () => {
    const metadata = { base_branch: 'main', base_commit: 'c0ffee1', repository: 'a/b', suite: 'nightly' }
    expect(listBuildFacts({ ...run, metadata }).map(({ label, text }) => `${label}: ${text}`)).toEqual([
      'Base branch: main',
      'Suite: nightly',
    ])
  })

  it.each(['javascript:alert(1)', 'https://', 'data:text/html,x', 'see https://ci.example.com'])(
    'makes no link of what is no web page: %s',
    (ci_url) => {
      expect(listBuildFacts({ ...run, metadata: { ci_url } })).toEqual([
        { label: 'Build', text: ci_url, url: null, full: null },
      ])
    },
  )

  it('counts shards, and measures a run that is completed', () => {
    const completed = { ...run, expected_shards: 4, shards_done: ['1', '3'], completed_at: '2026-11-21T11:10:00.000Z' }
    expect(listBuildFacts(completed)).toEqual([
      { label: 'Shards', text: '2 of 4', url: null, full: '1, 3' },
      { label: 'Duration', text: '2 h 10 min', url: null, full: null },
    ])
  })
})
