import { type FieldError, MAX_FIELD_ERRORS } from '@caseward/contract/problem'

import type { Database } from '../../platform/database/connect.ts'

/*
 * After a request was refused, by its form or by a constraint: which items were to blame. Asked only then, so that a
 * valid request pays nothing and no check can be overtaken by another request.
 */

interface References {
  folder_id?: string | null
  automation_key?: string | null
}
type GetItemPath = (index: number) => string

/** Every item whose folder is none of this project. */
export async function unknownFolders(
  db: Database,
  projectId: string,
  items: readonly References[],
  getItemPath: GetItemPath,
): Promise<FieldError[]> {
  const rows = await db.selectFrom('folders').select('id').where('project_id', '=', projectId).execute()
  const known = new Set(rows.map(({ id }) => id))
  return items.flatMap(({ folder_id: id }, index) =>
    typeof id === 'string' && !known.has(id)
      ? [{ path: `${getItemPath(index)}/folder_id`, message: 'is no folder of this project' }]
      : [],
  )
}

/**
 * Adds every item whose folder is none of this project to what is wrong with the form of items, in their order.
 * @param items whatever was sent in their place
 */
export async function withUnknownFolders(
  db: Database,
  projectId: string,
  items: readonly unknown[],
  getItemPath: GetItemPath,
  wrong: readonly FieldError[],
): Promise<FieldError[]> {
  const named = new Set(wrong.map(({ path }) => path))
  const unknown = await unknownFolders(db, projectId, items.map(getReferences), getItemPath)
  const more = unknown.filter(({ path }) => !named.has(path)).slice(0, MAX_FIELD_ERRORS)
  return [...wrong, ...more].toSorted((a, b) => getItemIndex(a) - getItemIndex(b))
}

function getReferences(item: unknown): References {
  const { folder_id: id } = (item ?? {}) as { folder_id?: unknown }
  return typeof id === 'string' ? { folder_id: id } : {}
}

/** Which item of a list a field is in; what is in none comes first. */
const getItemIndex = ({ path }: FieldError): number => Number(/^\/test_cases\/(\d+)/.exec(path)?.[1] ?? -1)

/** Every item whose automation key another case has, in the project or earlier among the items. */
export async function takenAutomationKeys(
  db: Database,
  projectId: string,
  items: readonly References[],
  getItemPath: GetItemPath,
): Promise<FieldError[]> {
  const keys = items.flatMap(({ automation_key: key }) => (typeof key === 'string' ? [key] : []))
  const rows = await db
    .selectFrom('test_cases')
    .select('automation_key')
    .where('project_id', '=', projectId)
    .where((where) => where.eb('automation_key', '=', where.fn.any(where.val(keys))))
    .execute()
  const taken = new Set(rows.map((row) => row.automation_key))
  return items.flatMap(({ automation_key: key }, index) => {
    if (typeof key !== 'string') return []
    if (taken.has(key))
      return [{ path: `${getItemPath(index)}/automation_key`, message: 'is taken by another test case' }]
    taken.add(key)
    return []
  })
}
