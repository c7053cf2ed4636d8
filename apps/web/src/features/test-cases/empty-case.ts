import type { TestCase } from '@caseward/client/endpoints'

import { type EditedField, editedFieldNames, editedFields } from './edited-fields.ts'

/** A test case that does not exist yet: its id is empty. */
export const createEmptyCase = (folder_id: string | null): TestCase => ({
  ...emptyFields,
  id: '',
  folder_id,
  automation_key: null,
  created_by: null,
  position: '',
  version: 0,
  created_at: '',
  updated_at: '',
})

const emptyFields = Object.fromEntries(editedFieldNames.map((field) => [field, editedFields[field].empty])) as Pick<
  TestCase,
  EditedField
>
