import { formatEstimate } from '@caseward/case-files/estimate-text'
import type { Folder, TestCase, UpdateTestCaseBody } from '@caseward/client/endpoints'

import { priorityNames, templateNames, typeNames } from './case-words.ts'
import { orderFolders } from './group-by-folder.ts'

/** The fields of a test case that a user edits. `automation_key` is the first of its keys; `fields` has custom fields. */
export type EditedField = Exclude<keyof UpdateTestCaseBody, 'automation_key' | 'fields' | 'archived' | 'summary'>

/** What the words for a value need besides it. */
export interface FieldContext {
  readonly folders: readonly Folder[]
  readonly getPerson: (id: string) => string
}

interface FieldWords<F extends EditedField> {
  readonly name: string
  /** The value in a new test case. */
  readonly empty: TestCase[F]
  /** The value as text that can be compared by eye. */
  readonly format: (value: Exclude<UpdateTestCaseBody[F], undefined>, context: FieldContext) => string
}

/** The name, the first value and the words of each field. */
export const editedFields: { readonly [F in EditedField]: FieldWords<F> } = {
  title: { name: 'Title', empty: '', format: String },
  folder_id: { name: 'Folder', empty: null, format: (id, { folders }) => formatFolder(id, folders) },
  priority: { name: 'Priority', empty: 'medium', format: (priority) => priorityNames[priority] },
  type: { name: 'Type', empty: 'functional', format: (type) => typeNames[type] },
  owner_id: { name: 'Owner', empty: null, format: (id, { getPerson }) => (id === null ? 'Nobody' : getPerson(id)) },
  estimate: { name: 'Estimate', empty: null, format: formatEstimate },
  template: { name: 'Template', empty: 'steps', format: (template) => templateNames[template] },
  precondition: { name: 'Precondition', empty: '', format: String },
  steps: { name: 'Steps', empty: [], format: formatSteps },
  expected_result: { name: 'Expected result', empty: '', format: String },
  tags: { name: 'Tags', empty: [], format: (tags) => tags.join(', ') },
  automation_keys: { name: 'Automation keys', empty: [], format: (keys) => keys.join('\n') },
}
export const editedFieldNames = Object.keys(editedFields) as EditedField[]

/** Formats the value of a field. */
export const formatField = <F extends EditedField>(
  field: F,
  value: Exclude<UpdateTestCaseBody[F], undefined>,
  context: FieldContext,
): string => editedFields[field].format(value, context)

function formatSteps(steps: readonly { action?: string; expected?: string }[]): string {
  return steps
    .map(
      ({ action = '', expected = '' }, index) =>
        `${index + 1}. ${action}${expected === '' ? '' : `\n   → ${expected}`}`,
    )
    .join('\n')
}

const formatFolder = (id: string | null, folders: readonly Folder[]): string =>
  orderFolders(folders)
    .find(({ folder }) => folder.id === id)
    ?.path.join(' › ') ?? 'No folder'
