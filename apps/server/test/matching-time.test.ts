import { toReportedTests } from '@caseward/junit/to-tests'
import { createCaseIdFinder } from '@caseward/matching/case-ids'
import { makeAttempt, makeAttemptDetail } from '@caseward/test-support/attempts'
import { measureCpuTime } from '@caseward/test-support/cpu-time'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createYielder } from '../src/platform/yielder.ts'
import { identifyTests } from '../src/features/uploads/identify-tests.ts'
import { readTitles } from '../src/features/uploads/read-titles.ts'
import { matchTests } from '../src/features/uploads/match-tests.ts'

/*
 * The time per byte of a hostile report must not grow with its size. Times are compared with each other, not with a limit,
 * and are CPU times of this process, so that this holds on any machine, however busy it is.
 */

/** Three doublings. In linear time the large input takes 8 times as long as the small one; in quadratic time, 64 times. */
const GROWTH = 8
/**
 * In the middle between linear and quadratic, as a factor: the large input does not fit into the caches of the processor, and
 * is collected as garbage.
 */
const MAX_GROWTH = GROWTH ** 1.5
/** Shorter differences are noise. */
const NOISE_MS = 2

/** Returns the shortest CPU time of several runs: the one without garbage collection. */
async function measure(work: () => unknown, runs: number): Promise<number> {
  let shortest = Infinity
  for (let count = 0; count < runs; count += 1) {
    shortest = Math.min(shortest, await measureCpuTime(work))
  }
  return shortest
}

/** Measures again while the growth looks quadratic, because a busy machine slows down the memory, too. */
async function expectLinearTime(small: () => unknown, large: () => unknown): Promise<void> {
  let growth = Infinity
  for (let trial = 0; trial < 5 && growth > MAX_GROWTH; trial += 1) {
    const smallMs = await measure(small, 2)
    growth = Math.min(growth, (await measure(large, 1)) / (smallMs + NOISE_MS))
  }
  expect(growth).toBeLessThanOrEqual(MAX_GROWTH)
}

/** Repeats a pattern up to a length. Each `#` becomes another number, so that the ids differ. */
function buildText(pattern: string, length: number): string {
  const parts: string[] = []
  for (let number = 1, size = 0; size < length; number += 1) {
    const part = pattern.replaceAll('#', String(number))
    parts.push(part)
    size += part.length
  }
  return parts.join('')
}

const pieces = [
  'WEB-#',
  'WEB-1',
  'web_#',
  'WEB-0',
  'WEB-',
  'WEB',
  'web',
  '-',
  '_',
  '1',
  '#',
  '99999',
  ' ',
  'a',
  'Ä',
  '🐞',
]
const pattern = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))

describe('CaseIdFinder.findAll', () => {
  const finder = createCaseIdFinder('WEB')

  it('takes at most about twice as long for a text that is twice as long', async () => {
    await fc.assert(
      fc.asyncProperty(pattern, async (text) => {
        const [small, large] = [buildText(text, 60_000), buildText(text, GROWTH * 60_000)]
        await expectLinearTime(
          () => finder.findAll(small),
          () => finder.findAll(large),
        )
      }),
      { numRuns: 10, examples: [['WEB-# '], ['WEB-1 '], ['WEB-#a'], ['WEB-'], ['1']] },
    )
  })
})

describe('toReportedTests and matchTests', () => {
  /** `#` is another number for each attempt. */
  const attemptPattern = fc.record({
    name: fc.constantFrom('a', 'a #', 'WEB-1', 'WEB-#', 'WEB-1 WEB-# WEB-2', 'by key'),
    classname: fc.constantFrom('A', 'A #', 'WEB-#', ''),
    suite: fc.constantFrom('1', '#'),
    caseId: fc.constantFrom('', 'WEB-1', 'WEB-#', 'APP-#'),
    status: fc.constantFrom('passed' as const, 'failed' as const, 'skipped' as const),
    message: fc.constantFrom('', 'no', 'no #'),
  })
  type AttemptPattern = typeof attemptPattern extends fc.Arbitrary<infer T> ? T : never

  const ALL_DIFFERENT: AttemptPattern = {
    name: 'WEB-1 WEB-# WEB-2',
    classname: 'A #',
    suite: '#',
    caseId: 'WEB-#',
    status: 'failed',
    message: 'no #',
  }
  const ALL_ALIKE: AttemptPattern = {
    name: 'by key',
    classname: 'A',
    suite: '1',
    caseId: '',
    status: 'failed',
    message: 'no',
  }

  const buildAttempts = (patterns: readonly AttemptPattern[], count: number) =>
    Array.from({ length: count }, (_, index) => {
      const fields = patterns[index % patterns.length]
      const fill = (text = '') => text.replaceAll('#', String(index))
      return makeAttempt({
        name: fill(fields?.name),
        classname: fill(fields?.classname),
        suite: Number(fill(fields?.suite)),
        caseIds: fill(fields?.caseId) === '' ? [] : [fill(fields?.caseId)],
        status: fields?.status ?? 'passed',
        details: fields?.message === '' ? [] : [makeAttemptDetail('failure', { message: fill(fields?.message) })],
      })
    })
  const findByKey = async (keys: readonly string[]) =>
    new Map(keys.filter((key) => key === 'by key').map((key) => [key, 3]))
  const findExistingCases = async (numbers: readonly number[]) => new Map(numbers.map((number) => [number, number]))
  const match = async (attempts: ReturnType<typeof buildAttempts>) => {
    const yielder = createYielder()
    const tests = await readTitles(await toReportedTests({ attempts }, yielder), yielder)
    const known = tests.all.map(({ test: { file, variant }, titleKey }, index) => ({
      titleKey,
      file,
      variant,
      module: '',
      id: String(index),
      titleDigest: '',
      caseNumbers: [],
      source: null,
    }))
    const lookups = {
      hasAutomationKeys: async () => true,
      findCaseNumbersByKey: findByKey,
      findExistingCases,
      aliasSources: [],
      findAliases: async () => [],
      findLinkedTests: async () => [],
    }
    const selectNames = async (ids: readonly string[]) =>
      ids.flatMap((id) => {
        const { test } = tests.all[Number(id)] ?? {}
        if (test === undefined) return []
        const { suite, name, file, reportSuite = '' } = test
        return [{ id, suite, name, file, report_suite: reportSuite, foreign_ids: null }]
      })
    await identifyTests(tests, known, selectNames, yielder)
    return await matchTests('WEB', tests.all, lookups, yielder)
  }

  it('take at most about twice as long for twice as many attempts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(attemptPattern, { minLength: 1, maxLength: 3 }), async (patterns) => {
        const [small, large] = [buildAttempts(patterns, 2000), buildAttempts(patterns, GROWTH * 2000)]
        await expectLinearTime(
          () => match(small),
          () => match(large),
        )
      }),
      { numRuns: 5, examples: [[[ALL_DIFFERENT]], [[ALL_ALIKE, ALL_DIFFERENT]]] },
    )
  })
})
