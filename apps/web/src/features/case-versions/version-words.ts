import type { CaseVersion, CaseVersionEntry } from '@caseward/client/endpoints'

import { type EditedField, editedFields, type FieldContext, formatField } from '../test-cases/edited-fields.ts'

const sources: Readonly<Record<NonNullable<CaseVersionEntry['via']>, string>> = {
  web: 'in the browser',
  api: 'by the API',
  import: 'by an import',
  bulk: 'with others',
  restore: 'restored',
  shared_step: 'by a shared step',
  review: 'in a review',
  merge: 'by a merge',
}

/** How a version was made; empty if that is not known. */
export const describeSource = ({ via }: Pick<CaseVersionEntry, 'via'>): string => (via === null ? '' : sources[via])

/** The name of a field, as versions name it. */
export function getFieldName(name: string): string {
  if (name in editedFields) return editedFields[name as EditedField].name
  if (name === 'fields') return 'Deleted fields'
  if (name === 'step_groups') return 'Shared steps'
  if (name === 'archived') return 'Archived or restored'
  return name.startsWith('fields.') ? name.slice('fields.'.length) : name
}

/** What a version changed, as words: "Title, Steps". */
export function describeChanged({ version, changed, changed_at }: CaseVersionEntry): string {
  if (changed.length > 0) return changed.map(getFieldName).join(', ')
  if (version === 1) return 'Created'
  return changed_at === null ? 'The oldest version that is kept' : 'Nothing'
}

/** Why something could not be restored. */
export const skipReasons = {
  not_found: 'was deleted',
  not_a_member: 'is no longer a member',
  retired: 'is retired',
  in_use: 'belongs to another test case',
  required: 'must have a value',
  invalid: 'has other limits now',
} as const

/** What a version says of its fields. */
export type VersionContent = Pick<CaseVersion, EditedField | 'fields' | 'step_groups'>

/** The value of a field in a version. Its folder or owner may be gone. */
export function formatVersionField(version: VersionContent, field: EditedField, context: FieldContext): string {
  const { folder_id: folderId, owner_id: ownerId } = version
  if (field === 'folder_id' && folderId !== null && !context.folders.some(({ id }) => id === folderId)) {
    return 'A deleted folder'
  }
  if (field === 'owner_id' && ownerId !== null) return context.getPerson(ownerId) || 'A former member'
  return formatField(field, version[field], context)
}
