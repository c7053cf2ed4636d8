import type { QueryClient } from '@tanstack/react-query'

import { evaluationQuery } from '../failures/failure-queries.ts'

/** Finds the run that a run of CI was compared with; null for none, and while that is not known. */
export async function findBaseRun(queryClient: QueryClient, runId: string): Promise<string | null> {
  try {
    return (await queryClient.fetchQuery(evaluationQuery(runId))).base?.run_id ?? null
  } catch {
    return null
  }
}
