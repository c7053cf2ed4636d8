import { fileColumns } from './file-columns.ts'
import { type CustomField, findFieldOfHeading, type CustomFileField, toCustomFileField } from './custom-columns.ts'
import { findColumn } from './find-column.ts'
import { FILE_FIELDS, type FileField } from './test-case-rows.ts'

/** Headings of other tools for files with one step per row, without capitals and separators. */
const stepHeadings = {
  step_action: ['step', 'action', 'step action', 'test step', 'step description', 'step text', 'steps action'],
  step_expected: [
    'step expected',
    'step expected result',
    'steps expected result',
    'step result',
    'expected step result',
  ],
} as const satisfies Partial<Record<FileField, readonly string[]>>

type BuiltInField = Exclude<FileField, CustomFileField>

const getHeadings = (field: BuiltInField): readonly string[] =>
  field === 'step_action' || field === 'step_expected' ? stepHeadings[field] : fileColumns[field].headings

/**
 * Suggests what the columns of a file contain, each field at most once.
 * @param headings of the columns
 * @param rows the cells of the first rows
 */
export function suggestFields(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): (BuiltInField | null)[] {
  const names = headings.map((heading) =>
    heading
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_()-]+/g, ' ')
      .trim(),
  )
  const found = names.map((name, index) => findColumn(headings[index]?.trim() ?? '') ?? findField(name))
  const fields = found.map((field, index) => (field !== null && found.indexOf(field) === index ? field : null))
  const getCells = (field: BuiltInField) => rows.map((row) => (row[fields.indexOf(field)] ?? '').trim())
  // An id of another tool is not one of this project, which would refuse all rows.
  if (fields.includes('id') && !getCells('id').every((cell) => cell === '' || /^[A-Z]{2,5}-\d+$/.test(cell))) {
    fields[fields.indexOf('id')] = null
  }
  const isContinued = fields.includes('title') && getCells('title').slice(1).includes('')
  if (fields.includes('steps') && !fields.includes('step_action') && isContinued) {
    fields[fields.indexOf('steps')] = 'step_action'
  }
  if (fields.includes('step_action') && !fields.includes('step_expected') && fields.includes('expected_result')) {
    fields[fields.indexOf('expected_result')] = 'step_expected'
  }
  return fields
}

/** Suggests columns for custom fields, too: each at most once, before what other tools call a built-in field. */
export function suggestCustomFields(
  headings: readonly string[],
  suggested: readonly (FileField | null)[],
  fields: readonly CustomField[],
): (FileField | null)[] {
  const found = headings.map((heading) => findFieldOfHeading(heading, fields)?.key)
  return suggested.map((field, index) => {
    const key = found[index]
    return key !== undefined && found.indexOf(key) === index ? toCustomFileField(key) : field
  })
}

const findField = (name: string): BuiltInField | null =>
  FILE_FIELDS.find((field) => getHeadings(field).includes(name)) ?? null

/** Suggests what separates the folders of a path: `>` if paths contain it, and no `/`. */
export const suggestFolderSeparator = (paths: readonly string[]): '/' | '>' =>
  paths.some((path) => path.includes(' > ')) && !paths.some((path) => path.includes('/')) ? '>' : '/'
