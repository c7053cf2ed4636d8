import { describe, expect, it } from 'vitest'

import { COLUMNS } from './file-columns.ts'
import { suggestFields, suggestFolderSeparator } from './suggest-fields.ts'

describe('suggestFields', () => {
  it('returns the columns of an export', () => {
    expect(suggestFields(COLUMNS, [])).toEqual(COLUMNS)
  })

  it('recognizes headings of other tools and leaves out unknown ones', () => {
    const headings = ['Section Hierarchy', 'Summary', 'Pre-conditions', 'Labels', 'Reviewer', 'Test Steps']
    expect(suggestFields(headings, [])).toEqual(['folder', 'title', 'precondition', 'tags', null, 'steps'])
  })

  it('uses each field once', () => {
    expect(suggestFields(['Title', 'Name'], [])).toEqual(['title', null])
  })

  it('does not take ids of other tools for ids of the project', () => {
    expect(suggestFields(['ID', 'Title'], [['C123', 'a']])).toEqual([null, 'title'])
    expect(
      suggestFields(
        ['ID', 'Title'],
        [
          ['WEB-1', 'a'],
          ['', 'b'],
        ],
      ),
    ).toEqual(['id', 'title'])
  })

  it('recognizes one step per row by its headings, and by rows without a title', () => {
    expect(suggestFields(['Title', 'Action', 'Expected Result'], [])).toEqual(['title', 'step_action', 'step_expected'])
    const rows = [
      ['Pays', 'Open', 'It opens'],
      ['', 'Pay', 'Paid'],
    ]
    expect(suggestFields(['Title', 'Steps', 'Expected Result'], rows)).toEqual([
      'title',
      'step_action',
      'step_expected',
    ])
  })
})

describe('suggestFolderSeparator', () => {
  it.each([
    ['Checkout/Payment', '/'],
    ['Checkout > Payment', '>'],
    ['A > B/C', '/'],
    ['Checkout', '/'],
  ])('returns for %j the separator %j', (path, separator) => {
    expect(suggestFolderSeparator(['', path])).toBe(separator)
  })
})
