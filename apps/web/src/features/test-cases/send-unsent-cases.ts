import { getTestCase } from '@caseward/client/endpoints'
import type { QueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import type { Drafts } from '../../drafts/drafts.ts'
import { listUnsentCases, type UnsentCase } from '../../drafts/unsent-cases.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { createCaseDraftStore, rebaseDraft } from './case-draft.ts'
import { createCaseEditingServer } from './case-editing-server.ts'
import { patchCaseRows } from './patch-case-rows.ts'

/**
 * Sends the changes of test cases that were closed before they were saved. What two people have changed stays for the
 * user to decide, and so does what the server refuses. A new test case is created only in its editor, where its title is seen.
 */
export async function sendUnsentCases(drafts: Drafts, queryClient: QueryClient): Promise<void> {
  for (const unsent of listUnsentCases(drafts)) {
    if (unsent.caseId === '') continue
    try {
      // oxlint-disable-next-line no-await-in-loop -- one at a time, as their editors would
      await sendOne(drafts, queryClient, unsent)
    } catch {
      // The page shows that it is not saved; opening the test case says why.
    }
  }
}

async function sendOne(drafts: Drafts, queryClient: QueryClient, { projectId, caseId }: UnsentCase): Promise<void> {
  const params = { project_id: projectId, test_case_id: caseId }
  const stored = (await request(api, getTestCase, { params })).data.data
  const store = createCaseDraftStore(drafts, projectId)
  const draft = store.read(caseId)
  if (draft === null) return store.remove(caseId)
  const { conflicts, ownChanges } = rebaseDraft(draft, stored)
  if (conflicts.length > 0 || ownChanges.title?.trim() === '') return
  if (Object.keys(ownChanges).length > 0) {
    await createCaseEditingServer(projectId).update(caseId, ownChanges, stored.version)
  }
  // The user may have opened it and typed meanwhile.
  if (JSON.stringify(store.read(caseId)) !== JSON.stringify(draft)) return
  store.remove(caseId)
  const saved = (await request(api, getTestCase, { params })).data.data
  queryClient.setQueryData(queryKeys.case(projectId, caseId), saved)
  patchCaseRows(queryClient, projectId, [saved])
}
