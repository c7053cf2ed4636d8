import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { buildResults } from '../../../packages/reporter-core/src/build-results.ts'
import { matchTests } from '../src/features/uploads/match-tests.ts'
import { groupAttempts } from '../src/features/uploads/group-attempts.ts'
import { makeAttempt } from '@caseward/test-support/attempts'

/* A suite must have the same results from a reporter and from an uploaded JUnit file. */

const words = fc.constantFrom(
  'shop',
  'logs in',
  'WEB-1',
  'web_2',
  '[WEB-3]',
  'WEB-4, WEB-5',
  'MYWEB-6',
  'WEB-7a',
  'C4',
  'WEB-0',
)
const title = fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '))
const id = fc.constantFrom('WEB-1', 'WEB-8', 'web_9', 'APP-1', 'WEB-0')
const attempt = fc.record({
  status: fc.constantFrom('passed', 'failed', 'skipped'),
  durationMs: fc.option(fc.nat({ max: 100_000 })),
})
const test = fc.record({
  classname: title,
  name: title,
  caseIds: fc.uniqueArray(id, { maxLength: 2 }),
  attempts: fc.array(attempt, { minLength: 1, maxLength: 3 }),
})
const suite = fc.uniqueArray(test, { maxLength: 8, selector: ({ classname, name }) => `${classname}\0${name}` })

type Suite = typeof suite extends fc.Arbitrary<infer S> ? S : never

async function matchAsJUnit(tests: Suite) {
  const attempts = tests.flatMap(({ classname, name, caseIds, attempts: executions }) =>
    executions.map(({ status, durationMs }) => {
      const elapsedSeconds = durationMs === null ? null : durationMs / 1000
      return makeAttempt({ classname, name, caseIds, status, elapsedSeconds, details: [] })
    }),
  )
  const { writes, errors, unknownIds } = await matchTests('WEB', await groupAttempts(attempts), async () => new Map())
  return {
    results: writes.map(({ caseNumber, status, elapsed, note }) => [`WEB-${caseNumber}`, status, elapsed, note]),
    testsWithoutId: new Set(errors.map(({ test_case_id }) => test_case_id)),
    unknownIds: new Set(unknownIds),
  }
}

function matchAsReporter(tests: Suite) {
  const attempts = tests.flatMap(({ classname, name, caseIds, attempts: executions }) =>
    executions.map(({ status, durationMs }) => ({
      testId: `${classname}\0${name}`,
      titlePath: [classname, name],
      caseIds,
      status: status === 'skipped' ? ('not_tested' as const) : status,
      durationMs: durationMs ?? undefined,
    })),
  )
  const { items, unknownIds } = buildResults('WEB', attempts)
  const hasCaseId = ({ test_case_id }: { test_case_id: string }) => /^WEB-\d+$/.test(test_case_id)
  return {
    results: items
      .filter(hasCaseId)
      .map(({ test_case_id, status, elapsed, note }) => [test_case_id, status, elapsed ?? null, note ?? null]),
    testsWithoutId: new Set(
      items.filter((item) => !hasCaseId(item)).map(({ test_case_id }) => test_case_id.replace(' > ', '.')),
    ),
    unknownIds: new Set(unknownIds.keys()),
  }
}

describe('results of a suite', () => {
  it('are the same from a reporter and from its JUnit file', async () => {
    await fc.assert(
      fc.asyncProperty(suite, async (tests) => {
        const { results, ...others } = matchAsReporter(tests)
        const junit = await matchAsJUnit(tests)
        // Notes name a test in two ways: `class > name` and `class.name`.
        const reported = results.map((fields) => JSON.stringify(fields).replaceAll(' > ', '.'))
        expect(reported.toSorted()).toEqual(junit.results.map((fields) => JSON.stringify(fields)).toSorted())
        expect(others).toEqual({ testsWithoutId: junit.testsWithoutId, unknownIds: junit.unknownIds })
      }),
      { numRuns: 500 },
    )
  })
})
