import { PRIORITIES, TEST_CASE_TYPES } from '@caseward/client/endpoints'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseCsv } from './csv.ts'
import { createFolderTree } from './folder-paths.ts'
import { parseTestCase } from './parse-test-case.ts'
import { formatTestCases, readRows } from './test-case-rows.ts'

const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom('"', ',', '\n', '\r', '=', '-', "'", ';', '\\', '/', '1', '.', ' ', '>', '\t', 'x'),
  }),
  fc.string({ unit: 'grapheme' }).map((some) => some.replaceAll('\0', '')),
)
const name = text.map((some) => some.trim()).filter((some) => some !== '' && some.length < 60)
const step = fc.record({ action: text, expected: text })
const testCase = fc.record({
  id: fc.constant('WEB-1'),
  title: name,
  folder_id: fc.constantFrom(null, 'outer', 'inner'),
  priority: fc.constantFrom(...PRIORITIES),
  type: fc.constantFrom(...TEST_CASE_TYPES),
  precondition: text,
  steps: fc.array(step, { maxLength: 4 }).map((steps) => steps.map((one, index) => ({ ...one, position: index + 1 }))),
  expected_result: text,
  tags: fc.array(name, { maxLength: 5 }),
  automation_key: fc.option(name),
})

/** The test cases that the lines of a file become. */
function readBack(csv: string) {
  const read = readRows(parseCsv(csv))
  if ('wrong' in read) throw new Error(JSON.stringify(read.wrong))
  return read.rows.map((row) => parseTestCase(row))
}

describe('a test case', () => {
  it('comes back from CSV as it was, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.array(testCase, { maxLength: 4 }), name, name, (cases, outer, inner) => {
        const tree = createFolderTree([
          { id: 'outer', name: outer, parent_id: null },
          { id: 'inner', name: inner, parent_id: 'outer' },
        ])
        const names = { outer: [outer], inner: [outer, inner] }
        const expected = cases.map(
          ({ folder_id, steps, title, priority, type, precondition, expected_result, tags, automation_key }) => ({
            line: expect.any(Number),
            folder: folder_id === null ? [] : names[folder_id],
            body: {
              title,
              priority,
              type,
              precondition,
              expected_result,
              tags,
              automation_key,
              steps: steps.map(({ action, expected: then }) => ({ action, expected: then })),
            },
          }),
        )
        expect(readBack(formatTestCases(cases, tree.getPath))).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('needs a title alone', () => {
    expect(readBack('Title\n  Pays by card \n')).toEqual([
      {
        line: 2,
        folder: [],
        body: {
          title: 'Pays by card',
          priority: 'medium',
          type: 'functional',
          precondition: '',
          steps: [],
          expected_result: '',
          tags: [],
          automation_key: null,
        },
      },
    ])
  })

  it('is read by the names of its columns, in any order and as other tools write them', () => {
    expect(readBack('Expected Result;TITLE;Type;priority\nPaid;Pays;End to end;HIGH\n')).toEqual([
      expect.objectContaining({
        body: expect.objectContaining({ title: 'Pays', expected_result: 'Paid', type: 'end_to_end', priority: 'high' }),
      }),
    ])
  })

  it.each([
    ['title\n" "', ['the title is empty']],
    [`title\n${'x'.repeat(256)}`, ['the title has 256 characters, and 255 is the most']],
    ['title,priority,type\nx,urgent,odd', [/^the priority "urgent" is none of critical/, /^the type "odd" is none of/]],
    [`title,tags\nx,"${'t, '.repeat(51)}"`, ['there are 51 tags, and 50 is the most']],
    [`title,tags\nx,${'t'.repeat(65)}`, ['a tag has 65 characters, and 64 is the most']],
    [`title,folder\nx,${'a/'.repeat(11)}`, ['the folder is 11 levels deep, and 10 is the most']],
    [`title,automation_key\nx,${'k'.repeat(501)}`, ['the automation key has 501 characters, and 500 is the most']],
    [`title,precondition\nx,${'p'.repeat(65_537)}`, [/^the precondition has 65537 characters/]],
    [`title,steps\nx,"${'1. a\n'.repeat(501)}"`, ['there are 501 steps, and 500 is the most']],
    ['title,steps\nx,do it', [/^line 1 of the steps/]],
    ['title,precondition\nx,\0', ['there is a NUL character in it']],
  ])('is refused with all that is wrong: %#', (csv, wrong) => {
    expect(readBack(csv)).toEqual([{ wrong: wrong.map((one) => expect.stringMatching(one)) }])
  })

  it('counts characters, not what they are stored in', () => {
    expect(readBack(`title\n${'😀'.repeat(255)}`)).toEqual([expect.objectContaining({ line: 2 })])
  })
})

describe('readRows', () => {
  it.each([
    ['', 1, /the file is empty/],
    ['name,steps\nx,y\n', 1, /no column is called title; the columns are id, title, folder/],
    ['title,Title\nx,y\n', 1, /two columns are called title/],
    ['title\nx\ny,z\n', 3, /it has 2 cells, and the header has 1/],
  ])('says what is wrong with %j', (csv, line, message) => {
    expect(readRows(parseCsv(csv))).toEqual({ wrong: [{ line, message: expect.stringMatching(message) }] })
  })

  it('names the columns that mean nothing, and takes lines with fewer cells than columns', () => {
    const read = readRows(parseCsv('title,owner,tags\nx\n'))
    expect(read).toMatchObject({ ignored: ['owner'], rows: [{ line: 2, texts: { title: 'x', tags: '' } }] })
  })
})
