import { describe, expect, it } from 'vitest'

import { createSpecReader } from './read-events.ts'
import { getBrowserVariants } from './browser-variants.ts'
import type { EventPayload, MochaOptions, MochaSuite } from './framework-types.ts'
import type { JournalLine } from './worker-journal.ts'

const spec = 'file:///shop/specs/cart.js'

function read(events: readonly [string, EventPayload][], root: MochaSuite | null = null, options: MochaOptions = {}) {
  const lines: JournalLine[] = []
  const reader = createSpecReader((line) => void lines.push(line), [spec], '/shop')
  reader.findRoot(() => root)
  for (const [event, payload] of events) reader.read(event, payload)
  reader.end(0, options)
  const attempts = lines.flatMap((line) => ('attempt' in line ? [line.attempt] : []))
  const errors = lines.flatMap((line) => ('error' in line ? [line.error] : []))
  return { lines, attempts, errors }
}

describe('SpecReader with events of Mocha', () => {
  it('writes a retry as an attempt at the same test, and distinguishes a test with the same title', () => {
    const start: [string, EventPayload] = ['test:start', { title: 'row' }]
    const { attempts } = read([
      start,
      ['test:retry', { title: 'row', error: { message: 'once' } }],
      start,
      ['test:pass', { title: 'row' }],
      start,
      ['test:pass', { title: 'row' }],
    ])
    const [first, retry, other] = attempts.map(({ testId }) => testId)
    expect(retry).toBe(first)
    expect(other).not.toBe(first)
    expect(attempts.map(({ status }) => status)).toEqual(['failed', 'passed', 'passed'])
  })
})

describe('SpecReader with two results of one test', () => {
  it('writes a failure after the end as the result of the same test', () => {
    const { attempts } = read([
      ['test:start', { title: 'calls done twice' }],
      ['test:pass', { title: 'calls done twice' }],
      ['test:fail', { title: 'calls done twice', error: { message: 'done() called multiple times' } }],
    ])
    expect(attempts).toMatchObject([{ status: 'passed' }, { status: 'failed', replacesResult: true }])
    expect(attempts[1]?.testId).toBe(attempts[0]?.testId)
  })
})

describe('SpecReader with events of other frameworks', () => {
  it('writes several errors and the reason for a pending test of Jasmine', () => {
    const { attempts } = read([
      ['suite:start', { title: 'cart' }],
      ['test:start', { title: 'WEB-1 adds up' }],
      ['test:fail', { title: 'WEB-1 adds up', errors: [{ message: 'one' }, { message: 'two' }] }],
      ['test:start', { title: 'WEB-2' }],
      ['test:pending', { title: 'WEB-2', pendingReason: 'no printer' }],
    ])
    expect(attempts).toMatchObject([
      { titlePath: ['cart', 'WEB-1 adds up'], status: 'failed', errors: [{ message: 'one' }, { message: 'two' }] },
      { status: 'skipped', comment: 'no printer' },
    ])
  })

  it('writes a step of Cucumber with its feature, scenario and tags', () => {
    const { attempts, errors } = read([
      ['suite:start', { title: 'Cart', tags: [{ name: '@shop' }] }],
      ['suite:start', { title: 'Pay by card', tags: [{ name: '@WEB-1' }] }],
      ['hook:end', { title: 'Before', error: undefined }],
      ['test:start', { title: 'Given a cart' }],
      ['test:pass', { title: 'Given a cart', duration: 3 }],
      ['test:start', { title: 'When I pay' }],
      ['test:skip', { title: 'When I pay' }],
    ])
    expect(errors).toEqual([])
    expect(attempts).toMatchObject([
      {
        titlePath: ['Cart', 'Pay by card', 'Given a cart'],
        tags: ['@shop', '@WEB-1'],
        status: 'passed',
        durationMs: 3,
      },
      { titlePath: ['Cart', 'Pay by card', 'When I pay'], status: 'skipped' },
    ])
  })

  it('writes an error for an event in an unknown format', () => {
    const { errors } = read([['test:pass', null as never]])
    expect(errors).toMatchObject([{ location: 'webdriverio', message: expect.stringContaining('could not be read') }])
  })

  it('does not throw for events in an unknown format', () => {
    const odd = [null, undefined, 7, [], { title: 7, tags: 'none', errors: 'none', error: 0, file: 9 }]
    const events = ['suite:start', 'test:start', 'test:fail', 'hook:end', 'runner:end', 'suite:end', 'no such event']
    for (const payload of odd) {
      expect(() => read(events.map((event) => [event, payload as never]))).not.toThrow()
    }
  })
})

describe('SpecReader after a failed hook', () => {
  const createTest = (...titlePath: string[]) => ({ titlePath: () => titlePath, isPending: () => false })
  const suite: MochaSuite = {
    title: 'cart',
    tests: [createTest('cart', 'WEB-1 opens'), createTest('cart', 'WEB-2 closes')],
    suites: [],
    _beforeAll: [{ state: 'failed' }],
  }
  const root: MochaSuite = { title: '', tests: [], suites: [suite] }
  const hook: [string, EventPayload] = ['hook:end', { title: '"before all" hook for cart', error: { message: 'no' } }]

  it.each<[string, MochaOptions, string[]]>([
    ['all tests', {}, ['WEB-1 opens', 'WEB-2 closes']],
    ['tests that a text selects', { grep: 'opens' }, ['WEB-1 opens']],
    ['tests that a pattern selects', { grep: '/OPENS/i' }, ['WEB-1 opens']],
    ['tests that an inverted pattern selects', { grep: /opens/g, invert: true }, ['WEB-2 closes']],
  ])('writes %s as blocked', (_, options, titles) => {
    const { attempts } = read([hook], root, options)
    expect(attempts.map(({ titlePath }) => titlePath.at(-1))).toEqual(titles)
    expect(attempts.every(({ status }) => status === 'blocked')).toBe(true)
  })

  it('writes no blocked tests without a failed hook', () => {
    expect(read([], root).attempts).toEqual([])
  })
})

describe('getBrowserVariants', () => {
  it.each([
    ['the name of a single browser', [{ browserName: 'chrome' }], ['chrome']],
    ['nothing when each test uses several browsers', { one: {}, two: {} }, []],
    [
      'the name of each browser',
      [{ browserName: 'chrome' }, { alwaysMatch: { browserName: 'firefox' } }],
      ['chrome', 'firefox'],
    ],
    [
      'numbers for browsers with the same name',
      [{ browserName: 'chrome' }, { browserName: 'chrome' }],
      ['chrome 1', 'chrome 2'],
    ],
    ['the name of each device', [{ 'appium:deviceName': 'Pixel' }, { platformName: 'iOS' }], ['Pixel', 'iOS']],
  ])('returns %s', (_, capabilities, variants) => {
    expect(getBrowserVariants(capabilities)).toEqual(variants)
  })
})
