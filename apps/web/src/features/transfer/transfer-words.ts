import { COLUMNS, fileColumns } from '@caseward/case-files/file-columns'
import type { CustomFileField } from '@caseward/case-files/custom-columns'
import type { FileField } from '@caseward/case-files/test-case-rows'

const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Says what a column of a file contains, for a list to choose from. */
export function labelField(field: Exclude<FileField, CustomFileField>): string {
  if (field === 'step_action') return 'Step, one per row'
  if (field === 'step_expected') return 'Expected result of the step'
  const { name, label = capitalize(name) } = fileColumns[field]
  return label
}

/** The fields of an import as the API names them. */
const changedNames = new Map<string, string>([
  ...COLUMNS.map((column) => [fileColumns[column].field, fileColumns[column].name] as const),
  ['automation_keys', 'automation keys'],
])

/** Names a field: `folder_path` → `folder`, `steps/2/action` → `steps`. */
export const nameField = (field: string): string => {
  // Values of custom fields: `fields/severity` in an error, `fields.severity` among what changes.
  const custom = /^fields[/.](.+)$/.exec(field)?.[1]
  if (custom !== undefined) return `field ${custom}`
  const [first = ''] = field.split('/')
  return changedNames.get(first) ?? first
}

/** Makes a sentence of a message: `the title is empty` → `The title is empty.` */
export const toSentence = (text: string): string => `${capitalize(text)}${/[.!?]$/.test(text) ? '' : '.'}`
