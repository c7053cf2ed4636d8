import { toSingleLine } from '@caseward/ci-run/plain-text'
import type { Evaluation, TestVerdict } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import { escapeMarkdown } from './escape-markdown.ts'
import { type Evidence, judge, type Rules } from './judge.ts'
import { MAX_SUMMARY_BYTES, renderSummary, renderTerminal } from './render-summary.ts'

const HOSTILE = [
  '@all and @acme/owners, mail me@example.com',
  '</details><script>alert(1)</script><img src=x onerror=alert(1)>',
  '![x](https://example.com/x.png) [link](javascript:alert(1)) <https://example.com>',
  'https://example.com www.example.com ftp://example.com',
  'a | b || c \\| d \\\\| e',
  '`code` ``more`` ```js\nfence\n```',
  '# heading\n---\n1. one\n> quote\n- [ ] task',
  '**bold** __bold__ ~~gone~~ *a* _b_ \\*',
  '#12 GH-12 !34 $5 ~label %milestone &epic ^alert :tada: acme/web#12',
  '8a006ed1c2d3e4f5061728394a5b6c7d8e9f0011 and 8a006ed',
  '&lt;b&gt; &amp; &#60;',
  '$`a`$ $$x$$ {{ secrets.TOKEN }} ${{ github.token }}',
  '\u202Eevil\u202C \u001B[31mred\u001B[0m \u0007 \uD800',
  '::error file=a::b',
  'näive 日本語 👩‍👩‍👧 tests',
]

/** What a reader sees. */
const decode = (text: string) =>
  text.replaceAll('\u200D', '').replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

const RULES: Rules = { scope: 'run', allow: [], block: [], minTests: 0, allowIncomplete: false }

const makeVerdict = (fields: Partial<TestVerdict>): TestVerdict => ({
  id: '1',
  suite: '',
  name: 'pays',
  variant: '',
  file: '',
  module: '',
  test_case_ids: [],
  linked_by: null,
  verdict: 'new',
  blocks: true,
  is_first_flake: false,
  outcome: 'failed',
  attempt_count: 1,
  message_line: 'expected 200, got 500',
  signature: null,
  since: null,
  base_run_id: null,
  quarantine: null,
  issues: [],
  stability: null,
  ...fields,
})

function makeEvidence(verdicts: readonly TestVerdict[], others: Partial<Evidence> = {}): Evidence {
  const evaluation = {
    is_complete: true,
    base: { run_id: '2', name: 'CI', branch: 'main', commit: '8a006ed1c2', is_exact: true },
    tests: { executed: 12_040, passed: 0, failed: verdicts.length, skipped: 0 },
    warnings: [],
  } as unknown as Evaluation
  const none = { suiteErrors: [], suiteErrorCount: 0, job: null, testExitCode: null, isUploadPartial: false }
  return { evaluation, verdicts, executed: 12_040, shards: null, elapsedMs: null, ...none, ...others }
}

const toInput = (evidence: Evidence) => ({
  evidence,
  judgement: judge(evidence, RULES),
  url: 'https://caseward.example.com/runs/1',
})

