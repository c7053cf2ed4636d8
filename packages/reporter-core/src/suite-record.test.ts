import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { buildTests } from './build-tests.ts'
import { type JournalEntry, parseRecord, toSuiteRecord, type SuiteHeader } from './suite-record.ts'

const header: SuiteHeader = {
  caseward: 1,
  framework: 'jest',
  url: 'https://caseward.example.com',
  target: { kind: 'run', id: 'run-1' },
  shard: '2',
  source: {
    job: 'test',
    instance: 'runner 1',
    buildAttempt: 2,
    variant: 'windows',
    label: 'Windows X64, Node 20',
    jobUrl: 'https://ci.example.com/jobs/1',
  },
  module: 'packages/cart',
  startedAt: 1_763_700_000_000,
}
const at = header.startedAt + 5
const entries: JournalEntry[] = [
  { attempt: { testId: 'a', titlePath: ['WEB-1'], status: 'failed', errors: [{ message: 'no\n"no"' }] }, at },
  { attempt: { testId: 'a', titlePath: ['WEB-1'], status: 'passed', durationMs: 3, tags: ['@slow'] }, at: at + 1 },
  { error: { location: 'cart.test.ts', message: 'SyntaxError', stack: 'at x' }, at: at + 2 },
  { ending: { at: at + 3, interrupted: false } },
  { deliveryStart: { runId: 'run-1', finishedAt: '2026-11-21T09:30:00.000Z' } },
]
const lines = [header, ...entries].map((entry) => JSON.stringify(entry))
const text = `${lines.join('\n')}\n`

function parseOrThrow(journal: string) {
  const record = parseRecord(journal)
  if (typeof record === 'string') throw new Error(`It is ${record}`)
  return record
}

