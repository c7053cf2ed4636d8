import {
  addTestCasesToRun,
  bulkDeleteTestCases,
  type BulkUpdateBody,
  bulkUpdateTestCases,
  type ChangedTestCase,
  type EarlierTestCase,
  moveTestCases,
  type Run,
  type TestCaseRow,
} from '@caseward/client/endpoints'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api, keepaliveApi } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import type { RowIndex } from '../../row-index/row-index.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { showToast } from '../../ui/toast.ts'
import { deletions, undoStack } from '../../undo/use-undo.ts'
import type { DropPlace } from './case-view.ts'
import { mergeFieldValues } from '../fields/merge-field-values.ts'
import { patchCaseRows } from './patch-case-rows.ts'

/** The server changes so many test cases with one request. */
const MAX_BATCH = 10_000

/** A change of several test cases. */
export type CaseChange = Pick<
  BulkUpdateBody,
  'set' | 'convert_steps' | 'add_tags' | 'remove_tags' | 'add_options' | 'remove_options'
>

export interface CaseActions {
  /** Changes fields and tags. @param words what it does, in the past: "Priority set to high" */
  update(ids: readonly string[], change: CaseChange, words: string): Promise<void>
  /** Takes test cases out of the lists, or puts them back. */
  archive(ids: readonly string[], archived?: boolean): Promise<void>
  /** Moves test cases to the end of a folder, or behind another one. */
  move(ids: readonly string[], place: Omit<DropPlace, 'after'> & Partial<DropPlace>, folderName: string): Promise<void>
  /** Hides test cases now, and deletes them after 8 s or when the page is closed. */
  remove(ids: readonly string[]): void
  addToRun(ids: readonly string[], run: Pick<Run, 'id' | 'name'>): Promise<void>
}

/** What can be done with several test cases. Everything can be undone, and failures are shown. */
export function useCaseActions(projectId: string): CaseActions {
  const queryClient = useQueryClient()
  return useMemo(() => createCaseActions(queryClient, projectId), [queryClient, projectId])
}