describe('escapeMarkdown', () => {
  it.each(HOSTILE)('shows %j as it is, and leaves nothing that is markup', (text) => {
    const escaped = escapeMarkdown(text, 1000)
    expect(escaped.replaceAll(/&#\d+;/g, '')).not.toMatch(/[&<>@`|[\]*_~#!$\\{}^%\n\r]/)
    expect(escaped).not.toMatch(/:(?=\S)(?!\u200D)|www\.|\b(?:GH|GL)-\d|\b[\da-f]{7}/i)
    expect(escaped).not.toMatch(/&#64;(?!\u200D|$)/)
    expect(decode(escaped)).toBe(toSingleLine(text).replaceAll('\u200D', ''))
  })

  it('says the same for every character of ASCII, alone and doubled', () => {
    for (let code = 33; code < 127; code += 1) {
      const character = String.fromCodePoint(code)
      for (const text of [character, character + character, `a${character}b`]) {
        expect(decode(escapeMarkdown(text, 100))).toBe(text)
      }
    }
  })
})

describe('renderSummary', () => {
  it('shows what blocks, by verdict, and then what does not', () => {
    const verdicts = [
      makeVerdict({ suite: 'cart.test.ts', name: 'pays', variant: 'node 20', test_case_ids: ['WEB-12'] }),
      makeVerdict({ verdict: 'already_red', blocks: false, since: { run_id: '3', commit: 'abcdefabc', runs: 4 } }),
    ]
    const [heading, , counts] = renderSummary(toInput(makeEvidence(verdicts))).split('\n')
    expect([heading, counts]).toEqual(['### ✗ 1 failure blocks this build', '1 new · 1 already red · 12,040 tests'])
    const summary = decode(renderSummary(toInput(makeEvidence(verdicts))))
    // Since when it fails is unknown.
    expect(summary).toContain(
      '**New (1)**\n\n- ✗&nbsp;cart.test.ts › pays [node 20]<br>expected 200, got 500 · WEB-12\n\n<details>',
    )
    expect(summary).toContain('<details><summary>Does not block (1)</summary>\n\n**Already red on main (1)**')
    expect(summary).toContain('- ✗&nbsp;pays<br>expected 200, got 500 · for 4 runs, since abcdefa\n')
    expect(summary).toContain('[Open in Caseward](https://caseward.example.com/runs/1) · against main 8a006ed\n')
  })

  it('shows failures of several tests by their cause, and says how many shards and how long', () => {
    const refused = { signature: 'a', message_line: 'connect ECONNREFUSED 127.0.0.1:5432' }
    const verdicts = [
      makeVerdict({ name: 'WEB-12 pays', ...refused, test_case_ids: ['WEB-12'] }),
      makeVerdict({ name: 'logs', signature: 'b' }),
      makeVerdict({ name: 'refunds', ...refused, verdict: 'changed' }),
      makeVerdict({ name: 'ships', ...refused, message_line: 'connect ECONNREFUSED 127.0.0.1:6543' }),
      makeVerdict({ name: 'bills', ...refused, verdict: 'already_red', blocks: false }),
    ]
    const evidence = makeEvidence(verdicts, { shards: { done: 3, expected: 4 }, elapsedMs: 240_000 })
    const summary = decode(renderSummary(toInput(evidence)))
    expect(summary.split('\n')[2]).toBe('3 new · 1 changed · 1 already red · 12,040 tests, 3 of 4 shards, 4 min')
    expect(summary).toContain(
      [
        '**New (1)**\n',
        '- ✗&nbsp;logs<br>expected 200, got 500\n',
        '**One cause, 3 tests: connect ECONNREFUSED 127.0.0.1:5432**\n',
        '- ✗&nbsp;WEB-12 pays<br>new',
        '- ✗&nbsp;refunds<br>changed',
        '- ✗&nbsp;ships<br>connect ECONNREFUSED 127.0.0.1:6543 · new\n',
        '<details><summary>Does not block (1)</summary>\n',
        '**Already red on main (1)**\n',
      ].join('\n'),
    )
    expect(renderTerminal(toInput(evidence))[1]).toBe(summary.split('\n')[2])
  })

  it('shows ten causes at most, those of most tests first', () => {
    const verdicts = Array.from({ length: 25 }, (_, index) =>
      makeVerdict({ signature: String(index % 12), message_line: `cause ${index % 12}` }),
    )
    const summary = renderSummary(toInput(makeEvidence(verdicts)))
    expect(summary.match(/One cause, .*(?=\*\*|<)/g)?.slice(0, 2)).toEqual([
      'One cause, 3 tests, all new: cause 0',
      'One cause, 2 tests, all new: cause 1',
    ])
    expect(summary.match(/One cause/g)).toHaveLength(10)
    // 15 tests are open, and causes behind them are folded.
    expect(summary).toContain('\n<details><summary>One cause, 2 tests, all new: cause 7</summary>\n\n- ✗')
    expect(summary).toContain('\n… and 2 more causes\n')
  })

  it('folds all but five tests of what blocks, says what one cause needs, and does not say its headline twice', () => {
    const verdicts = Array.from({ length: 500 }, (_, index) => makeVerdict({ signature: String(index) }))
    const lines = renderSummary(toInput(makeEvidence(verdicts))).split('\n')
    const fold = lines.indexOf('<details><summary>495 more</summary>')
    expect(lines.slice(0, fold).filter((line) => line.startsWith('- '))).toHaveLength(5)
    expect(lines.slice(fold).filter((line) => line.startsWith('- '))).toHaveLength(15)
    expect(lines.slice(-6)).toEqual(['… and 480 more', '', '</details>', '', expect.stringMatching(/^\[Open/), ''])

    const outage = Array.from({ length: 20 }, () => makeVerdict({ signature: 'a', verdict: 'environment' }))
    const text = renderSummary(toInput(makeEvidence(outage)))
    expect(text).toContain('20 of one cause · 12,040 tests\n\n- Most failures have one cause: run the build again.\n')
    expect(renderSummary(toInput(makeEvidence([], { executed: 0 })))).not.toContain('- ✗')
  })

  it('says that all is green', () => {
    expect(renderSummary(toInput(makeEvidence([])))).toMatch(/^### ✓ All 12,040 tests passed\n/)
  })

  it('keeps an item for each test whatever tests are called', () => {
    const verdicts = HOSTILE.map((text) =>
      makeVerdict({ suite: text, name: text, variant: text, message_line: text, test_case_ids: [text] }),
    )
    const suiteErrors = HOSTILE.map((text) => ({ id: '1', where: text, message: text, shard: null, at: '' }))
    const evidence = makeEvidence(verdicts, { suiteErrors, suiteErrorCount: suiteErrors.length })
    const summary = renderSummary(toInput(evidence))
    const items = summary.split('\n').filter((line) => line.startsWith('- ✗&nbsp;'))
    expect(items).toHaveLength(2 * HOSTILE.length)
    expect(summary.split('\n').filter((line) => /^\s*([-+>|]|\*(?!\*)|\d+[.)])/.test(line))).toEqual(items)
    expect(summary).not.toMatch(/<(?!br>|\/?(?:details|summary)>)/)
  })

  it('has 20 items a section and 200 KB at most, cut at an item and never within a fold, with 10,000 failures', () => {
    const long = '`@<|日本'.repeat(200)
    const verdicts = Array.from({ length: 10_000 }, (_, index) => {
      const verdict = (['new', 'changed', 'new_test', 'environment', 'known_flaky', 'not_run', 'already_red'] as const)[
        index % 7
      ] as TestVerdict['verdict']
      const ids = Array.from({ length: 100 }, (__, id) => `WEB-${id}`)
      return makeVerdict({ verdict, blocks: index % 2 === 0, name: long, message_line: long, test_case_ids: ids })
    })
    const suiteErrors = Array.from({ length: 500 }, () => ({
      id: '1',
      where: long,
      message: long,
      shard: null,
      at: '',
    }))
    const evidence = makeEvidence(verdicts, { suiteErrors, suiteErrorCount: 500 })
    const summary = renderSummary(toInput(evidence))
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(MAX_SUMMARY_BYTES)
    expect(summary).toContain('… and 480 more')
    expect(summary).toContain('</details>\n\n[Open in Caseward]')
    for (const maxBytes of [2000, 9000, 20_000, 33_333, 60_000]) {
      const cut = renderSummary(toInput(evidence), maxBytes)
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes)
      expect(cut.match(/<details>/g)).toHaveLength(cut.match(/<\/details>/g)?.length ?? 0)
      expect(cut).toContain('\n\n[Open in Caseward]')
    }
    expect(renderTerminal(toInput(evidence)).length).toBeLessThan(30)
  })
})

describe('judge', () => {
  const flake = makeVerdict({ verdict: 'flaked', blocks: false, is_first_flake: true })
  const red = makeVerdict({ verdict: 'already_red', blocks: false })
  const gone = makeVerdict({ verdict: 'missing', blocks: false })
  const fresh = makeVerdict({})
  const job = { failed: 0, errors: 0 }

  it.each<[string, Partial<Evidence>, Partial<Rules>, string[]]>([
    ['nothing', { verdicts: [flake, red, gone] }, {}, []],
    ['a new failure', { verdicts: [fresh] }, {}, ['verdicts']],
    ['an allowed verdict', { verdicts: [fresh] }, { allow: ['new'] }, []],
    ['a red test with --block', { verdicts: [red] }, { block: ['already_red'] }, ['verdicts']],
    ['a missing test with --block', { verdicts: [gone] }, { block: ['missing'] }, ['verdicts']],
    ['a first flake with --block', { verdicts: [flake] }, { block: ['first_flake'] }, ['verdicts']],
    ['an error outside of tests', { suiteErrorCount: 1 }, {}, ['suite_errors']],
    ['an error outside of tests, whatever is allowed', { suiteErrorCount: 1 }, { allow: ['new'] }, ['suite_errors']],
    ['reports that were not stored', { isUploadPartial: true }, {}, ['upload']],
    ['no executed test', { executed: 0 }, {}, ['no_tests']],
    ['too few tests', { executed: 9 }, { minTests: 10 }, ['too_few_tests']],
    ['just enough tests', { executed: 10 }, { minTests: 10 }, []],
    ['a crash', { testExitCode: 1, job }, {}, ['crash']],
    ['a failure that is excused', { testExitCode: 1, job: { failed: 1, errors: 0 }, verdicts: [red] }, {}, []],
  ])('blocks for %s as it should', (_, evidence, rules, codes) => {
    const { reasons } = judge(makeEvidence([], evidence), { ...RULES, ...rules })
    expect(reasons.map(({ code }) => code)).toEqual(codes)
  })
})
