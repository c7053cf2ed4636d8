import { PRIORITIES, TEMPLATES, TEST_CASE_TYPES } from '@caseward/client/endpoints'
import { cleanName } from '@caseward/matching/clean-name'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createFolderTree } from './folder-tree.ts'
import { parseCsv } from './csv.ts'
import { parseTestCase } from './parse-test-case.ts'
import { formatTestCases, readRows } from './test-case-rows.ts'

const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom('"', ',', '\n', '\r', '=', '-', "'", ';', '\\', '/', '1', '.', ' ', '>', '\t', 'x'),
  }),
  fc.string({ unit: 'grapheme' }).map((some) => some.replaceAll('\0', '')),
)
const isShort = (some: string) => some !== '' && some.length < 60
const key = text.map((some) => some.trim()).filter(isShort)
const name = text.map((some) => cleanName(some).trim()).filter(isShort)
const step = fc.record({ action: text, expected: text })
const testCase = fc.record({
  id: fc.constant('WEB-1'),
  title: name,
  folder_id: fc.constantFrom(null, 'outer', 'inner'),
  priority: fc.constantFrom(...PRIORITIES),
  type: fc.constantFrom(...TEST_CASE_TYPES),
  precondition: text,
  steps: fc
    .array(step, { maxLength: 4 })
    .map((steps) => steps.map((given, index) => ({ ...given, position: index + 1 }))),
  expected_result: text,
  tags: fc.array(key, { maxLength: 5 }),
  automation_key: fc.option(key),
  owner_id: fc.option(key),
  estimate: fc.option(fc.integer({ min: 1, max: 8_640_000 })),
  template: fc.constantFrom(...TEMPLATES),
})

/** Parses each line of a file into a test case. */
function parse(csv: string) {
  const { rows, errors } = readRows(parseCsv(csv))
  expect(errors).toEqual([])
  return rows.map((row) => parseTestCase(row))
}

describe('parseTestCase', () => {
  it('returns the test case that formatTestCases was given, whatever it contains', () => {
    fc.assert(
      fc.property(fc.array(testCase, { maxLength: 4 }), name, name, (cases, outer, inner) => {
        const tree = createFolderTree([
          { id: 'outer', name: outer, parent_id: null },
          { id: 'inner', name: inner, parent_id: 'outer' },
        ])
        const names = { outer: [outer], inner: [outer, inner] }
        const expected = cases.map(({ id, folder_id, steps, owner_id, ...fields }) => ({
          line: expect.any(Number),
          id,
          folder: folder_id === null ? [] : names[folder_id],
          body: {
            ...fields,
            owner: owner_id,
            steps: steps.map(({ action, expected: then }) => ({ action, expected: then })),
            shared_steps: [],
          },
        }))
        expect(parse(formatTestCases(cases, { getPath: tree.getPath, getOwner: String }))).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('removes characters from title and folders that the server does not accept in names', () => {
    expect(
      parse('title,folder\n"Pays\u00ad by\ncard\u200b",\ufeffCheck\u202eout / \u200b / Pay\u2060ment'),
    ).toMatchObject([{ folder: ['Checkout', 'Payment'], body: { title: 'Pays by card' } }])
  })

  it('requires only the title', () => {
    expect(parse('Title\n  Pays by card \n')).toEqual([
      {
        line: 2,
        id: '',
        folder: [],
        body: {
          title: 'Pays by card',
          priority: 'medium',
          type: 'functional',
          precondition: '',
          steps: [],
          shared_steps: [],
          expected_result: '',
          tags: [],
          automation_key: null,
          owner: null,
          estimate: null,
          template: 'steps',
        },
      },
    ])
  })

  it('finds columns by name, in any order, with spaces and in upper case', () => {
    expect(parse('Expected Result;TITLE;Type;priority\nPaid;Pays;End to end;HIGH\n')).toEqual([
      expect.objectContaining({
        body: expect.objectContaining({ title: 'Pays', expected_result: 'Paid', type: 'end_to_end', priority: 'high' }),
      }),
    ])
  })

  it.each([
    ['an empty title', 'title,tags\n" ",x', ['the title is empty']],
    ['a title that is too long', `title\n${'x'.repeat(256)}`, ['the title has 256 characters; the maximum is 255']],
    [
      'an unknown priority and type',
      'title,priority,type\nx,urgent,odd',
      [/^unknown priority "urgent"; the values are critical/, /^unknown type "odd"/],
    ],
    ['too many tags', `title,tags\nx,"${'t, '.repeat(51)}"`, ['the line has 51 tags; the maximum is 50']],
    ['a tag that is too long', `title,tags\nx,${'t'.repeat(65)}`, ['a tag has 65 characters; the maximum is 64']],
    [
      'a folder that is too deep',
      `title,folder\nx,${'a/'.repeat(11)}`,
      ['the folder is 11 levels deep; the maximum is 10'],
    ],
    [
      'an automation key that is too long',
      `title,automation_key\nx,${'k'.repeat(2001)}`,
      ['the automation key has 2001 characters; the maximum is 2000'],
    ],
    [
      'a precondition that is too long',
      `title,precondition\nx,${'p'.repeat(65_537)}`,
      [/^the precondition has 65537 characters/],
    ],
    ['too many steps', `title,steps\nx,"${'1. a\n'.repeat(501)}"`, ['the line has 501 steps; the maximum is 500']],
    ['steps without numbers', 'title,steps\nx,do it', [/^line 1 of the steps/]],
    ['a NUL character', 'title,precondition\nx,\0', ['the line contains a NUL character']],
  ])('returns an error for %s', (_, csv, errors) => {
    expect(parse(csv)).toEqual([{ errors: errors.map((error) => expect.stringMatching(error)) }])
  })

  it('counts characters, not UTF-16 code units', () => {
    expect(parse(`title\n${'😀'.repeat(255)}`)).toEqual([expect.objectContaining({ line: 2 })])
  })
})

describe('readRows', () => {
  it.each([
    ['', 1, /the file is empty/],
    ['name,steps\nx,y\n', 1, /no column is named title; the columns are id, title, folder/],
    ['title,Title\nx,y\n', 1, /more than one column is named title/],
    ['title\nx\ny,z\n', 3, /the line has 2 cells, but the header has 1/],
  ])('returns the error in %j with its line', (csv, line, message) => {
    expect(readRows(parseCsv(csv))).toMatchObject({ errors: [{ line, message: expect.stringMatching(message) }] })
  })

  it('returns the other rows besides a row with too many cells', () => {
    const { rows, errors } = readRows(parseCsv('title\nx,y\nz\n'))
    expect([rows.map(({ texts }) => texts.title), errors.map(({ line }) => line)]).toEqual([['z'], [2]])
  })

  it('leaves out rows whose cells are all empty, wherever they are, and counts them', () => {
    const { rows, errors, blankCount } = readRows(parseCsv(',\ntitle,tags\n,\nx,y\n \t, \nz,\n,,,\n'))
    expect({ titles: rows.map(({ line, texts }) => [line, texts.title]), errors, blankCount }).toEqual({
      titles: [
        [4, 'x'],
        [6, 'z'],
      ],
      errors: [],
      blankCount: 4,
    })
  })

  it('returns unknown columns, and accepts lines with fewer cells than columns', () => {
    const result = readRows(parseCsv('title,reviewer,tags\nx\n'))
    expect(result).toMatchObject({ ignoredColumns: ['reviewer'], rows: [{ line: 2, texts: { title: 'x', tags: '' } }] })
  })
})
