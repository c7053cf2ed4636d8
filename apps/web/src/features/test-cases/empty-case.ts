import type { Field, TestCase } from '@caseward/client/endpoints'

import { type EditedField, editedFieldNames, editedFields } from './edited-fields.ts'

/** A test case that does not exist yet: its id is empty. @param fields the custom fields in use, with their defaults */
export const createEmptyCase = (folder_id: string | null, fields: readonly Field[] = []): TestCase => ({
  ...emptyFields,
  fields: Object.fromEntries(fields.flatMap(({ key, default: value }) => (value === null ? [] : [[key, value]]))),
  id: '',
  folder_id,
  automation_key: null,
  created_by: null,
  position: '',
  version: 0,
  archived_at: null,
  created_at: '',
  updated_at: '',
})

const emptyFields = Object.fromEntries(editedFieldNames.map((field) => [field, editedFields[field].empty])) as Pick<
  TestCase,
  EditedField
>
