import { isDeepStrictEqual } from 'node:util'

import type { FieldValue } from '@caseward/contract/field-values'
import type { RestoredTestCase } from '@caseward/contract/case-versions'

import type { Database } from '../../platform/database/connect.ts'
import { checkValues, findNewRetiredUses, findRemovedRequired, findUnknownUsers } from '../fields/check-values.ts'
import { type FieldDefinition, presentValue, type ProjectFields } from '../fields/field-definitions.ts'
import { readFields } from '../fields/project-fields.ts'
import type { StoredValue, StoredValues } from '../fields/stored-values.ts'

type Skipped = RestoredTestCase['skipped']
type Reason = Skipped[number]['reason']

/** Returns the custom fields that differ from an earlier version, and those whose earlier value cannot be set any more. */
export async function restoreValues(
  tx: Database,
  projectId: string,
  fieldsVersion: number,
  earlier: StoredValues | null,
  current: StoredValues | null,
): Promise<{ fields: Record<string, FieldValue>; skipped: Skipped }> {
  const restored: Record<string, FieldValue> = {}
  const skipped: Skipped = []
  if (earlier === null && current === null) return { fields: restored, skipped }
  const fields = await readFields(tx, projectId, fieldsVersion)
  const numbers = [...new Set([...Object.keys(earlier ?? {}), ...Object.keys(current ?? {})])]
  for (const number of numbers) {
    const value = earlier?.[number]
    if (isDeepStrictEqual(value, current?.[number])) continue
    const field = fields.list.find((candidate) => String(candidate.number) === number)
    if (field === undefined) {
      if (!skipped.some((item) => item.field === 'fields')) skipped.push({ field: 'fields', reason: 'not_found' })
      continue
    }
    const sent = value === undefined ? null : toSent(field, value)
    const reason = sent === undefined ? 'not_found' : await findReason(tx, projectId, fields, field, sent, current)
    if (sent === undefined || reason !== null)
      skipped.push({ field: `fields.${field.key}`, reason: reason ?? 'not_found' })
    else restored[field.key] = sent
  }
  return { fields: restored, skipped }
}

/** Returns a value as requests have it; undefined if one of its options was deleted. */
function toSent(field: FieldDefinition, value: StoredValue): FieldValue | undefined {
  const presented = presentValue(field, value)
  const options = field.type === 'select' || field.type === 'multi_select' ? [value].flat().length : 0
  return options > 0 && [presented ?? []].flat().length !== options ? undefined : presented
}

/** Why a value cannot be set; null if it can. */
async function findReason(
  tx: Database,
  projectId: string,
  fields: ProjectFields,
  field: FieldDefinition,
  sent: FieldValue,
  current: StoredValues | null,
): Promise<Reason | null> {
  const checked = checkValues(fields, { [field.key]: sent }, '')
  if (checked.errors.length > 0) return 'invalid'
  if (findNewRetiredUses(checked.retiredUses, current).length > 0) return 'retired'
  if (findRemovedRequired(fields, checked.changes, '').length > 0) return 'required'
  return (await findUnknownUsers(tx, projectId, checked.users)).length > 0 ? 'not_a_member' : null
}
