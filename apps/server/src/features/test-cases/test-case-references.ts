import { type FieldError, MAX_FIELD_ERRORS } from '@caseward/contract/problem'

import type { Database } from '../../platform/database/connect.ts'
import { conflictProblem } from '../../platform/http/problems.ts'
import { selectCaseNumbersByKey } from './automation-keys.queries.ts'

/*
 * Finds the items of a rejected request that refer to an unknown folder or to an automation key in use. Runs only after
 * validation or a constraint has rejected the request: valid requests pay nothing, and no other request can change the
 * outcome between a check and the write.
 */

interface References {
  folder_id?: string | null
  automation_key?: string | null
}

/** Returns the JSON Pointer of an item in the request's body. */
export type GetItemPath = (index: number) => string

/** The only item of a request is its body. */
export const getBodyPath: GetItemPath = () => ''

/** An error for a `folder_id` that is not a folder of the project. */
export const unknownFolderError = (itemPath: string): FieldError => ({
  path: `${itemPath}/folder_id`,
  message: 'is not a folder of this project',
})

/** An error for an `automation_key` that another test case has. */
export const usedAutomationKeyError = (itemPath: string): FieldError => ({
  path: `${itemPath}/automation_key`,
  message: 'is already used by another test case',
})

export const automationKeyTakenProblem = (errors: FieldError[]) =>
  conflictProblem('automation_key_taken', 'Another test case of this project already uses this automation key.', errors)

/** Returns an error for every item whose folder is not in the project. */
export async function findUnknownFolders(
  db: Database,
  projectId: string,
  items: readonly References[],
  getItemPath: GetItemPath,
): Promise<FieldError[]> {
  const rows = await db.selectFrom('folders').select('id').where('project_id', '=', projectId).execute()
  const existing = new Set(rows.map(({ id }) => id))
  return items.flatMap(({ folder_id: id }, index) =>
    typeof id === 'string' && !existing.has(id) ? [unknownFolderError(getItemPath(index))] : [],
  )
}

/**
 * Adds an error for every item whose folder is not in the project to the errors of validation, in the order of items.
 * @param items as sent, not validated
 */
export async function addUnknownFolderErrors(
  db: Database,
  projectId: string,
  items: readonly unknown[],
  getItemPath: GetItemPath,
  errors: readonly FieldError[],
): Promise<FieldError[]> {
  const paths = new Set(errors.map(({ path }) => path))
  const unknownFolders = await findUnknownFolders(db, projectId, items.map(getFolderReference), getItemPath)
  const added = unknownFolders.filter(({ path }) => !paths.has(path)).slice(0, MAX_FIELD_ERRORS)
  return [...errors, ...added].toSorted((a, b) => getItemIndex(a) - getItemIndex(b))
}

function getFolderReference(item: unknown): References {
  const { folder_id: id } = (item ?? {}) as { folder_id?: unknown }
  return typeof id === 'string' ? { folder_id: id } : {}
}

/** The index of the item that a field is in; -1 for fields outside of items, which come first. */
const getItemIndex = ({ path }: FieldError): number => Number(/^\/test_cases\/(\d+)/.exec(path)?.[1] ?? -1)

/** Returns an error for every item whose automation key is used in the project or by an earlier item. */
export async function findUsedAutomationKeys(
  db: Database,
  projectId: string,
  items: readonly References[],
  getItemPath: GetItemPath,
): Promise<FieldError[]> {
  const keys = items.flatMap(({ automation_key: key }) => (typeof key === 'string' ? [key] : []))
  const usedKeys = new Set((await selectCaseNumbersByKey(db, projectId, keys)).keys())
  return items.flatMap(({ automation_key: key }, index) => {
    if (typeof key !== 'string') return []
    if (usedKeys.has(key)) return [usedAutomationKeyError(getItemPath(index))]
    usedKeys.add(key)
    return []
  })
}
