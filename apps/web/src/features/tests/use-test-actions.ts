import { addTestCasesToRun, createTestCasesForTests, linkTest } from '@caseward/client/endpoints'
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { showToast } from '../../ui/toast.ts'
import { undoStack } from '../../undo/use-undo.ts'
import { patchLinks, type TestPage, type TestRow } from './test-row.ts'

/** The server takes so many tests with one request. */
const MAX_BATCH = 10_000

/** What actions need to know about a test. */
export type LinkedTest = Pick<TestRow, 'id' | 'name' | 'test_case_ids'>

/** A test that was not linked. */
export interface NotLinked {
  readonly test: LinkedTest
  readonly message: string
}

/** A test, and the test case that it gets. */
export interface LinkChoice {
  readonly test: LinkedTest
  readonly caseId: string
}

/** The tests that get test cases, and where these are created. */
export interface CreateRequest {
  /** Null for all unmatched tests of a run. */
  readonly testIds: readonly string[] | null
  readonly ofRunId: string | null
  readonly folderId: string | null
  /** The run to which the test cases are added; null for none. */
  readonly addToRunId: string | null
}

export interface TestActions {
  /** Links tests to a test case, or removes their links (null). It can be undone. @returns those that failed */
  link(
    tests: readonly LinkedTest[],
    caseId: string | null,
    onProgress?: (done: number) => void,
  ): Promise<readonly NotLinked[]>
  /** Links each test to a test case of its own, which joins the run first unless it is null. It can be undone. @returns those that failed */
  linkEach(choices: readonly LinkChoice[], addToRunId: string | null): Promise<readonly NotLinked[]>
  /** Creates test cases. @returns the number of those created. Rejects with what the request throws */
  create(asked: CreateRequest): Promise<number>
}

/** What can be done with the tests of a project. */
export function useTestActions(projectId: string): TestActions {
  const queryClient = useQueryClient()
  return useMemo(() => createTestActions(queryClient, projectId), [queryClient, projectId])
}

function createTestActions(queryClient: QueryClient, project_id: string): TestActions {
  const show = (links: ReadonlyMap<string, readonly string[]>) => showLinks(queryClient, project_id, links)
  const refresh = () => refreshAll(queryClient, project_id)

  /** Sends links one after the other. Once the server does not take more requests, the rest fails as well. */
  async function send(
    tests: readonly LinkedTest[],
    getCaseId: (test: LinkedTest) => string | null,
    onProgress: (done: number) => void = () => {},
  ): Promise<{ linked: LinkedTest[]; failed: NotLinked[] }> {
    const linked: LinkedTest[] = []
    const failed: NotLinked[] = []
    let blocked: string | null = null
    for (const [index, test] of tests.entries()) {
      if (blocked !== null) failed.push({ test, message: blocked })
      else {
        try {
          const test_case_id = getCaseId(test)
          await request(api, linkTest, { params: { project_id, test_id: test.id }, body: { test_case_id } })
          show(new Map([[test.id, test_case_id === null ? [] : [test_case_id]]]))
          linked.push(test)
        } catch (error) {
          const { kind, message } = describeFailure(error, { noun: 'test or test case' })
          failed.push({ test, message })
          if (kind !== 'not-found' && kind !== 'invalid') blocked = message
        }
      }
      onProgress(index + 1)
    }
    refresh()
    return { linked, failed }
  }
  async function restore(tests: readonly LinkedTest[]): Promise<void> {
    const { failed } = await send(tests, ({ test_case_ids }) => test_case_ids[0] ?? null)
    if (failed[0] !== undefined) showToast({ message: `Not undone: ${failed[0].message}` })
  }

  return {
    async link(tests, caseId, onProgress) {
      const { linked, failed } = await send(tests, () => caseId, onProgress)
      const words = describeLinked(linked.length, caseId)
      // The server restores one link of a test.
      const canRestore = linked.every(({ test_case_ids }) => test_case_ids.length <= 1)
      if (linked.length > 0 && canRestore) undoStack.push({ words, undo: () => restore(linked) })
      else if (linked.length > 0) showToast({ message: words })
      return failed
    },
    async linkEach(choices, addToRunId) {
      const caseIds = new Map(choices.map(({ test, caseId }) => [test.id, caseId]))
      if (addToRunId !== null) {
        const body = { test_case_ids: [...new Set(caseIds.values())] }
        await request(api, addTestCasesToRun, { params: { run_id: addToRunId }, body })
      }
      const tests = choices.map(({ test }) => test)
      const { linked, failed } = await send(tests, ({ id }) => caseIds.get(id) ?? null)
      if (linked.length > 0) {
        undoStack.push({ words: `${formatNumberOf(linked.length, 'test')} linked`, undo: () => restore(linked) })
      }
      return failed
    },
    async create({ testIds, ofRunId, folderId, addToRunId }) {
      const parts = testIds === null ? [{ all_unmatched_of_run: ofRunId ?? '' }] : split(testIds)
      const where = { folder_id: folderId, ...(addToRunId === null ? {} : { run_id: addToRunId }) }
      let created = 0
      try {
        for (const part of parts) {
          let isDone = false
          while (!isDone) {
            const body = { ...part, ...where }
            const { data } = await request(api, createTestCasesForTests, { params: { project_id }, body })
            created += data.data.created
            // Otherwise the same tests would be asked for again and again.
            isDone = data.data.remaining === 0 || data.data.linked === 0
          }
        }
      } finally {
        refresh()
        if (created > 0) showToast({ message: `${formatNumberOf(created, 'test case')} created` })
      }
      return created
    },
  }
}

function describeLinked(count: number, caseId: string | null): string {
  if (caseId === null) return count === 1 ? 'Link removed' : `${formatNumberOf(count, 'link')} removed`
  return count === 1 ? `Linked to ${caseId}` : `${formatNumberOf(count, 'test')} linked to ${caseId}`
}

function split(ids: readonly string[]): { test_ids: string[] }[] {
  const parts: { test_ids: string[] }[] = []
  for (let start = 0; start < ids.length; start += MAX_BATCH) {
    parts.push({ test_ids: ids.slice(start, start + MAX_BATCH) })
  }
  return parts
}

/** Shows links in all lists before they are read again. */
function showLinks(queryClient: QueryClient, projectId: string, links: ReadonlyMap<string, readonly string[]>): void {
  const isList = (key: readonly unknown[]) => key[2] === 'tests' && (key[1] === projectId || key[0] === 'run')
  queryClient.setQueriesData<InfiniteData<TestPage> | TestPage>(
    { predicate: ({ queryKey }) => isList(queryKey) },
    (list) => {
      const patch = (page: TestPage): TestPage => ({ ...page, data: patchLinks(page.data, links) })
      if (list === undefined) return list
      return 'pages' in list ? { ...list, pages: list.pages.map(patch) } : patch(list)
    },
  )
}

/** Lists of tests, their details, and the counts and results of runs. */
function refreshAll(queryClient: QueryClient, projectId: string): void {
  for (const key of [
    queryKeys.allTests(projectId),
    queryKeys.allTestDetails(projectId),
    queryKeys.allRuns(projectId),
    queryKeys.cases(projectId),
    queryKeys.folders(projectId),
    ['run'],
  ]) {
    refreshQueries(queryClient, key)
  }
}
