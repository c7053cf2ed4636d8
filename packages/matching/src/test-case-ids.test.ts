import { describe, expect, it } from 'vitest'

import { createCaseIdFinder, MAX_CASE_IDS } from './case-ids.ts'
import { findTestCaseNumbers } from './test-case-ids.ts'

const finder = createCaseIdFinder('WEB')
const find = (fields: Partial<Parameters<typeof findTestCaseNumbers>[0]>) =>
  findTestCaseNumbers({ testCaseIds: [], tags: [], name: '', suite: '', ...fields }, finder)

describe('findTestCaseNumbers', () => {
  const everywhere = { testCaseIds: ['WEB-1'], tags: ['@WEB-2'], name: 'WEB-3 adds up', suite: 'WEB-4 cart' }

  it.each<[string, Partial<typeof everywhere>, number, string]>([
    ['explicit ids first', {}, 1, 'property'],
    ['tags second', { testCaseIds: [] }, 2, 'tags'],
    ['the name third', { testCaseIds: [], tags: [] }, 3, 'name'],
    ['the suite last', { testCaseIds: [], tags: [], name: 'adds up' }, 4, 'suite'],
  ])('uses %s', (_what, fields, number, place) => {
    expect(find({ ...everywhere, ...fields })).toEqual({ numbers: [number], place, foreignIds: [], hasTooMany: false })
  })

  it('returns nothing for a test without ids', () => {
    expect(find({ tags: ['slow'], name: 'C4 diagram' })).toEqual({
      numbers: [],
      place: null,
      foreignIds: [],
      hasTooMany: false,
    })
  })

  it('reads several explicit ids, separated by commas or white space, without duplicates', () => {
    expect(find({ testCaseIds: ['WEB-1, web_2', ' WEB-3\nWEB-1'] }).numbers).toEqual([1, 2, 3])
  })

  it('returns explicit ids that cannot belong to the project as foreign, and reads on as if they were not there', () => {
    const found = find({ testCaseIds: ['API-7 WEB-0', 'WEB-1'], name: 'WEB-3' })
    expect(found).toEqual({ numbers: [1], place: 'property', foreignIds: ['API-7', 'WEB-0'], hasTooMany: false })
    const byName = find({ testCaseIds: ['C1050400'], name: 'WEB-3' })
    expect(byName).toEqual({ numbers: [3], place: 'name', foreignIds: ['C1050400'], hasTooMany: false })
  })

  it('ignores explicit ids without any text', () => {
    expect(find({ testCaseIds: ['', ' , '], name: 'WEB-3' }).numbers).toEqual([3])
  })

  it('does not join tags into an id', () => {
    expect(find({ tags: ['WEB', '-3'] }).numbers).toEqual([])
  })

  it.each(['testCaseIds', 'tags', 'name', 'suite'] as const)(
    'returns the maximum number of ids and that there are too many in %s',
    (field) => {
      const ids = Array.from({ length: MAX_CASE_IDS + 1 }, (_, index) => `WEB-${index + 1}`)
      const text = ids.join(' ')
      const found = find({ [field]: field === 'name' || field === 'suite' ? text : ids })
      expect(found.numbers).toHaveLength(MAX_CASE_IDS)
      expect(found.hasTooMany).toBe(true)
    },
  )
})
