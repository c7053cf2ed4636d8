import { type FieldError, MAX_FIELD_ERRORS } from '@caseward/contract/problem'

import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { conflictProblem, invalidProblem } from '../../platform/http/problems.ts'
import { selectAssignable } from '../assignments/assignments.queries.ts'
import { toKeyDigest } from './automation-keys.ts'
import { selectCaseNumbersByKey } from './automation-keys.queries.ts'

/*
 * Finds the items of a rejected request that refer to an unknown folder or to an automation key in use. Runs only after
 * validation or a constraint has rejected the request: valid requests pay nothing, and no other request can change the
 * outcome between a check and the write.
 */

interface References {
  folder_id?: string | null
  automation_key?: string | null
  automation_keys?: string[]
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

/**
 * An error for an automation key that another test case has.
 * @param index the position in `automation_keys`; null for `automation_key`
 */
export const usedAutomationKeyError = (itemPath: string, index: number | null = null): FieldError => ({
  path: index === null ? `${itemPath}/automation_key` : `${itemPath}/automation_keys/${index}`,
  message: 'is already used by another test case',
})

export const automationKeyTakenProblem = (errors: FieldError[]) =>
  conflictProblem(
    'automation_key_taken',
    'Another test case of this project already uses this automation key. It may be an archived one: they keep their keys.',
    errors,
  )

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
 * Checks that owners are admins or members of the project.
 * @throws {Problem} 400 with every other owner
 */
export async function requireOwners(
  db: Database,
  projectId: string,
  items: readonly { owner_id?: string | null }[],
  getItemPath: GetItemPath,
): Promise<void> {
  const ids = items.flatMap(({ owner_id: id }) => id ?? [])
  if (ids.length === 0) return
  const assignable = await selectAssignable(db, projectId, [...new Set(ids)].filter(isUuid))
  const errors = items.flatMap(({ owner_id: id }, index) =>
    typeof id === 'string' && !assignable.has(id)
      ? [{ path: `${getItemPath(index)}/owner_id`, message: 'is not an admin or member of this project' }]
      : [],
  )
  if (errors.length > 0) throw invalidProblem(errors)
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

/**
 * Returns an error for every automation key that is used by an earlier item or by a test case of the project.
 * @param ownNumber the test case whose own keys do not count
 */
export async function findUsedAutomationKeys(
  db: Database,
  projectId: string,
  items: readonly References[],
  getItemPath: GetItemPath,
  ownNumber: number | null = null,
): Promise<FieldError[]> {
  const keys = items.map(({ automation_key: first, automation_keys: all }) =>
    all === undefined
      ? typeof first === 'string'
        ? [{ key: first, index: null }]
        : []
      : all.map((key, index) => ({ key, index })),
  )
  const stored = await selectCaseNumbersByKey(
    db,
    projectId,
    keys.flatMap((ofItem) => ofItem.map(({ key }) => key)),
  )
  const earlier = new Set<string>()
  return keys.flatMap((ofItem, itemIndex) => {
    const used = ofItem.filter(({ key }) => {
      const number = stored.get(key)
      return (number !== undefined && number !== ownNumber) || earlier.has(toKeyDigest(key))
    })
    for (const { key } of ofItem) earlier.add(toKeyDigest(key))
    return used.map(({ index }) => usedAutomationKeyError(getItemPath(itemIndex), index))
  })
}
