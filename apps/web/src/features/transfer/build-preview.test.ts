import type { FileRow } from '@caseward/case-files/to-import-rows'
import { describe, expect, it } from 'vitest'

import { buildPreview, countActions, formatRefused, getInputs } from './build-preview.ts'

const makeRow = (row: number, changes: Partial<FileRow> = {}): FileRow => ({
  row,
  id: '',
  title: `Title ${row}`,
  folder: [],
  errors: [],
  input: { title: `Title ${row}` },
  ...changes,
})
const refused = makeRow(3, { errors: ['the title is empty'], input: null })

describe('buildPreview', () => {
  it('shows what the server will do with each row, with words for fields', () => {
    const rows = [makeRow(2), makeRow(4, { id: 'WEB-1', title: '', input: { id: 'WEB-1' } })]
    const similar = { id: 'WEB-9', title: 'title 2', folder_id: null, same: 'title' as const, similarity: 1 }
    const result = {
      created: 1,
      updated: 1,
      folders_created: 0,
      rows: [
        { id: null, title: 'Title 2', action: 'create' as const, changed: [], similar: [similar] },
        { id: 'WEB-1', title: 'Pays', action: 'update' as const, changed: ['folder_path', 'steps'] },
      ],
    }
    expect(buildPreview(rows, { result })).toMatchObject([
      { row: 2, action: 'create', title: 'Title 2', changed: [], similar: [similar] },
      { row: 4, action: 'update', title: 'Pays', changed: ['folder', 'steps'], similar: [] },
    ])
  })

  it('joins the errors of the file with those of the server, by the rows of the file', () => {
    const rows = [makeRow(2), refused, makeRow(4), makeRow(5)]
    expect(getInputs(rows)).toHaveLength(3)
    const errors = [
      { path: '/rows/1/automation_key', message: 'is the same as in row 1 of the request' },
      { path: '/rows/2/steps/0/action', message: 'is too long' },
      { path: '/rows/2', message: 'must be an object' },
    ]
    const preview = buildPreview(rows, { errors })
    expect(preview.map(({ action, errors: texts }) => [action, texts])).toEqual([
      ['create', []],
      ['refused', ['The title is empty.']],
      ['refused', ['The automation key is the same as in row 2.']],
      ['refused', ['The steps are too long.', 'Must be an object.']],
    ])
    expect(countActions(preview)).toEqual({ create: 1, update: 0, none: 0, refused: 3 })
    expect(formatRefused(preview).split('\n')[0]).toBe('Row 3: The title is empty.')
  })
})