function createCaseActions(queryClient: QueryClient, project_id: string): CaseActions {
  const params = { project_id }

  function getRows(ids: readonly string[]): TestCaseRow[] {
    const wanted = new Set(ids)
    const index = queryClient.getQueryData<RowIndex<TestCaseRow>>(queryKeys.cases(project_id))
    return (index?.rows ?? []).filter(({ id }) => wanted.has(id))
  }
  function refresh(): void {
    refreshQueries(queryClient, queryKeys.cases(project_id))
    refreshQueries(queryClient, queryKeys.folders(project_id))
  }
  function patch(change: (row: TestCaseRow) => TestCaseRow, ids: readonly string[]): void {
    patchCaseRows(queryClient, project_id, getRows(ids).map(change))
  }
  /** Shows new places and versions, and has open test cases read again. */
  function takeOver(changed: readonly ChangedTestCase[]): void {
    const byId = new Map(changed.map((item) => [item.id, item]))
    patch((row) => ({ ...row, ...byId.get(row.id) }), [...byId.keys()])
    refreshQueries(queryClient, [...queryKeys.inProject(project_id), 'case'])
    refreshQueries(queryClient, queryKeys.tags(project_id))
    refreshQueries(queryClient, queryKeys.folders(project_id))
  }
  /** Reads the lists again into which test cases come, or out of which they go. */
  function refreshLists(): void {
    refresh()
    refreshQueries(queryClient, [...queryKeys.inProject(project_id), 'searched-cases'])
  }
  async function restore(before: readonly EarlierTestCase[]): Promise<void> {
    for (const part of splitCases(before)) {
      const { data } = await request(api, bulkUpdateTestCases, { params, body: { restore: part } })
      const byId = new Map(part.map((item) => [item.id, item]))
      patch((row) => mergeChange(row, byId.get(row.id) ?? {}), [...byId.keys()])
      takeOver(data.data.test_cases)
    }
  }
  /** Shows a change at once, sends it, and offers to undo it. */
  async function perform(
    ids: readonly string[],
    words: string,
    preview: (row: TestCaseRow) => TestCaseRow,
    send: (part: string[]) => Promise<{ before: EarlierTestCase[]; test_cases: ChangedTestCase[] }>,
  ): Promise<void> {
    const earlier = getRows(ids)
    patch(preview, ids)
    const before: EarlierTestCase[] = []
    try {
      for (const part of splitCases(ids)) {
        const changed = await send(part)
        before.push(...changed.before)
        takeOver(changed.test_cases)
      }
    } catch (error) {
      patchCaseRows(queryClient, project_id, earlier)
      refresh()
      showToast({ message: `Not saved: ${describeFailure(error).message}` })
    }
    if (before.length === 0) return
    const movesLists = before.some(({ archived }) => archived !== undefined)
    if (movesLists) refreshLists()
    undoStack.push({
      words,
      async undo() {
        if (movesLists) patchCaseRows(queryClient, project_id, earlier)
        await restore(before)
        if (movesLists) refreshLists()
      },
    })
  }

  return {
    update: (ids, change, words) =>
      perform(
        ids,
        words,
        (row) => applyChange(row, change),
        async (part) => {
          const body = { test_case_ids: part, ...change }
          return (await request(api, bulkUpdateTestCases, { params, body })).data.data
        },
      ),
    archive: (ids, archived = true) =>
      perform(
        ids,
        `${formatNumberOf(ids.length, 'test case')} ${archived ? 'archived' : 'restored'}`,
        (row) => ({ ...row, archived_at: archived ? new Date().toISOString() : null }),
        async (part) => {
          const body = { test_case_ids: part, set: { archived } }
          return (await request(api, bulkUpdateTestCases, { params, body })).data.data
        },
      ),
    move: (ids, place, folderName) =>
      perform(
        ids,
        `${formatNumberOf(ids.length, 'test case')} moved to ${folderName}`,
        (row) => ({ ...row, folder_id: place.folder_id }),
        async (part) => {
          const after = place.after === undefined ? {} : { after: place.after }
          const body = { test_case_ids: part, folder_id: place.folder_id, ...after }
          return (await request(api, moveTestCases, { params, body })).data.data
        },
      ),
    remove(ids) {
      const cancel = deletions.schedule({
        ids,
        async send(keepalive) {
          for (const part of splitCases(ids)) {
            const client = keepalive ? keepaliveApi : api
            await request(client, bulkDeleteTestCases, { params, body: { test_case_ids: part } })
          }
          undoStack.remove(entry)
          await queryClient.invalidateQueries({ queryKey: queryKeys.cases(project_id) })
          refresh()
        },
        onFailed(error) {
          undoStack.remove(entry)
          showToast({ message: `Not deleted: ${describeFailure(error).message}` })
        },
      })
      const entry = undoStack.push({
        words: `${formatNumberOf(ids.length, 'test case')} deleted`,
        undo: () => void cancel(),
      })
    },
    async addToRun(ids, run) {
      try {
        for (const part of splitCases(ids)) {
          await request(api, addTestCasesToRun, { params: { run_id: run.id }, body: { test_case_ids: part } })
        }
        refreshQueries(queryClient, queryKeys.allRuns(project_id))
        showToast({ message: `${formatNumberOf(ids.length, 'test case')} added to ${run.name}` })
      } catch (error) {
        showToast({ message: `Not added: ${describeFailure(error, { noun: 'run' }).message}` })
      }
    },
  }
}

function applyChange(row: TestCaseRow, change: CaseChange): TestCaseRow {
  const { set = {}, add_tags, remove_tags, add_options = {}, remove_options = {} } = change
  const options = Object.keys({ ...add_options, ...remove_options }).map((key) => {
    const value = row.fields?.[key]
    return [key, changeItems(Array.isArray(value) ? value : [], add_options[key], remove_options[key])] as const
  })
  return mergeChange(
    { ...row, tags: changeItems(row.tags, add_tags, remove_tags) },
    { ...set, fields: { ...set.fields, ...Object.fromEntries(options) } },
  )
}

function changeItems(items: readonly string[], added: readonly string[] = [], removed: readonly string[] = []) {
  const without = new Set(removed)
  return [...new Set([...items, ...added])].filter((item) => !without.has(item))
}

/** Only the custom fields that a change has become different. */
function mergeChange(row: TestCaseRow, change: Partial<EarlierTestCase>): TestCaseRow {
  // Rows say neither how a test case is written nor what its steps are.
  const { fields, archived: _, template: _template, steps: _steps, ...others } = change
  return { ...row, ...others, ...(fields === undefined ? {} : { fields: mergeFieldValues(row.fields, fields) }) }
}

/** Splits test cases into parts that the server takes with one request. */
export function splitCases<T>(items: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let start = 0; start < items.length; start += MAX_BATCH) parts.push(items.slice(start, start + MAX_BATCH))
  return parts
}
