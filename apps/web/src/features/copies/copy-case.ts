import type { QueryClient } from '@tanstack/react-query'

import type { Drafts } from '../../drafts/drafts.ts'
import { showToast } from '../../ui/toast.ts'
import { fieldsOf } from '../fields/use-fields.ts'
import { describeSkipped } from './copy-words.ts'
import { createCopyCases } from './use-copies.ts'

/** Copies a test case beside itself, and says what the copy lacks. @returns the id of the copy; null if it failed, which is shown */
export async function copyCase(
  { queryClient, drafts }: { queryClient: QueryClient; drafts: Drafts },
  projectId: string,
  caseId: string,
  onUndone: (ids: readonly string[]) => void,
): Promise<string | null> {
  const {
    test_cases: copies,
    skipped,
    failure,
  } = await createCopyCases(queryClient, drafts, projectId)([caseId], { onUndone })
  if (failure !== null) showToast({ message: `Not copied: ${failure}` })
  if (skipped.length > 0) {
    const fields = await queryClient.fetchQuery(fieldsOf(projectId)).catch(() => [])
    showToast({ message: `The copy lacks: ${describeSkipped(skipped, fields).join('; ')}` })
  }
  return copies[0]?.id ?? null
}
