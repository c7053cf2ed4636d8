import { describe, expect, it } from 'vitest'

import { UNKNOWN_SOURCE } from '../tests/run-uploads.queries.ts'
import { endedDifferently, findFlakeInRun, type FlakePart } from './derive-flake-events.ts'

const part = (
  status: FlakePart['status'],
  source: Partial<FlakePart['source']> = {},
  fields: Partial<FlakePart> = {},
) => ({
  source: { ...UNKNOWN_SOURCE, ...source },
  status,
  isFlaky: false,
  testedAt: source.buildAttempt ?? 0,
  isExcluded: false,
  ...fields,
})
const attempt = (buildAttempt: number, label = 'linux') => ({ job: 'test', instance: label, label, buildAttempt })
const flaky = { isFlaky: true }
const excluded = { isExcluded: true }

describe('findFlakeInRun', () => {
  it.each<[string, FlakePart[], string | null]>([
    ['attempts of one source', [part('passed', {}, flaky)], 'retry'],
    [
      'attempts of one source beside a failure elsewhere',
      [part('failed', attempt(1, 'mac')), part('passed', attempt(1), flaky)],
      'retry',
    ],
    ['a later build attempt that passed', [part('failed', attempt(1)), part('passed', attempt(2))], 'rerun'],
    ['a later build attempt that failed', [part('passed', attempt(1)), part('failed', attempt(2))], 'rerun'],
    [
      'a declared rerun',
      [part('failed', { job: 'test' }), part('passed', { isRerun: true }, { testedAt: 1 })],
      'rerun',
    ],
    ['two build attempts that failed', [part('failed', attempt(1)), part('failed', attempt(2))], null],
    ['two legs of a matrix', [part('failed', attempt(1, 'mac')), part('passed', attempt(1, 'linux'))], null],
    ['two jobs', [part('failed', { job: 'a' }), part('passed', { job: 'b' })], null],
    ['a build attempt that could not run', [part('blocked', attempt(1)), part('passed', attempt(2))], null],
    ['a build attempt that skipped it', [part('failed', attempt(1)), part('skipped', attempt(2))], null],
    [
      'a build attempt in which most tests failed',
      [part('failed', attempt(1), excluded), part('passed', attempt(2))],
      null,
    ],
    ['nothing', [], null],
  ])('%s', (_name, parts, kind) => {
    expect(findFlakeInRun(parts)).toBe(kind)
    expect(findFlakeInRun(parts.toReversed())).toBe(kind)
  })
})

describe('endedDifferently', () => {
  it.each<[string, FlakePart[], FlakePart[], boolean]>([
    ['the same source', [part('failed')], [part('passed')], true],
    [
      'the same job on another runner',
      [part('failed', { job: 'a', instance: '1' })],
      [part('passed', { job: 'a', instance: '2' })],
      true,
    ],
    ['another shard', [part('failed', { job: 'a', shard: '1' })], [part('passed', { job: 'a', shard: '2' })], false],
    ['another variant', [part('failed', { variant: 'x' })], [part('passed', { variant: 'y' })], false],
    ['one that was skipped', [part('failed')], [part('skipped')], false],
    ['one that was blocked', [part('blocked')], [part('passed')], false],
    ['one in which most tests failed', [part('failed', {}, excluded)], [part('passed')], false],
    [
      'an earlier build attempt alone',
      [part('failed', attempt(1)), part('passed', attempt(2))],
      [part('passed', attempt(1))],
      false,
    ],
  ])('%s', (_name, parts, others, isDifferent) => {
    expect(endedDifferently(parts, others)).toBe(isDifferent)
    expect(endedDifferently(others, parts)).toBe(isDifferent)
  })
})
