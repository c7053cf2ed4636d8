import type { TestCase } from '@caseward/client/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'

import { api, keepaliveApi } from '../../api.ts'
import { markCaseOpen } from '../../drafts/unsent-cases.ts'
import { useDrafts } from '../../drafts/use-drafts.ts'
import { queryKeys } from '../../query-keys.ts'
import { useSessionEnded } from '../../shell/session-state.ts'
import { createCaseDraftStore } from './case-draft.ts'
import { type CaseEditing, type CaseEditingState, createCaseEditing } from './case-editing.ts'
import { createCaseEditingServer } from './case-editing-server.ts'
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
    createCaseEditing(
      testCase,
      createCaseEditingServer(
        projectId,
        () => (page.isClosing ? keepaliveApi : api),
        () => page.isGone,
      ),
      createCaseDraftStore(drafts, projectId),
      (saved) => {
        queryClient.setQueryData(queryKeys.case(projectId, saved.id), saved)
        patchCaseRows(queryClient, projectId, [saved])
      },
    ),
  )
  const state = useSyncExternalStore(editing.subscribe, editing.getState)
  const isNew = useRef(testCase.id === '')
  useEffect(() => {
    // Not after the user has gone on: then nobody waits for it.
    if (!isNew.current || state.saved.id === '') return
    isNew.current = false
    onCreated?.(state.saved)
  }, [state.saved, onCreated])
  useEffect(() => markCaseOpen(projectId, state.saved.id), [projectId, state.saved.id])
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
      // Nobody would learn that a new one was created, and its draft would become another one. Fields are left, too, when the
      // page goes.
      page.isGone = true
      if (editing.getState().saved.id === '') return
      page.isClosing = true
      editing.save()
      page.isClosing = false
    }
    const comeBack = () => {
      page.isGone = false
      retry()
    }
    window.addEventListener('online', retry)
    window.addEventListener('focus', retry)
    window.addEventListener('pagehide', saveWhileClosing)
    window.addEventListener('pageshow', comeBack)
    return () => {
      window.removeEventListener('online', retry)
      window.removeEventListener('focus', retry)
      window.removeEventListener('pagehide', saveWhileClosing)
      window.removeEventListener('pageshow', comeBack)
      editing.stop()
    }
  }, [editing])
  return [editing, state]
}

/** While a page is being closed, only requests with `keepalive` reach the server; it can come back. */
const page = { isClosing: false, isGone: false }
