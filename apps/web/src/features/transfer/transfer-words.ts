import type { FileField } from '@caseward/case-files/test-case-rows'

/** What a column of a file can contain, in the order of the menu. */
export const fieldNames: Readonly<Record<FileField, string>> = {
  title: 'Title',
  id: 'ID of an existing test case',
  folder: 'Folder',
  priority: 'Priority',
  type: 'Type',
  precondition: 'Precondition',
  steps: 'Steps, all in one cell',
  step_action: 'Step, one per row',
  step_expected: 'Expected result of the step',
  expected_result: 'Expected result of the test case',
  tags: 'Tags',
  automation_key: 'Automation key',
  owner: 'Owner, by email address or name',
  estimate: 'Estimate, such as 1h 30m',
}

/** The fields of an import as the API names them. */
const changedNames: Readonly<Record<string, string>> = {
  title: 'title',
  folder_path: 'folder',
  priority: 'priority',
  type: 'type',
  precondition: 'precondition',
  steps: 'steps',
  expected_result: 'expected result',
  tags: 'tags',
  automation_key: 'automation key',
  automation_keys: 'automation keys',
  owner: 'owner',
  owner_id: 'owner',
  estimate: 'estimate',
  id: 'ID',
}

/** Names a field: `folder_path` → `folder`, `steps/2/action` → `steps`. */
export const nameField = (field: string): string => {
  const [first = ''] = field.split('/')
  return changedNames[first] ?? first
}

/** Makes a sentence of a message: `the title is empty` → `The title is empty.` */
export const toSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
