import type { Folder, TestCaseRow } from '@caseward/client/endpoints'

import type { CaseSort } from '../../search-schemas.ts'
import type { Sort } from '../../ui/table/columns.ts'
import type { CaseView } from './search-cases.ts'

/** The columns by which the table sorts. */
const sortColumns: Readonly<Record<Exclude<CaseSort, 'tree' | 'field'>, string>> = {
  number: 'id',
  title: 'title',
  priority: 'priority',
  updated: 'updated',
}

/** The columns of custom fields have this before their keys. */
export const FIELD_COLUMN = 'field.'

/** Returns the order of the table; null for that of the folders. */
export function toTableSort({ sort, by, desc }: Pick<CaseView, 'sort' | 'by' | 'desc'>): Sort | null {
  if (sort === 'tree') return null
  const column = sort === 'field' ? FIELD_COLUMN + by : sortColumns[sort]
  return { column, direction: desc ? 'descending' : 'ascending' }
}

/** Returns the parameters of the URL for an order of the table. */
export function fromTableSort(order: Sort | null): { sort: CaseSort; by: string; desc: boolean } {
  const desc = order?.direction === 'descending'
  if (order?.column.startsWith(FIELD_COLUMN) === true) {
    return { sort: 'field', by: order.column.slice(FIELD_COLUMN.length), desc }
  }
  const found = Object.entries(sortColumns).find(([, column]) => column === order?.column)
  if (order === null || found === undefined) return { sort: 'tree', by: '', desc: false }
  return { sort: found[0] as CaseSort, by: '', desc }
}

/** Whether anything but the folder limits what is shown. */
export const hasFilter = ({
  q,
  priority,
  type,
  tag,
  owner,
  field,
}: Pick<CaseView, 'q' | 'priority' | 'type' | 'tag' | 'owner' | 'field'>): boolean =>
  q.trim() !== '' || [priority, type, tag, owner, field].some(({ length }) => length > 0)

/** The filters of a view that shows everything in the folder. */
export const noFilter = {
  q: '',
  priority: [],
  type: [],
  tag: [],
  owner: [],
  field: [],
} as const satisfies Partial<CaseView>

/**
 * Leaves out what is being deleted. Test cases and folders of a deleted folder come to its parent, as on the server.
 * @param hiddenIds ids of test cases and folders
 */
export function withoutDeleted(
  rows: readonly TestCaseRow[],
  folders: readonly Folder[],
  hiddenIds: ReadonlySet<string>,
): { rows: readonly TestCaseRow[]; folders: readonly Folder[] } {
  if (hiddenIds.size === 0) return { rows, folders }
  const parents = new Map(folders.map(({ id, parent_id }) => [id, parent_id]))
  const findKept = (id: string | null): string | null => {
    let kept = id
    for (let level = 0; kept !== null && hiddenIds.has(kept) && level < parents.size; level += 1) {
      kept = parents.get(kept) ?? null
    }
    return kept
  }
  return {
    rows: rows
      .filter(({ id }) => !hiddenIds.has(id))
      .map((row) => {
        const folder_id = findKept(row.folder_id)
        return folder_id === row.folder_id ? row : { ...row, folder_id }
      }),
    folders: folders
      .filter(({ id }) => !hiddenIds.has(id))
      .map((folder) => {
        const parent_id = findKept(folder.parent_id)
        return parent_id === folder.parent_id ? folder : { ...folder, parent_id }
      }),
  }
}

/** Where rows are dropped in the list. */
export interface DropPlace {
  readonly folder_id: string | null
  /** The test case before; null for the start of the folder. */
  readonly after: string | null
}

/**
 * Finds the place of rows that are dropped at an edge of another row.
 * @param ordered all test cases in the order of the folders, also those that a filter hides
 * @param movedIds what is dropped
 */
export function findDropPlace(
  ordered: readonly TestCaseRow[],
  target: TestCaseRow,
  edge: 'top' | 'bottom',
  movedIds: ReadonlySet<string>,
): DropPlace {
  const siblings = ordered.filter(
    ({ id, folder_id }) => folder_id === target.folder_id && (id === target.id || !movedIds.has(id)),
  )
  const index = siblings.findIndex(({ id }) => id === target.id)
  // A row that is moved itself is no neighbour.
  const isUsable = edge === 'bottom' && !movedIds.has(target.id)
  const before = isUsable ? siblings[index] : siblings[index - 1]
  return { folder_id: target.folder_id, after: before?.id ?? null }
}
