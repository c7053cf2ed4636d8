import type { FailureGroupDetail } from '@caseward/client/endpoints'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { buildIssueBody, buildIssueTitle, fillIssueTemplate } from './issue-text.ts'

const test = { id: '1', suite: 'src/cart.spec.ts', name: 'Cart > pays', variant: 'chromium', file: 'src/cart.spec.ts' }
const group: FailureGroupDetail = {
  signature: '5f1b6c9a4d2e4f7081a3b5c7d9e0f123',
  title: 'Error: connect ECONNREFUSED 127.0.0.1:5432',
  kind: 'Error',
  test_count: 12,
  run_count: 3,
  first_seen: '2026-11-03T12:00:00.000Z',
  last_seen: '2026-11-21T09:30:00.000Z',
  verdicts: {},
  tests: Array.from({ length: 12 }, (_, index) => ({ ...test, id: String(index) })),
  issues: [],
  message: 'connect ECONNREFUSED <addr>',
  frame: '',
  days: [],
  sample: {
    run_id: '1',
    test_id: '0',
    message: 'Error: connect ECONNREFUSED',
    details: 'Error: connect ECONNREFUSED\n  at https://ada:secret@db.test\n```\ntoken=abcdef',
  },
}
const facts = {
  group,
  test: null,
  run: { name: 'Nightly 812', metadata: { branch: 'main', commit: '8a006ed1b2c3d4e5f607' } },
  url: 'https://tests.example.com/projects/1/insight/failures/5f',
  reporter: 'Ada',
}

describe('the text of an issue', () => {
  it('says what failed, how, where, since when and who says so, without secrets', () => {
    expect(buildIssueTitle(facts)).toBe('Error: connect ECONNREFUSED 127.0.0.1:5432')
    expect(buildIssueBody(facts).split('\n')).toEqual([
      '12 tests failed:',
      ...Array.from({ length: 10 }, () => '- `src/cart.spec.ts › Cart › pays (chromium)`'),
      '- and 2 others',
      '',
      '````',
      'Error: connect ECONNREFUSED',
      '  at https://…@db.test',
      '```',
      'token=…',
      '````',
      '',
      'Run: Nightly 812, branch main, commit 8a006ed1b2c3',
      'Seen in 3 runs since 3 Nov 2026.',
      facts.url,
      '',
      'Reported by Ada in Caseward',
      'caseward:5f1b6c9a4d2e4f70',
    ])
  })

  it('is about one test, and has up to 40 lines of a message', () => {
    const details = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n')
    const body = buildIssueBody({
      ...facts,
      test: 'pays `now`',
      run: null,
      group: { ...group, sample: { run_id: '1', test_id: '0', message: '', details } },
    })
    expect(body).toMatch(/^`` pays `now` `` failed\.\n\n```\nline 0\n/)
    expect(body).toContain('\nline 39\n…\n```\n\nSeen in 3 runs')
    expect(buildIssueTitle({ group: { ...group, title: '' }, test: 'pays' })).toBe('pays fails')
  })
})

describe('the address of a new issue', () => {
  const template = 'https://tracker.test/new?title={title}&body={body}&labels={labels}&link={url}'

  it('has the texts percent-encoded in their places', () => {
    const address = fillIssueTemplate(template, { title: 'a & b #1', body: '{title}\n=', url: 'https://a.test/?b' })
    expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
      title: 'a & b #1',
      body: '{title}\n=',
      labels: 'caseward',
      link: 'https://a.test/?b',
    })
  })

  it('has at most 6,000 characters, of which the body has what is left, and never another host', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.string({ unit: 'binary', maxLength: 9000 }),
        (title, body) => {
          const address = fillIssueTemplate(template, { title, body, url: 'https://a.test/' })
          const url = new URL(address)
          expect(url.origin).toBe('https://tracker.test')
          expect(url.searchParams.get('title')).toBe(title.toWellFormed())
          expect(address.length).toBeLessThanOrEqual(6000)
          const filled = url.searchParams.get('body') ?? ''
          expect(filled === body.toWellFormed() || address.length > 6000 - 30).toBe(true)
        },
      ),
      { numRuns: 20 },
    )
  })
})
