import { describe, expect, it } from 'vitest'

import { groupAttempts, type LoopYielder, type NamedAttempt } from './group-attempts.ts'

interface NumberedAttempt extends NamedAttempt {
  readonly line: number
}

const neverYield: LoopYielder = { shouldYield: () => false, yield: async () => {} }
const makeAttempt = (fields: Partial<NumberedAttempt> = {}): NumberedAttempt => ({
  classname: 'shop.Login',
  name: 'logs in',
  suite: 1,
  file: '',
  caseIds: [],
  line: 1,
  ...fields,
})
const groupedLines = async (attempts: readonly NumberedAttempt[]) =>
  (await groupAttempts(attempts, neverYield)).map((test) => test.attempts.map(({ line }) => line))

describe('groupAttempts', () => {
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
    const attempts = [makeAttempt({ classname: 'a.b', name: 'c' }), makeAttempt({ classname: 'a', name: 'b.c' })]
    expect(await groupedLines(attempts)).toEqual([[1], [1]])
  })

  it('separates tests with the same names in different files of one suite', async () => {
    const attempts = [
      makeAttempt({ line: 1, file: 'login.js' }),
      makeAttempt({ line: 2, file: 'logout.js' }),
      makeAttempt({ line: 3, file: 'login.js' }),
    ]
    expect(await groupedLines(attempts)).toEqual([[1, 3], [2]])
  })

  it('adds an attempt without a file to the last test with the same name', async () => {
    const attempts = [
      makeAttempt({ line: 1, file: 'login.js' }),
      makeAttempt({ line: 2, file: 'logout.js' }),
      makeAttempt({ line: 3 }),
    ]
    expect(await groupedLines(attempts)).toEqual([[1], [2, 3]])
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
    const suites = [1, 2, 1, 3, 2]
    const attempts = suites.map((suite, index) => makeAttempt({ line: index + 1, suite }))
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
    const attempts = [
      makeAttempt(),
      makeAttempt({ caseIds: ['WEB-2', 'WEB-1'] }),
      makeAttempt({ name: 'other', caseIds: ['WEB-3'] }),
      makeAttempt({ name: 'other' }),
      makeAttempt({ name: 'without ids' }),
    ]
    const tests = await groupAttempts(attempts, neverYield)
    expect(tests.map(({ caseIds }) => caseIds)).toEqual([['WEB-2', 'WEB-1'], ['WEB-3'], []])
  })

  it('lets other work run whenever the caller asks for it', async () => {
    let yields = 0
    const yielder: LoopYielder = { shouldYield: () => yields < 2, yield: async () => void yields++ }
    await groupAttempts([makeAttempt(), makeAttempt(), makeAttempt()], yielder)
    expect(yields).toBe(2)
  })
})
