import { formatCombination } from '@caseward/case-files/format-combination'
import { selectImportedNames } from '../imported-people/imported-people.queries.ts'
import { createFolderTree } from '@caseward/case-files/folder-tree'
import { EXPORT_FIELDS, type ExportField } from '@caseward/contract/exports'
import type { ResultStatus } from '@caseward/contract/results'

import type { Database } from '../../platform/database/connect.ts'
import { selectFolders } from '../folders/folders.queries.ts'
import { type ResultRecord, selectUserNames } from './result-records.queries.ts'

/** As people read them. */
export const statusNames: Readonly<Record<ResultStatus, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  blocked: 'Blocked',
  retest: 'Retest',
  not_tested: 'Not tested',
}

/** A column of an exported file: the run of a row is only in files of several runs. */
export type ExportColumn = ExportField | 'run'

/** What rows need besides the results. */
export interface ExportContext {
  getFolderPath(id: string | null): string
  getUserName(id: string | null): string
  getRunName(id: string): string
}

interface Column {
  heading: string
  toCell: (record: ResultRecord, context: ExportContext) => string
}

/** The addresses of links, one a line. */
const listAddresses = ({ links }: ResultRecord, isIncluded: (kind: string) => boolean): string =>
  links
    .filter(({ kind }) => isIncluded(kind))
    .map(({ url }) => url)
    .join('\n')

const columns: Readonly<Record<ExportColumn, Column>> = {
  run: { heading: 'Run', toCell: ({ runId }, { getRunName }) => getRunName(runId) },
  folder: { heading: 'Folder', toCell: ({ folderId }, { getFolderPath }) => getFolderPath(folderId) },
  test_case_id: { heading: 'Test case', toCell: ({ testCaseId }) => testCaseId ?? '' },
  title: { heading: 'Title', toCell: ({ title }) => title },
  status: { heading: 'Status', toCell: ({ status }) => statusNames[status] },
  combinations: {
    heading: 'Combinations',
    toCell: ({ combinations }) =>
      combinations.map(({ name, status, note }) => formatCombination(name, statusNames[status], note)).join('\n'),
  },
  note: { heading: 'Note', toCell: ({ note }) => note ?? '' },
  elapsed: { heading: 'Duration in seconds', toCell: ({ elapsed }) => elapsed?.toString() ?? '' },
  tested_by: { heading: 'Tested by', toCell: ({ testedBy }, { getUserName }) => getUserName(testedBy) },
  tested_at: { heading: 'Tested at', toCell: ({ testedAt }) => testedAt ?? '' },
  defects: { heading: 'Defects', toCell: (record) => listAddresses(record, (kind) => kind === 'defect') },
  links: { heading: 'Other links', toCell: (record) => listAddresses(record, (kind) => kind !== 'defect') },
  files: { heading: 'Files', toCell: ({ fileNames }) => fileNames.join('\n') },
}

/** Every column in its order. */
const ORDER: readonly ExportColumn[] = ['run', ...EXPORT_FIELDS]

/** Puts chosen columns in their order. */
export const orderColumns = (chosen: readonly ExportColumn[]): ExportColumn[] =>
  ORDER.filter((column) => chosen.includes(column))

export const getHeadings = (chosen: readonly ExportColumn[]): string[] => chosen.map((name) => columns[name].heading)

export const toCells = (chosen: readonly ExportColumn[], record: ResultRecord, context: ExportContext): string[] =>
  chosen.map((name) => columns[name].toCell(record, context))

/** Reads the paths of a project's folders once, and keeps the path of each folder that was needed. */
export async function readFolderPaths(db: Database, projectId: string): Promise<(id: string | null) => string> {
  const { getPath } = createFolderTree(await selectFolders(db, projectId))
  const paths = new Map<string | null, string>()
  return (id) => {
    let path = paths.get(id)
    if (path === undefined) {
      path = getPath(id)
      paths.set(id, path)
    }
    return path
  }
}

/** The names of users that were looked up. */
export interface UserNames {
  /** Looks up those that are not known yet. */
  load(ids: readonly (string | null)[]): Promise<void>
  get(id: string | null): string
}

/** Looks up each user once. */
export function createUserNames(db: Database): UserNames {
  const names = new Map<string, string>()
  return {
    async load(ids) {
      const unknown = [...new Set(ids)].filter((id): id is string => id !== null && !names.has(id))
      const found = await selectUserNames(db, unknown)
      const others = await selectImportedNames(
        db,
        unknown.filter((id) => !found.has(id)),
      )
      for (const id of unknown) names.set(id, found.get(id) ?? others.get(id) ?? '')
    },
    get: (id) => (id === null ? '' : (names.get(id) ?? '')),
  }
}
