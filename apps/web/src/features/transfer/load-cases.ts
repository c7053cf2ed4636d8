import { createFolderTree } from '@caseward/case-files/folder-tree'
import type { ListedCase } from '@caseward/case-files/file-columns'
import { toTable } from '@caseward/case-files/test-case-rows'
import {
  type Field,
  type Folder,
  getTestCase,
  type ListedTestCase,
  listPeople,
  listTestCases,
  type Priority,
  type TestCaseRow,
  type TestCaseType,
} from '@caseward/client/endpoints'

import { request } from '../../request-failed.ts'
import { exportApi, findExisting } from './export-api.ts'
import type { ExportOptions, ExportProgress, ExportTable } from './export-table.ts'
import { ITEMS_PER_PAGE, loadByIds } from './load-by-ids.ts'
import { loadOwnerNames } from './load-owner-names.ts'

interface CasesToExport {
  readonly projectId: string
  readonly projectName: string
  /** What the filters show, in their order. */
  readonly rows: readonly TestCaseRow[]
  /** The number of test cases of the project. */
  readonly total: number
  readonly folders: readonly Folder[]
  /** Filters that the server understands as the page does: they make the pages fewer. */
  readonly filter: {
    readonly priority: readonly Priority[]
    readonly type: readonly TestCaseType[]
    readonly tag: readonly string[]
    readonly owner_id: readonly string[]
  }
  /** The custom fields in use. */
  readonly fields: readonly Field[]
}

/** Reads test cases with their steps, and makes a table that can be imported again. */
export async function loadCases(
  { projectId: project_id, projectName, rows, total, folders, filter, fields }: CasesToExport,
  { onProgress, signal }: ExportProgress,
  { hasKeys = false }: ExportOptions,
): Promise<ExportTable> {
  const ids = rows.map(({ id }) => id)
  const query = { fields: 'all', per_page: ITEMS_PER_PAGE, ...filter } as const
  const found = await loadByIds<ListedCase>(
    ids,
    total,
    {
      async readPage(page) {
        const { data } = await request(exportApi, listTestCases, {
          params: { project_id },
          query: { ...query, page },
          signal,
        })
        return { items: data.data.flatMap(toFull), total: data.meta.total }
      },
      readOne: async (test_case_id) =>
        await findExisting(
          async () =>
            (await request(exportApi, getTestCase, { params: { project_id, test_case_id }, signal })).data.data,
        ),
    },
    { signal, onProgress: (count) => onProgress(count / Math.max(ids.length, 1)) },
  )
  const { getPath } = createFolderTree(folders)
  const testCases = ids.flatMap((id) => found.get(id) ?? [])
  const owners = new Set(testCases.flatMap(({ owner_id: owner }) => owner ?? []))
  const names = await loadOwnerNames(project_id, owners, signal)
  const people = fields.some(({ type }) => type === 'user')
    ? (await request(exportApi, listPeople, { params: { project_id }, signal })).data.data
    : []
  const getOwner = (userId: string) => names.get(userId) ?? userId
  const rowsOfFile = toTable(testCases, { getPath, getOwner }, { fields, people }, { hasKeys })
  return {
    rows: rowsOfFile,
    headerCount: hasKeys ? 2 : 1,
    name: [projectName, 'test cases'],
    sheet: 'Test cases',
    noun: 'test case',
  }
}

/** With `fields=all`, items have all fields. */
const toFull = ({ tags, automation_key, ...testCase }: ListedTestCase): ListedCase[] =>
  tags === undefined || automation_key === undefined ? [] : [{ ...testCase, tags, automation_key }]
