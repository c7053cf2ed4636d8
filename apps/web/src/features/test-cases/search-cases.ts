import {
  type Field,
  type Folder,
  PRIORITIES,
  type Priority,
  type TestCaseRow,
  type TestCaseType,
} from '@caseward/client/endpoints'

import { createTextSearch, toSearchWords } from '../../row-index/search-text.ts'
import { type CaseSort, NO_FOLDER } from '../../search-schemas.ts'
import { createFieldTest, getFilteredKeys } from '../fields/field-filter.ts'
import { getSubtree, orderFolders } from './group-by-folder.ts'

type FieldsByKey = ReadonlyMap<string, Field>
const noFields: FieldsByKey = new Map()

/** What the cases page shows: the parameters of its URL. */
export interface CaseView {
  /** A folder with its subfolders, `none` for test cases without one; null for all. */
  readonly folder: string | null
  readonly q: string
  readonly priority: readonly Priority[]
  readonly type: readonly TestCaseType[]
  /** A test case with any of these tags matches. */
  readonly tag: readonly string[]
  /** Ids of users; {@link NO_OWNER} for test cases without an owner. */
  readonly owner: readonly string[]
  /** Filters by custom fields. */
  readonly field: readonly string[]
  readonly sort: CaseSort
  /** The key of the custom field of the sort `field`. */
  readonly by: string
  readonly desc: boolean
}

/** Number of test cases by value, for the menus of filters. */
export interface CaseFacets {
  readonly priority: ReadonlyMap<Priority, number>
  readonly type: ReadonlyMap<TestCaseType, number>
  readonly tag: ReadonlyMap<string, number>
  readonly owner: ReadonlyMap<string, number>
}

/** Stands for the owner of test cases without one. */
export const NO_OWNER = 'none'

const matchesText = createTextSearch<TestCaseRow>(
  ({ id, title, tags, automation_key }) => `${id}\n${title}\n${tags.join('\n')}\n${automation_key ?? ''}`,
)

/**
 * Prepares the texts that a search reads, about 30 ms for 10,000 rows. Call it when the browser is idle after the index is
 * complete, so that the first key is as fast as the others.
 */
export function prepareSearch(rows: readonly TestCaseRow[]): void {
  for (const row of rows) matchesText(row, ['\0'])
}

/**
 * Returns the test cases of a view in its order. Fields that a filter or the order names and that do not exist are left out.
 * @param fields the custom fields of the project
 */
export function searchCases(
  rows: readonly TestCaseRow[],
  folders: readonly Folder[],
  view: CaseView,
  fields: FieldsByKey = noFields,
): readonly TestCaseRow[] {
  const isInFolder = createFolderTest(view.folder, folders)
  const words = toSearchWords(view.q)
  const priorities = toFilter<Priority>(view.priority)
  const types = toFilter<TestCaseType>(view.type)
  const tags = toFilter(view.tag)
  const owners = toFilter(view.owner)
  const known = view.field.filter((text) => getFilteredKeys([text]).some((key) => fields.has(key)))
  const matchesFields = known.length === 0 ? null : createFieldTest(known)
  return sortCases(rows, folders, view, fields.get(view.by)).filter(
    (row) =>
      isInFolder(row.folder_id) &&
      (priorities === null || priorities.has(row.priority)) &&
      (types === null || types.has(row.type)) &&
      (tags === null || row.tags.some((tag) => tags.has(tag))) &&
      (owners === null || owners.has(row.owner_id ?? NO_OWNER)) &&
      (matchesFields === null || matchesFields(row.fields)) &&
      matchesText(row, words),
  )
}

/** Whether a test case is in a folder or its subfolders. */
export function createFolderTest(
  folder: string | null,
  folders: readonly Folder[],
): (folderId: string | null) => boolean {
  if (folder === null) return () => true
  if (folder === NO_FOLDER) return (folderId) => folderId === null
  const subtree = getSubtree(folder, folders)
  return (folderId) => folderId !== null && subtree.has(folderId)
}

