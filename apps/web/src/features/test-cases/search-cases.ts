import { type Folder, PRIORITIES, type Priority, type TestCaseType } from '@caseward/client/endpoints'

import type { TestCaseRow } from '../../pending-endpoints.ts'
import { createTextSearch, toSearchWords } from '../../row-index/search-text.ts'
import { type CaseSort, NO_FOLDER } from '../../search-schemas.ts'
import { getSubtree, orderFolders } from './group-by-folder.ts'

/** What the cases page shows: the parameters of its URL. */
export interface CaseView {
  /** A folder with its subfolders, `none` for test cases without one; null for all. */
  readonly folder: string | null
  readonly q: string
  readonly priority: readonly Priority[]
  readonly type: readonly TestCaseType[]
  /** A test case with any of these tags matches. */
  readonly tag: readonly string[]
  readonly sort: CaseSort
  readonly desc: boolean
}

/** Number of test cases by value, for the menus of filters. */
export interface CaseFacets {
  readonly priority: ReadonlyMap<Priority, number>
  readonly type: ReadonlyMap<TestCaseType, number>
  readonly tag: ReadonlyMap<string, number>
}

const matchesText = createTextSearch<TestCaseRow>(
  ({ id, title, tags, automation_key }) => `${id}\n${title}\n${tags.join('\n')}\n${automation_key ?? ''}`,
)

/** Returns the test cases of a view in its order. About 5 ms for 10,000 rows. */
export function searchCases(
  rows: readonly TestCaseRow[],
  folders: readonly Folder[],
  view: CaseView,
): readonly TestCaseRow[] {
  const isInFolder = createFolderTest(view.folder, folders)
  const words = toSearchWords(view.q)
  const priorities = toFilter<Priority>(view.priority)
  const types = toFilter<TestCaseType>(view.type)
  const tags = toFilter(view.tag)
  const found = rows.filter(
    (row) =>
      isInFolder(row.folder_id) &&
      (priorities === null || priorities.has(row.priority)) &&
      (types === null || types.has(row.type)) &&
      (tags === null || row.tags.some((tag) => tags.has(tag))) &&
      matchesText(row, words),
  )
  return sortCases(found, folders, view.sort, view.desc)
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
  for (const row of rows) {
    increment(priority, row.priority)
    increment(type, row.type)
    for (const name of row.tags) increment(tag, name)
  }
  return { priority, type, tag }
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const priorityOrder = new Map(PRIORITIES.map((priority, index) => [priority, index]))

function sortCases(
  rows: readonly TestCaseRow[],
  folders: readonly Folder[],
  sort: CaseSort,
  isDescending: boolean,
): readonly TestCaseRow[] {
  const compare = createComparison(folders, sort)
  // Equal rows keep the order of their numbers in both directions.
  const sign = isDescending ? -1 : 1
  return rows.toSorted((a, b) => sign * compare(a, b) || compareNumbers(a, b))
}

type Comparison = (a: TestCaseRow, b: TestCaseRow) => number

function createComparison(folders: readonly Folder[], sort: CaseSort): Comparison {
  switch (sort) {
    case 'number':
      return compareNumbers
    case 'title':
      return (a, b) => collator.compare(a.title, b.title)
    case 'priority':
      return (a, b) => (priorityOrder.get(a.priority) ?? 0) - (priorityOrder.get(b.priority) ?? 0)
    case 'updated':
      // ISO times of one form sort as text. The newest first is what people look for.
      return (a, b) => compareTexts(b.updated_at, a.updated_at)
    case 'tree': {
      const order = new Map<string | null, number>(orderFolders(folders).map(({ folder }, index) => [folder.id, index]))
      const getOrder = (row: TestCaseRow) => order.get(row.folder_id) ?? order.size
      return (a, b) => getOrder(a) - getOrder(b) || compareTexts(a.position, b.position)
    }
  }
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
/** All ids of a project have the same prefix. */
const compareNumbers: Comparison = (a, b) => getNumber(a.id) - getNumber(b.id)
const getNumber = (id: string) => Number(id.slice(id.indexOf('-') + 1))

const toFilter = <T extends string>(values: readonly T[]): ReadonlySet<T> | null =>
  values.length === 0 ? null : new Set(values)

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
