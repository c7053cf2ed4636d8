import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { undoStack } from '../../undo/use-undo.ts'
import { mergeTestCases, undoMerge } from './merge-endpoints.ts'

interface Merging {
  isBusy: boolean
  /** Why the last attempt failed; null if it did not. */
  failure: string | null
  /** Merges one test case into another one, and offers to undo it. Returns whether it was merged. */
  merge(fromId: string, intoId: string): Promise<boolean>
}

/** The merge of two test cases, which is not sent before somebody asks for it. */
export function useMerge(project_id: string): Merging {
  const queryClient = useQueryClient()
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  /** What belongs to the test cases is elsewhere, and one of them is in other lists. */
  function refresh(): void {
    refreshQueries(queryClient, queryKeys.inProject(project_id))
  }
  async function merge(fromId: string, intoId: string): Promise<boolean> {
    const params = { project_id, test_case_id: intoId }
    setIsBusy(true)
    setFailure(null)
    try {
      const { data } = await request(api, mergeTestCases, { params, body: { from_ids: [fromId] } })
      const merge_id = data.data.id
      undoStack.push({
        words: `${fromId} merged into ${intoId}`,
        async undo() {
          await request(api, undoMerge, { params, body: { merge_id } })
          refresh()
        },
      })
      refresh()
      return true
    } catch (error) {
      setFailure(describeFailure(error, { noun: 'test case' }).message)
      return false
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, failure, merge }
}
