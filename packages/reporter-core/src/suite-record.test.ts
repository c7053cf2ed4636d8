import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { buildResults } from './build-results.ts'
import { type JournalEntry, parseRecord, toSuiteRecord, type SuiteHeader } from './suite-record.ts'

const header: SuiteHeader = {
  caseward: 1,
  framework: 'jest',
  url: 'https://caseward.example.com',
  target: { kind: 'run', id: 'run-1' },
  shard: '2',
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

function read(journal: string) {
  const record = parseRecord(journal)
  if (typeof record === 'string') throw new Error(`It is ${record}`)
  return record
}

describe('a journal', () => {
  it('says what the suite said', () => {
    // What is undefined is not written.
    expect(JSON.parse(JSON.stringify(read(text)))).toEqual(JSON.parse(JSON.stringify(toSuiteRecord(header, entries))))
  })

  it.each([
    ['CR and LF at the ends of its lines', text.replaceAll('\n', '\r\n')],
    ['a byte order mark, as editors leave it', `\uFEFF${text}`],
    ['empty lines', text.replaceAll('\n', '\n\n\n')],
    ['lines of something else', lines.join('\nhello\n{"a":1}\n[]\nnull\n5\n{}\n')],
    ['a last line that broke off', `${text}{"attempt":{"testId":"b","titlePath":["WEB-2"],"sta`],
  ])('says the same with %s', (_what, changed) => {
    expect(read(changed)).toEqual(read(text))
  })

  it('of a suite that was killed has no ending, and the time of the last thing that it said', () => {
    expect(read(lines.slice(0, 3).join('\n'))).toMatchObject({ ending: null, deliveryStart: null, lastAt: at + 1 })
    expect(read(lines.slice(0, 1).join('\n'))).toMatchObject({ attempts: [], lastAt: header.startedAt })
  })

  it('of a run that is found by its key knows all of that', () => {
    const target = {
      kind: 'key' as const,
      projectId: 'p',
      key: 'k',
      name: 'n',
      metadata: { branch: 'main' },
      expectedShards: 4,
    }
    expect(read(JSON.stringify({ ...header, target })).header.target).toEqual(target)
  })

  it.each([2, 3.5, 1e9])('of version %d is left to those who know it', (caseward) => {
    expect(parseRecord(JSON.stringify({ ...header, caseward }))).toBe('newer-version')
  })

  it.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['another value', '5'],
    ['a list', '[]'],
    ['another object', '{}'],
    ['a version that is no number', JSON.stringify({ ...header, caseward: '1' })],
    ['no framework', JSON.stringify({ ...header, framework: null })],
    ['an address that is no text', JSON.stringify({ ...header, url: {} })],
    ['a place that is none', JSON.stringify({ ...header, target: { kind: 'forOtherServer' } })],
    ['a run without an id', JSON.stringify({ ...header, target: { kind: 'run' } })],
    ['a key that is no text', JSON.stringify({ ...header, target: { kind: 'key', projectId: 'p', key: 1 } })],
    ['no start', JSON.stringify({ ...header, startedAt: null })],
    ['a start at the end of time', JSON.stringify({ ...header, startedAt: 1e300 })],
  ])('that begins with %s is none', (_what, journal) => {
    expect(parseRecord(journal)).toBe('unreadable')
  })

  it.each([
    ['an attempt without a status', { attempt: { testId: 'b', titlePath: ['WEB-2'] }, at }],
    ['an attempt of an unknown status', { attempt: { testId: 'b', titlePath: ['WEB-2'], status: 'exploded' }, at }],
    ['an attempt without a name', { attempt: { status: 'passed' }, at }],
    ['an attempt that is a list', { attempt: [1], at }],
    ['an attempt at no time', { attempt: { testId: 'b', titlePath: ['WEB-2'], status: 'passed' } }],
    ['an end at no time', { ending: {} }],
    ['a sending to nowhere', { deliveryStart: { finishedAt: '2026-11-21T09:30:00.000Z' } }],
    ['a sending at no time', { deliveryStart: { runId: 'run-2', finishedAt: 'yesterday' } }],
  ])('is read without %s', (_what, entry) => {
    expect(read(`${text}${JSON.stringify(entry)}\n`)).toEqual(read(text))
  })

  it('is read as far as it can be: fields of an attempt that are of another kind are left out', () => {
    const attempt = {
      testId: 7,
      titlePath: ['WEB-2', null, 3],
      status: 'passed',
      tags: 'slow',
      errors: [null, 'no', { message: 1 }],
    }
    const { attempts } = read(`${JSON.stringify(header)}\n${JSON.stringify({ attempt, at })}`)
    expect(attempts).toMatchObject([{ testId: '7', titlePath: ['WEB-2', '3'], status: 'passed' }])
    expect(attempts[0]?.errors?.map(({ message }) => message)).toEqual(['An error that says nothing', 'no', '1'])
  })

  it('never makes anything throw, whatever somebody has put into it', () => {
    const fields = fc.constantFrom(
      'attempt',
      'error',
      'ending',
      'sending',
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
      fc.property(fc.array(entry), (made) => {
        const { attempts } = read([header, ...made].map((one) => JSON.stringify(one)).join('\n'))
        expect(buildResults('WEB', attempts).items.length).toBeLessThanOrEqual(attempts.length)
      }),
    )
  })
})
