import { bulkDeleteTestCases, type Copies, type CopyTestCaseBody } from '@caseward/client/endpoints'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api } from '../../api.ts'
import type { Drafts } from '../../drafts/drafts.ts'
import { useDrafts } from '../../drafts/use-drafts.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { undoStack } from '../../undo/use-undo.ts'
import { copyTestCase, copyTestCases } from './copy-endpoints.ts'
import { waitUntilSaved } from './wait-until-saved.ts'

/** The server copies so many different test cases with one request. */
const MAX_PER_REQUEST = 100

export interface CopyOptions {
  /** Where the copies come; that of each test case without it. */
  place?: Pick<CopyTestCaseBody, 'project_id' | 'folder_id'>
  /** Copies of a single test case; 1 without it. */
  count?: number
  /** The name of another project, for the message. */
  projectName?: string | undefined
  onProgress?: (copied: number) => void
  /** The copies were deleted again. */
  onUndone?: ((ids: readonly string[]) => void) | undefined
}

/** What was copied, and why the rest was not. */
export interface CopyResult extends Pick<Copies, 'project_id' | 'test_cases' | 'skipped'> {
  failure: string | null
}

export type CopyCases = (ids: readonly string[], options?: CopyOptions) => Promise<CopyResult>

/** Copies test cases of a project, with what was typed into them just before. It can be undone. */
export function useCopies(projectId: string): CopyCases {
  const queryClient = useQueryClient()
  const drafts = useDrafts()
  return useMemo(() => createCopyCases(queryClient, drafts, projectId), [queryClient, drafts, projectId])
}

export const createCopyCases =
  (queryClient: QueryClient, drafts: Drafts, project_id: string): CopyCases =>
  async (ids, { place = {}, count = 1, projectName, onProgress, onUndone } = {}) => {
    const [first = ''] = ids
    const target = place.project_id ?? project_id
    const result: CopyResult = { project_id: target, test_cases: [], skipped: [], failure: null }
    const add = ({ test_cases: copies, skipped }: Copies) => {
      result.test_cases.push(...copies)
      result.skipped.push(...skipped)
      onProgress?.(result.test_cases.length)
    }
    const unsaved = await waitUntilSaved(drafts, project_id, ids)
    if (unsaved.length > 0) {
      return { ...result, failure: `Not everything that was typed into ${unsaved.join(', ')} is saved yet.` }
    }
    try {
      if (ids.length === 1) {
        const params = { project_id, test_case_id: first }
        add((await request(api, copyTestCase, { params, body: { count, ...place } })).data.data)
      } else {
        for (let start = 0; start < ids.length; start += MAX_PER_REQUEST) {
          const body = { test_case_ids: ids.slice(start, start + MAX_PER_REQUEST), ...place }
          add((await request(api, copyTestCases, { params: { project_id }, body })).data.data)
        }
      }
    } catch (error) {
      result.failure = describeFailure(error, { noun: 'test case' }).message
    }
    if (result.test_cases.length === 0) return result
    const refresh = () => {
      for (const queryKey of [queryKeys.cases(target), queryKeys.folders(target), queryKeys.tags(target)]) {
        refreshQueries(queryClient, queryKey)
      }
      refreshQueries(queryClient, [...queryKeys.inProject(target), 'searched-cases'])
    }
    refresh()
    undoStack.push({
      words: describeCopies(result, ids.length, projectName),
      async undo() {
        const test_case_ids = result.test_cases.map(({ id }) => id)
        await request(api, bulkDeleteTestCases, { params: { project_id: target }, body: { test_case_ids } })
        onUndone?.(test_case_ids)
        refresh()
      },
    })
    return result
  }

function describeCopies(
  { test_cases: copies }: CopyResult,
  originals: number,
  projectName: string | undefined,
): string {
  const [first] = copies
  const place = projectName === undefined ? '' : ` in ${projectName}`
  if (originals === 1 && copies.length === 1 && first !== undefined) {
    return `${first.id}${place} is a copy of ${first.copy_of}`
  }
  return originals === 1 && first !== undefined
    ? `${formatNumberOf(copies.length, 'copy', 'copies')} of ${first.copy_of} made${place}`
    : `${formatNumberOf(copies.length, 'test case')} copied${projectName === undefined ? '' : ` to ${projectName}`}`
}
