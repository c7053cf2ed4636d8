import { type FileField, findColumn } from './test-case-rows.ts'

/** Headings of other tools, without capitals and separators. */
const HEADINGS: Readonly<Record<FileField, readonly string[]>> = {
  id: ['id', 'key', 'case id', 'test case id', 'issue key'],
  title: ['title', 'name', 'summary', 'test case', 'case title', 'test case title', 'test case name', 'scenario'],
  folder: ['folder', 'folder path', 'path', 'section', 'section hierarchy', 'suite', 'test suite', 'module', 'area'],
  priority: ['priority', 'importance', 'severity'],
  type: ['type', 'test type', 'case type', 'test case type'],
  precondition: ['precondition', 'preconditions', 'pre conditions', 'prerequisites', 'setup'],
  steps: ['steps', 'test steps', 'steps to reproduce', 'steps step'],
  expected_result: ['expected result', 'expected results', 'expected', 'expected outcome', 'pass criteria'],
  tags: ['tags', 'labels', 'keywords', 'tag', 'label'],
  automation_key: ['automation key', 'automation id', 'automated test', 'automated test name'],
  step_action: ['step', 'action', 'step action', 'test step', 'step description', 'step text', 'steps action'],
  step_expected: [
    'step expected',
    'step expected result',
    'steps expected result',
    'step result',
    'expected step result',
  ],
}

/**
 * Suggests what the columns of a file contain, each field at most once.
 * @param headings of the columns
 * @param rows the cells of the first rows
 */
export function suggestFields(headings: readonly string[], rows: readonly (readonly string[])[]): (FileField | null)[] {
  const names = headings.map((heading) =>
    heading
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_()-]+/g, ' ')
      .trim(),
  )
  const found = names.map((name, index) => findColumn(headings[index]?.trim() ?? '') ?? findField(name))
  const fields = found.map((field, index) => (field !== null && found.indexOf(field) === index ? field : null))
  const getCells = (field: FileField) => rows.map((row) => (row[fields.indexOf(field)] ?? '').trim())
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

const findField = (name: string): FileField | null => {
  const entry = Object.entries(HEADINGS).find(([, headings]) => headings.includes(name))
  return entry === undefined ? null : (entry[0] as FileField)
}

/** Suggests what separates the folders of a path: `>` if paths contain it, and no `/`. */
export const suggestFolderSeparator = (paths: readonly string[]): '/' | '>' =>
  paths.some((path) => path.includes(' > ')) && !paths.some((path) => path.includes('/')) ? '>' : '/'
