import { createTestCase, getTestCase, type TestCase, updateTestCase } from '@caseward/client/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'

import { api, keepaliveApi } from '../../api.ts'
import { useDrafts } from '../../drafts/use-drafts.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request, RequestFailed } from '../../request-failed.ts'
import { useSessionEnded } from '../../shell/session-state.ts'
import { createCaseDraftStore } from './case-draft.ts'
import {
  type CaseEditing,
  type CaseEditingServer,
  type CaseEditingState,
  ChangedMeanwhile,
  createCaseEditing,
} from './case-editing.ts'
import { createEmptyCase } from './empty-case.ts'
import { patchCaseRows } from './patch-case-rows.ts'

/**
 * The editing of one test case. Give the component a `key` with the test case, so that another one gets its own editing.
 * @param testCase as the server has it; one with an empty id is new
 * @param onCreated called when a new test case has got its id
 */
export function useCaseEditing(
  projectId: string,
  testCase: TestCase,
  onCreated?: (testCase: TestCase) => void,
): [editing: CaseEditing, state: CaseEditingState] {
  const queryClient = useQueryClient()
  const drafts = useDrafts()
  const hasSessionEnded = useSessionEnded()
  const [editing] = useState(() =>
    createCaseEditing(testCase, createServer(projectId), createCaseDraftStore(drafts, projectId), (saved) => {
      queryClient.setQueryData(queryKeys.case(projectId, saved.id), saved)
      patchCaseRows(queryClient, projectId, [saved])
    }),
  )
  const state = useSyncExternalStore(editing.subscribe, editing.getState)
  const isNew = useRef(testCase.id === '')
  useEffect(() => {
    // Not after the user has gone on: then nobody waits for it.
    if (!isNew.current || state.saved.id === '') return
    isNew.current = false
    onCreated?.(state.saved)
  }, [state.saved, onCreated])
  useEffect(() => editing.accept(testCase), [editing, testCase])
  useEffect(() => {
    if (!hasSessionEnded && editing.getState().status === 'not-saved') editing.save()
  }, [editing, hasSessionEnded])
  useEffect(() => {
    // After the network is back.
    const retry = () => {
      if (editing.getState().status === 'not-saved') editing.save()
    }
    const saveWhileClosing = () => {
      // Nobody would learn that a new one was created, and its draft would become another one.
      if (editing.getState().saved.id === '') return
      page.isClosing = true
      editing.save()
      page.isClosing = false
    }
    window.addEventListener('online', retry)
    window.addEventListener('focus', retry)
    window.addEventListener('pagehide', saveWhileClosing)
    return () => {
      window.removeEventListener('online', retry)
      window.removeEventListener('focus', retry)
      window.removeEventListener('pagehide', saveWhileClosing)
      editing.stop()
    }
  }, [editing])
  return [editing, state]
}

/** While a page is being closed, only requests with `keepalive` reach the server. */
const page = { isClosing: false }

function createServer(project_id: string): CaseEditingServer {
  return {
    async create(body) {
      const { data } = await request(api, createTestCase, { params: { project_id }, body })
      // The response has no tags, place and version.
      const params = { project_id, test_case_id: data.data.id }
      try {
        return (await request(api, getTestCase, { params })).data.data
      } catch {
        // It exists: another attempt would create a second one.
        return { ...createEmptyCase(null), ...data.data, tags: body.tags ?? [], version: 1 }
      }
    },
    async update(test_case_id, body, version) {
      const params = { project_id, test_case_id }
      try {
        const headers = { 'if-match': `"${version}"` }
        const client = page.isClosing ? keepaliveApi : api
        const { data } = await request(client, updateTestCase, { params, body, headers })
        return { version: data.data.version, updated_at: data.data.updated_at }
      } catch (error) {
        throw toChangedMeanwhile(error) ?? error
      }
    },
    canRetry: (error) => describeFailure(error).canRetry,
  }
}

function toChangedMeanwhile(error: unknown): ChangedMeanwhile | null {
  if (!(error instanceof RequestFailed) || error.reply.kind !== 'problem' || error.reply.status !== 412) return null
  const { current, changed_by } = error.reply.problem as { current?: TestCase; changed_by?: { name: string } | null }
  return current === undefined ? null : new ChangedMeanwhile(current, changed_by?.name ?? null)
}
