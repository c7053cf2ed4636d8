import type { ImportRow } from '@caseward/client/endpoints'

import { type Column, COLUMNS, fileColumns, type ParseOptions, readSteps } from './file-columns.ts'
import type { Row } from './test-case-rows.ts'

/** A test case to create, or to update. */
export interface NewTestCase {
  readonly line: number
  /** The id in the file; empty if there is none. */
  readonly id: string
  /** The names of its folders, from the top level down. */
  readonly folder: readonly string[]
  readonly body: Omit<ImportRow, 'id' | 'title' | 'folder_path'> & { title: string }
}

/** @returns the test case, or every error in the line */
export function parseTestCase(row: Row, options: ParseOptions = {}): NewTestCase | { errors: string[] } {
  const cells = COLUMNS.map((column) => ({ column, cell: readCell(column, row, options) }))
  const errors = cells.flatMap(({ cell }) => ('errors' in cell ? cell.errors : []))
  if (Object.values(row.texts).some((text) => text.includes('\0'))) errors.push('the line contains a NUL character')
  if (errors.length > 0) return { errors }
  const values = cells.flatMap(({ column, cell }) => ('value' in cell ? [[fileColumns[column].field, cell.value]] : []))
  const { id = '', title = '', folder_path: folder = [], ...others } = Object.fromEntries(values) as ImportRow
  return { line: row.line, id, folder, body: { title, ...others } }
}

const readCell = (column: Column, { texts, steps }: Row, options: ParseOptions) =>
  column === 'steps' && steps !== undefined ? readSteps(steps) : fileColumns[column].read(texts[column], options)