describe('parseRecord', () => {
  it('returns the entries that were written', () => {
    // JSON has no undefined.
    expect(JSON.parse(JSON.stringify(parseOrThrow(text)))).toEqual(
      JSON.parse(JSON.stringify(toSuiteRecord(header, entries))),
    )
  })

  it.each([
    ['CRLF line breaks', text.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${text}`],
    ['empty lines', text.replaceAll('\n', '\n\n\n')],
    ['lines that are not entries', lines.join('\nhello\n{"a":1}\n[]\nnull\n5\n{}\n')],
    ['an incomplete last line', `${text}{"attempt":{"testId":"b","titlePath":["WEB-2"],"sta`],
  ])('ignores %s', (_, changed) => {
    expect(parseOrThrow(changed)).toEqual(parseOrThrow(text))
  })

  it.each([
    ['retest', 'interrupted'],
    ['not_tested', 'skipped'],
    ['passed', 'passed'],
  ])('reads the status %s of an earlier version as %s', (written, status) => {
    const line = JSON.stringify({ attempt: { testId: 'a', titlePath: ['WEB-1'], status: written }, at })
    expect(parseOrThrow(`${lines[0]}\n${line}\n`)).toMatchObject({ attempts: [{ testId: 'a', status }], errors: [] })
  })

  it.each(['constructor', 'flaky', '', 1, null])(
    'reports an attempt with the unknown status %j as an error',
    (status) => {
      const line = JSON.stringify({ attempt: { testId: 'a', titlePath: ['WEB-1'], status }, at })
      expect(parseOrThrow(`${lines[0]}\n${line}\n`)).toMatchObject({
        attempts: [],
        errors: [{ location: 'jest', message: 'A test result could not be read' }],
      })
    },
  )

  it('returns no ending and the time of the last entry for a suite that was killed', () => {
    expect(parseOrThrow(lines.slice(0, 3).join('\n'))).toMatchObject({
      ending: null,
      deliveryStart: null,
      lastAt: at + 1,
    })
    expect(parseOrThrow(lines.slice(0, 1).join('\n'))).toMatchObject({ attempts: [], lastAt: header.startedAt })
  })

  it('returns the run key, its name and its metadata', () => {
    const target = {
      kind: 'key' as const,
      projectId: 'p',
      key: 'k',
      name: 'n',
      metadata: { branch: 'main' },
      expectedShards: 4,
      job: 'CI / test',
    }
    expect(parseOrThrow(JSON.stringify({ ...header, target })).header.target).toEqual(target)
  })

  it.each([2, 3.5, 1e9])('returns “newer-version” for version %d', (caseward) => {
    expect(parseRecord(JSON.stringify({ ...header, caseward }))).toBe('newer-version')
  })

  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['a number', '5'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['a version that is not a number', JSON.stringify({ ...header, caseward: '1' })],
    ['no framework', JSON.stringify({ ...header, framework: null })],
    ['a URL that is not a string', JSON.stringify({ ...header, url: {} })],
    ['an unknown target', JSON.stringify({ ...header, target: { kind: 'folder' } })],
    ['a run without an id', JSON.stringify({ ...header, target: { kind: 'run' } })],
    ['a key that is not a string', JSON.stringify({ ...header, target: { kind: 'key', projectId: 'p', key: 1 } })],
    ['no start time', JSON.stringify({ ...header, startedAt: null })],
    ['a start time after the year 9999', JSON.stringify({ ...header, startedAt: 1e300 })],
  ])('returns “unreadable” for a header with %s', (_, journal) => {
    expect(parseRecord(journal)).toBe('unreadable')
  })

  it.each([
    ['an ending without a time', { ending: {} }],
    ['a delivery start without a run', { deliveryStart: { finishedAt: '2026-11-21T09:30:00.000Z' } }],
    ['a delivery start with an invalid time', { deliveryStart: { runId: 'run-2', finishedAt: 'yesterday' } }],
  ])('ignores %s', (_, entry) => {
    expect(parseOrThrow(`${text}${JSON.stringify(entry)}\n`)).toEqual(parseOrThrow(text))
  })

  it.each([
    ['an attempt without a status', { attempt: { testId: 'b', titlePath: ['WEB-2'] }, at }],
    ['an attempt with an unknown status', { attempt: { testId: 'b', titlePath: ['WEB-2'], status: 'exploded' }, at }],
    ['an attempt without id and title', { attempt: { status: 'passed' }, at }],
    ['an attempt that is a list', { attempt: [1], at }],
    ['an attempt without a time', { attempt: { testId: 'b', titlePath: ['WEB-2'], status: 'passed' } }],
  ])('returns an error of the suite for %s', (_, entry) => {
    const { errors, ...others } = parseOrThrow(`${text}${JSON.stringify(entry)}\n`)
    const { errors: expectedErrors, ...expected } = parseOrThrow(text)
    expect(others).toEqual(expected)
    expect(errors).toEqual([
      ...expectedErrors,
      { location: header.framework, message: 'A test result could not be read' },
    ])
  })

  it('ignores invalid fields of an attempt', () => {
    const attempt = {
      testId: 7,
      titlePath: ['WEB-2', null, 3],
      status: 'passed',
      tags: 'slow',
      errors: [null, 'no', { message: 1 }],
    }
    const { attempts } = parseOrThrow(`${JSON.stringify(header)}\n${JSON.stringify({ attempt, at })}`)
    expect(attempts).toMatchObject([{ testId: '7', titlePath: ['WEB-2', '3'], status: 'passed' }])
    expect(attempts[0]?.errors?.map(({ message }) => message)).toEqual(['Unknown error', 'no', '1'])
  })

  it('never throws, and returns attempts that buildTests accepts, for any entries', () => {
    const fields = fc.constantFrom(
      'attempt',
      'error',
      'ending',
      'deliveryStart',
      'at',
      'testId',
      'titlePath',
      'status',
      'errors',
      'runId',
    )
    const value = fc.jsonValue({ maxDepth: 3 })
    const entry = fc.dictionary(
      fields,
      fc.oneof(value, fc.dictionary(fields, value), fc.constant('passed'), fc.constant(at)),
    )
    fc.assert(
      fc.property(fc.array(entry), (anyEntries) => {
        const { attempts } = parseOrThrow([header, ...anyEntries].map((line) => JSON.stringify(line)).join('\n'))
        expect(buildTests('WEB', attempts).length).toBeLessThanOrEqual(attempts.length)
      }),
    )
  })
})