/** Counts the values of the rows that the text and the folder leave. */
export function countFacets(rows: readonly TestCaseRow[]): CaseFacets {
  const priority = new Map<Priority, number>()
  const type = new Map<TestCaseType, number>()
  const tag = new Map<string, number>()
  const owner = new Map<string, number>()
  for (const row of rows) {
    increment(priority, row.priority)
    increment(type, row.type)
    for (const name of row.tags) increment(tag, name)
    increment(owner, row.owner_id ?? NO_OWNER)
  }
  return { priority, type, tag, owner }
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const priorityOrder = new Map(PRIORITIES.map((priority, index) => [priority, index]))

interface SortedRows {
  readonly folders: readonly Folder[]
  readonly sort: CaseSort
  readonly field: Field | undefined
  readonly desc: boolean
  readonly rows: readonly TestCaseRow[]
}

/** Sorting 10,000 rows takes longer than a search, and the order stays the same while the user types. */
const sortedRows = new WeakMap<readonly TestCaseRow[], SortedRows>()

function sortCases(
  rows: readonly TestCaseRow[],
  folders: readonly Folder[],
  { sort: wanted, desc }: Pick<CaseView, 'sort' | 'desc'>,
  field: Field | undefined,
): readonly TestCaseRow[] {
  const sort = wanted === 'field' && field === undefined ? 'tree' : wanted
  const known = sortedRows.get(rows)
  if (known?.folders === folders && known.sort === sort && known.field === field && known.desc === desc)
    return known.rows
  // Equal rows keep the order of their numbers in both directions.
  const sign = desc ? -1 : 1
  const getKey = createSortKey(folders, sort, field, sign)
  const sorted = rows
    .map((row) => ({ row, key: getKey(row), text: getSortText(row, sort), number: getNumber(row.id) }))
    .toSorted((a, b) => sign * (compare(a.key, b.key) || compareTexts(a.text, b.text, sort)) || a.number - b.number)
    .map(({ row }) => row)
  sortedRows.set(rows, { folders, sort, field, desc, rows: sorted })
  return sorted
}

const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1)

/** Returns what is compared first. @param sign -1 if the last comes first */
function createSortKey(
  folders: readonly Folder[],
  sort: CaseSort,
  field: Field | undefined,
  sign: 1 | -1,
): (row: TestCaseRow) => number {
  if (sort === 'field' && field !== undefined) {
    const places = new Map(field.options?.map(({ key }, place) => [key, place]))
    // Test cases without a value come last in both directions.
    return ({ fields }) => {
      const value = fields?.[field.key]
      if (typeof value === 'number') return value
      const key = field.type === 'date' ? Date.parse(String(value)) : places.get(String(value))
      return value === undefined || key === undefined ? sign * Infinity : key
    }
  }
  if (sort === 'number') return (row) => getNumber(row.id)
  if (sort === 'priority') return (row) => priorityOrder.get(row.priority) ?? 0
  // The newest first is what people look for.
  if (sort === 'updated') return (row) => -Date.parse(row.updated_at)
  if (sort === 'title') return () => 0
  const order = new Map<string | null, number>(orderFolders(folders).map(({ folder }, index) => [folder.id, index]))
  return (row) => order.get(row.folder_id) ?? order.size
}

const getSortText = (row: TestCaseRow, sort: CaseSort): string =>
  sort === 'title' ? row.title : sort === 'tree' ? row.position : ''

/** Positions are compared by bytes, titles as people read them: "Case 2" before "Case 10". */
function compareTexts(a: string, b: string, sort: CaseSort): number {
  if (sort === 'title') return collator.compare(a, b)
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** All ids of a project have the same prefix. */
const getNumber = (id: string) => Number(id.slice(id.indexOf('-') + 1))

const toFilter = <T extends string>(values: readonly T[]): ReadonlySet<T> | null =>
  values.length === 0 ? null : new Set(values)

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
