import type { Database } from '../../platform/database/connect.ts'
import {
  checkValues,
  completeValues,
  findRemovedRequired,
  findUnknownUsers,
  findNewRetiredUses,
  type CheckedValues,
  type FieldValueError,
  invalidValuesProblem,
  type SentValues,
} from './check-values.ts'
import type { ProjectFields } from './field-definitions.ts'
import { readFields } from './project-fields.ts'
import type { StoredValues, ValueChanges } from './stored-values.ts'
import { findTooLarge } from './values-size.ts'

/**
 * Checks the values of new test cases, and completes them with defaults.
 * @param getItemPath the JSON Pointer of an item
 * @param options.isAutomatic whether required fields may lack a value
 * @returns the values of each item
 * @throws {Problem} 400 with every invalid or missing value
 */
export async function requireNewValues(
  db: Database,
  projectId: string,
  fields: ProjectFields,
  items: readonly { fields?: SentValues }[],
  getItemPath: (index: number) => string,
  { isAutomatic = false }: { isAutomatic?: boolean } = {},
): Promise<(StoredValues | null)[]> {
  const { values, errors } = await checkNewValues(db, projectId, fields, items, getItemPath, { isAutomatic })
  if (errors.length > 0) throw invalidValuesProblem(errors)
  return values
}

/**
 * Does the same as {@link requireNewValues}, and returns the errors.
 * @param options.isExact whether the values are those of a project that is moved: none gets a default, and what is retired is kept
 */
export async function checkNewValues(
  db: Database,
  projectId: string,
  fields: ProjectFields,
  items: readonly { fields?: SentValues }[],
  getItemPath: (index: number) => string,
  { isAutomatic = false, isExact = false }: { isAutomatic?: boolean; isExact?: boolean } = {},
): Promise<{ values: (StoredValues | null)[]; errors: FieldValueError[] }> {
  const errors: FieldValueError[] = []
  const users: CheckedValues['users'] = []
  const values = items.map(({ fields: sent = {} }, index) => {
    const path = `${getItemPath(index)}/fields`
    const checked = checkValues(fields, sent, path)
    users.push(...checked.users)
    errors.push(...checked.errors, ...(isExact ? [] : findNewRetiredUses(checked.retiredUses, null)))
    if (checked.errors.length > 0) return null
    const completed = completeValues(fields, checked.changes, path, {
      requiresValues: !isAutomatic,
      addsDefaults: !isExact,
    })
    errors.push(...completed.errors, ...findTooLarge(fields, completed.values, path))
    return completed.values
  })
  errors.push(...(await findUnknownUsers(db, projectId, users)))
  return { values, errors }
}

/**
 * Checks the changes of values of test cases that exist.
 * @param changes what is sent, with its JSON Pointer, and a function that reads the values that the test case has
 * @throws {Problem} 400 with every invalid value
 */
export async function requireChangedValues(
  db: Database,
  projectId: string,
  fields: ProjectFields,
  { sent, path, readCurrent }: { sent: SentValues; path: string; readCurrent: () => Promise<StoredValues | null> },
): Promise<ValueChanges> {
  const { changes, errors, retiredUses, users } = checkValues(fields, sent, path)
  const others = [...findRemovedRequired(fields, changes, path), ...(await findUnknownUsers(db, projectId, users))]
  // Few requests use what is retired.
  const retired = retiredUses.length === 0 ? [] : findNewRetiredUses(retiredUses, await readCurrent())
  const all = [...errors, ...others, ...retired]
  if (all.length > 0) throw invalidValuesProblem(all)
  return changes
}

/** Returns the keys of the required fields of which test cases that automation creates have no value, because there is no default. */
export async function readLackingFields(db: Database, projectId: string): Promise<string[]> {
  const { list } = await readFields(db, projectId)
  return list.flatMap(({ key, is_required: isRequired, default_value: defaultValue, retired_at: retiredAt }) =>
    isRequired && defaultValue === null && retiredAt === null ? [key] : [],
  )
}
