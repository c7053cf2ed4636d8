import { measureCpuTime } from '@caseward/test-support/cpu-time'
import type { TestAttempt } from '@caseward/junit'
import { describe, expect, it } from 'vitest'

import { makeAttempt } from '@caseward/test-support/attempts'
import { getFullName, groupAttempts } from './group-attempts.ts'

describe('getFullName', () => {
  it.each([
    ['classname.name', 'shop.Cart', 'adds', 'shop.Cart.adds'],
    ['the name alone without a classname', '', 'adds', 'adds'],
  ])('returns %s', (_what, classname, name, fullName) => {
    expect(getFullName({ classname, name })).toBe(fullName)
  })
})

describe('groupAttempts', () => {
  const groupedLines = async (attempts: TestAttempt[]) =>
    (await groupAttempts(attempts)).map((test) => test.attempts.map(({ line }) => line))

  it('groups attempts with the same classname and name into one test', async () => {
    const attempts = [
      makeAttempt({ line: 1 }),
      makeAttempt({ line: 2, name: 'other' }),
      makeAttempt({ line: 3 }),
      makeAttempt({ line: 4, classname: 'other' }),
    ]
    expect(await groupedLines(attempts)).toEqual([[1, 3], [2], [4]])
  })

  it('separates tests with different classnames and names that form the same full name', async () => {
    expect(
      await groupedLines([makeAttempt({ classname: 'a.b', name: 'c' }), makeAttempt({ classname: 'a', name: 'b.c' })]),
    ).toEqual([[1], [1]])
  })

  it('separates tests with the same name whose properties name different test cases', async () => {
    const attempts = [
      makeAttempt({ line: 1, caseIds: ['WEB-1', 'WEB-2'] }),
      makeAttempt({ line: 2, caseIds: ['WEB-3'] }),
      makeAttempt({ line: 3, caseIds: ['WEB-2', 'WEB-1'] }),
    ]
    expect(await groupedLines(attempts)).toEqual([[1, 3], [2]])
  })

  it('adds an attempt without test case ids to the last test with the same name', async () => {
    const attempts = [
      makeAttempt({ line: 1 }),
      makeAttempt({ line: 2, caseIds: ['WEB-1'] }),
      makeAttempt({ line: 3, caseIds: ['WEB-2'] }),
      makeAttempt({ line: 4 }),
    ]
    expect(await groupedLines(attempts)).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  it('separates tests with the same name in different suites', async () => {
    const attempts = [
      makeAttempt({ line: 1, suite: 1, status: 'failed' }),
      makeAttempt({ line: 2, suite: 2 }),
      makeAttempt({ line: 3, suite: 1 }),
      makeAttempt({ line: 4, suite: 3 }),
      makeAttempt({ line: 5, suite: 2 }),
    ]
    expect(await groupedLines(attempts)).toEqual([[1, 3], [2, 5], [4]])
  })

  it('separates tests whose properties name the same test case in different suites', async () => {
    const attempts = [
      makeAttempt({ line: 1, suite: 1, caseIds: ['WEB-1'] }),
      makeAttempt({ line: 2, suite: 2, caseIds: ['WEB-1'] }),
      makeAttempt({ line: 3, suite: 2 }),
      makeAttempt({ line: 4, suite: 3 }),
      makeAttempt({ line: 5, suite: 3, caseIds: ['WEB-1'] }),
      makeAttempt({ line: 6, suite: 1, caseIds: ['WEB-1'] }),
    ]
    expect(await groupedLines(attempts)).toEqual([
      [1, 6],
      [2, 3],
      [4, 5],
    ])
  })

  it('returns the test case ids that the attempts of a test name, whichever of them has any', async () => {
    const tests = await groupAttempts([
      makeAttempt(),
      makeAttempt({ caseIds: ['WEB-1', 'WEB-2'] }),
      makeAttempt({ name: 'other', caseIds: ['WEB-3'] }),
      makeAttempt({ name: 'other' }),
      makeAttempt({ name: 'without ids' }),
    ])
    expect(tests.map(({ caseIds }) => caseIds)).toEqual([['WEB-1', 'WEB-2'], ['WEB-3'], []])
  })

  it('groups 40,000 tests with the same name and an id each in under 2 seconds of CPU time', async () => {
    const attempts = Array.from({ length: 40_000 }, (_, index) => makeAttempt({ caseIds: [`WEB-${index}`] }))
    const spentMs = await measureCpuTime(async () => expect(await groupAttempts(attempts)).toHaveLength(40_000))
    expect(spentMs).toBeLessThan(2000)
  })
})
