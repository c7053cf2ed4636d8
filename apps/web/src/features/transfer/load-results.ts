import { createFolderTree } from '@caseward/case-files/folder-tree'
import { formatTags } from '@caseward/case-files/cell-text'
import { formatCombination } from '@caseward/case-files/format-combination'
import {
  type Folder,
  getResult,
  listCombinationRows,
  listResults,
  type ResultRow,
  type Run,
} from '@caseward/client/endpoints'

import { request } from '../../request-failed.ts'
import { statusNames } from '../../ui/status/statuses.ts'
import { priorityNames, typeNames } from '../test-cases/case-words.ts'
import { listCombinations } from './combination-endpoints.ts'
import { exportApi, findExisting } from './export-api.ts'
import type { ExportProgress, ExportTable } from './export-table.ts'
import { ITEMS_PER_PAGE, loadByIds } from './load-by-ids.ts'

interface ResultsToExport {
  readonly run: {
    readonly id: string
    readonly name: string
    readonly configurations: Run['configurations'] | undefined
  }
  /** What the filters show, in their order. */
  readonly rows: readonly ResultRow[]
  /** The number of results of the run. */
  readonly total: number
  readonly folders: readonly Folder[]
  readonly getPerson: (id: string | null) => string
}

const HEADINGS = [
  'Test case',
  'Title',
  'Folder',
  'Priority',
  'Type',
  'Tags',
  'Status',
  'Note',
  'Duration in seconds',
  'Tested by',
  'Tested at',
  'Assigned to',
]

/** Reads the whole notes of results, and makes a table of them. */
export async function loadResults(
  { run, rows, total, folders, getPerson }: ResultsToExport,
  progress: ExportProgress,
): Promise<ExportTable> {
  const notes = await loadNotes(run.id, rows, total, progress)
  const combinations = run.configurations === undefined ? null : await loadCombinations(run, rows, progress)
  const { getPath } = createFolderTree(folders)
  const cells = rows.map((row) => [
    row.test_case_id ?? '',
    row.test_case_title,
    getPath(row.folder_id),
    row.priority === null ? '' : priorityNames[row.priority],
    row.type === null ? '' : typeNames[row.type],
    formatTags(row.tags),
    statusNames[row.status],
    chooseNote(row, notes.get(row.id) ?? null),
    row.elapsed === null ? '' : String(row.elapsed),
    row.status === 'not_tested' ? '' : getPerson(row.tested_by),
    row.tested_at ?? '',
    row.assigned_to === null ? '' : getPerson(row.assigned_to),
    ...(combinations === null ? [] : [combinations.get(row.id) ?? '']),
  ])
  const headings = combinations === null ? HEADINGS : [...HEADINGS, 'Combinations']
  return { rows: [headings, ...cells], name: [run.name, 'results'], sheet: 'Results', noun: 'result' }
}

/** What each result is tested with, a line for each configuration: “Chrome: Failed, The total is wrong”. */
async function loadCombinations(
  { id: run_id, configurations = [] }: ResultsToExport['run'],
  rows: readonly ResultRow[],
  progress: ExportProgress,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(configurations.map(({ place, name }) => [place, name]))
  const shown = new Set(rows.map(({ id }) => id))
  const notes = await loadCombinationNotes(run_id, progress)
  const { signal } = progress
  const lines = new Map<string, string>()
  for (let after: string | null | undefined; after !== null;) {
    const query: { after?: string } = after === undefined ? {} : { after }
    const { data, meta } = (await request(exportApi, listCombinationRows, { params: { run_id }, query, signal })).data
    for (const row of data) {
      if (!shown.has(row.id)) continue
      const own = row.statuses.map((status, index) =>
        formatCombination(
          names.get(row.configurations[index] ?? 0) ?? '',
          statusNames[status],
          notes.get(`${row.id} ${row.places[index]}`) ?? null,
        ),
      )
      lines.set(row.id, own.join('\n'))
    }
    after = meta.next_after
  }
  return lines
}

/** The notes of combinations by result and place. Only those that have one are read. */
async function loadCombinationNotes(
  run_id: string,
  { signal }: ExportProgress,
): Promise<ReadonlyMap<string, string | null>> {
  const notes = new Map<string, string | null>()
  for (let after: string | null | undefined; after !== null;) {
    const query = { has_note: 'true' as const, ...(after === undefined ? {} : { after }) }
    const { data, meta } = (await request(exportApi, listCombinations, { params: { run_id }, query, signal })).data
    for (const { result_id: resultId, place, note } of data) notes.set(`${resultId} ${place}`, note)
    after = meta.next_after
  }
  return notes
}

/** Rows have the first lines of their notes only. */
export async function loadNotes(
  run_id: string,
  rows: readonly ResultRow[],
  total: number,
  { onProgress, signal }: ExportProgress,
): Promise<ReadonlyMap<string, string | null>> {
  const ids = rows.filter(({ note_line: line }) => line !== null).map(({ id }) => id)
  const found = await loadByIds<{ id: string; note: string | null }>(
    ids,
    total,
    {
      async readPage(page) {
        const query = { per_page: ITEMS_PER_PAGE, page }
        const { data } = await request(exportApi, listResults, { params: { run_id }, query, signal })
        return { items: data.data, total: data.meta.total }
      },
      readOne: async (result_id) =>
        await findExisting(
          async () => (await request(exportApi, getResult, { params: { run_id, result_id }, signal })).data.data,
        ),
    },
    { signal, onProgress: (count) => onProgress(count / Math.max(ids.length, 1)) },
  )
  return new Map([...found].map(([id, { note }]) => [id, note]))
}

/** A note that was not sent yet is newer than the one of the server. */
export const chooseNote = ({ note_line: line }: ResultRow, note: string | null): string =>
  line === null ? '' : note?.startsWith(line) === true ? note : line
