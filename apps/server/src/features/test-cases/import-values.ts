import type { ImportRow } from '@caseward/contract/test-case-imports'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import {
  type CheckedValues,
  checkValues,
  type FieldValueError,
  findNewRetiredUses,
  findRemovedRequired,
  findUnknownUsers,
} from '../fields/check-values.ts'
import type { ProjectFields } from '../fields/field-definitions.ts'
import { findTooLargeAfter } from '../fields/values-size.ts'
import { checkNewValues } from '../fields/require-values.ts'
import type { StoredValues, ValueChanges } from '../fields/stored-values.ts'
import { selectValuesOf } from './case-values.queries.ts'
import { getRowPath } from './import-paths.ts'
import { parseTestCaseNumber } from './test-case-ids.ts'

/** The values of custom fields that rows of an import set. */
export interface ImportValues {
  fields: ProjectFields
  /** All values of the new test case of a row, by the index of the row. */
  ofNew: Map<number, StoredValues | null>
  /** The values that a row changes; only of rows that contain `fields`. */
  ofExisting: Map<number, ValueChanges>
  errors: FieldValueError[]
}

/**
 * Checks the values of rows, and completes those of new test cases.
 * @param rows null for rows that are left out
 */
export async function readImportValues(
  db: Database,
  project: ProjectRef,
  fields: ProjectFields,
  rows: readonly (ImportRow | null)[],
): Promise<ImportValues> {
  const created = rows.flatMap((row, index) => (row === null || row.id !== undefined ? [] : [{ row, index }]))
  const checkedNew = await checkNewValues(
    db,
    project.id,
    fields,
    created.map(({ row }) => row),
    (position) => getRowPath(created[position]?.index ?? 0),
  )
  const ofNew = new Map(created.map(({ index }, position) => [index, checkedNew.values[position] ?? null]))

  const ofExisting = new Map<number, ValueChanges>()
  const checked: (CheckedValues & { number: number })[] = []
  const sized: Parameters<typeof findTooLargeAfter>[3][number][] = []
  const errors = [...checkedNew.errors]
  for (const [index, row] of rows.entries()) {
    if (row?.id === undefined || row.fields === undefined) continue
    const path = `${getRowPath(index)}/fields`
    const values = checkValues(fields, row.fields, path)
    const number = parseTestCaseNumber(row.id, project.prefix) ?? 0
    checked.push({ ...values, number })
    if (values.errors.length === 0) sized.push({ number, changes: values.changes, path })
    errors.push(...values.errors, ...findRemovedRequired(fields, values.changes, path))
    ofExisting.set(index, values.changes)
  }
  const users = checked.flatMap((values) => values.users)
  errors.push(...(await findUnknownUsers(db, project.id, users)))
  errors.push(...(await findRetiredValues(db, project.id, checked)))
  errors.push(...(await findTooLargeAfter(db, project.id, fields, sized)))
  return { fields, ofNew, ofExisting, errors }
}

/** What is retired stays possible for test cases that have it. Few rows use it. */
async function findRetiredValues(
  db: Database,
  projectId: string,
  checked: readonly (CheckedValues & { number: number })[],
): Promise<FieldValueError[]> {
  const withUses = checked.filter(({ retiredUses }) => retiredUses.length > 0)
  if (withUses.length === 0) return []
  const used = withUses.flatMap(({ retiredUses }) => retiredUses.map(({ field }) => String(field.number)))
  const numbers = withUses.map(({ number }) => number)
  const current = await selectValuesOf(db, projectId, numbers, [...new Set(used)])
  return withUses.flatMap(({ number, retiredUses }) => findNewRetiredUses(retiredUses, current.get(number) ?? null))
}
