import { MAX_EVENT_RESULTS } from '@caseward/contract/events'

import type { RunRef } from '../../access/project-cache.ts'
import { addIds, createIdSet, type IdSet } from './id-set.ts'

/** What was written to the results of a run. */
export interface ResultChanges {
  readonly projectId: string
  readonly runId: string
  /** When the last of the transactions began; null if nothing was written. */
  at: Date | null
  readonly results: IdSet
}

/** Nothing was written yet. */
export const createResultChanges = ({ id, project }: RunRef): ResultChanges => ({
  projectId: project.id,
  runId: id,
  at: null,
  results: createIdSet(),
})

/** @param ids null for more than fit into an event. If there are none, only the run has changed */
export function addResultChanges(changes: ResultChanges, at: Date, ids: readonly string[] | null): void {
  if (changes.at === null || at > changes.at) changes.at = at
  addIds(changes.results, ids, MAX_EVENT_RESULTS)
}
