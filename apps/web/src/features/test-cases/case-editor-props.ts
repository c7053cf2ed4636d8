import type { Folder, TestCase } from '@caseward/client/endpoints'
import type { RefObject } from 'react'

import { mergeFieldValues } from '../fields/merge-field-values.ts'
import type { CaseEditing, CaseEditingState } from './case-editing.ts'

export interface CaseEditorProps {
  projectId: string
  editing: CaseEditing
  state: CaseEditingState
  folders: readonly Folder[]
  mayEdit: boolean
  /** The field of the title, for its key. */
  title?: RefObject<HTMLTextAreaElement | null>
  /** Whether the fields of the side are beside the texts, on the page of the test case. */
  hasSide?: boolean
}

/** The test case as the user sees it: saved, with what is typed and not saved. */
export const getShown = ({ saved, changes }: CaseEditingState): TestCase => ({
  ...saved,
  ...(changes as Partial<TestCase>),
  ...(changes.fields === undefined ? {} : { fields: mergeFieldValues(saved.fields, changes.fields) }),
})

/** Messages of the server by field: `title`, `steps/3/action`. */
export type FieldErrors = ReadonlyMap<string, string>

/** What every part of the editor gets. */
export interface CaseFieldsProps extends CaseEditorProps {
  shown: TestCase
  errors: FieldErrors
}
