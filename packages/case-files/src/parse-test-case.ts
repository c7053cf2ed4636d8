import type { ImportRow } from '@caseward/client/endpoints'

import { type CustomColumns, noCustomColumns, readFieldValue, type UnknownOption } from './custom-columns.ts'
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
export function parseTestCase(
  row: Row,
  options: ParseOptions & { readonly custom?: CustomColumns } = {},
): NewTestCase | { errors: string[]; unknownOptions?: readonly UnknownOption[] } {
  const cells = COLUMNS.map((column) => ({ column, cell: readCell(column, row, options) }))
  const errors = cells.flatMap(({ cell }) => ('errors' in cell ? cell.errors : []))
  const custom = readCustomFields(row, options.custom ?? noCustomColumns)
  errors.push(...custom.errors)
  if ([...Object.values(row.texts), ...Object.values(row.custom ?? {})].some((text) => text.includes('\0')))
    errors.push('the line contains a NUL character')
  const { unknownOptions } = custom
  if (errors.length > 0) return unknownOptions.length === 0 ? { errors } : { errors, unknownOptions }
  const values = cells.flatMap(({ column, cell }) => ('value' in cell ? [[fileColumns[column].field, cell.value]] : []))
  const { id = '', title = '', folder_path: folder = [], ...others } = Object.fromEntries(values) as ImportRow
  const withFields = custom.fields === undefined ? {} : { fields: custom.fields }
  return { line: row.line, id, folder, body: { title, ...others, ...withFields } }
}

/** Reads the cells of custom fields; an empty one is no value. */
function readCustomFields({ custom }: Row, columns: CustomColumns): CustomCells {
  if (custom === undefined) return { errors: [], unknownOptions: [] }
  const errors: string[] = []
  const unknownOptions: UnknownOption[] = []
  const values: NonNullable<ImportRow['fields']> = {}
  for (const field of columns.fields) {
    const text = custom[field.key]
    if (text === undefined) continue
    const cell = readFieldValue(field, text, columns)
    if ('errors' in cell) {
      errors.push(...cell.errors)
      unknownOptions.push(...(cell.unknownOptions ?? []).map((label) => ({ key: field.key, label })))
    } else values[field.key] = cell.value
  }
  return { fields: values, errors, unknownOptions }
}

interface CustomCells {
  fields?: ImportRow['fields']
  errors: string[]
  unknownOptions: UnknownOption[]
}

const readCell = (column: Column, { texts, steps }: Row, options: ParseOptions) =>
  column === 'steps' && steps !== undefined ? readSteps(steps) : fileColumns[column].read(texts[column], options)
