import { MAX_EVENT_ATTACHMENTS, MAX_EVENT_RESULTS } from '@caseward/contract/events'

import { addIds, createIdSet, type IdSet } from './id-set.ts'

/** What was written to the results of a run. */
export interface ResultChanges {
  readonly projectId: string
  readonly runId: string
  /** Whether results of the run have combinations, as whoever locked the run has found. */
  hasCombinations: boolean
  /** How many results the run had when it was locked. */
  resultCount: number
  /** When the last of the transactions began; null if nothing was written. */
  at: Date | null
  readonly results: IdSet
  /** What has got or lost attachments, or contents of them. */
  readonly attachments: AttachmentChanges
}

/** Results and tests of a run whose attachments have changed; none of them when those of the run itself have. */
export interface AttachmentChanges {
  /** When the last of the transactions began; null if none has changed. */
  at: Date | null
  readonly results: IdSet
  readonly tests: IdSet
}

/** Nothing was written yet. */
export const createResultChanges = ({ id, project }: { id: string; project: { id: string } }): ResultChanges => ({
  projectId: project.id,
  runId: id,
  hasCombinations: false,
  resultCount: 0,
  at: null,
  results: createIdSet(),
  attachments: { at: null, results: createIdSet(), tests: createIdSet() },
})

/** @param ids null for more than fit into an event. If there are none, only the run has changed */
export function addResultChanges(changes: ResultChanges, at: Date, ids: readonly string[] | null): void {
  if (changes.at === null || at > changes.at) changes.at = at
  addIds(changes.results, ids, MAX_EVENT_RESULTS)
}

/** @param ids null for more than fit into an event */
export function addAttachmentChanges(
  { attachments }: ResultChanges,
  at: Date,
  { resultIds, testIds }: { resultIds: readonly string[] | null; testIds: readonly string[] | null },
): void {
  if (attachments.at === null || at > attachments.at) attachments.at = at
  addIds(attachments.results, resultIds, MAX_EVENT_ATTACHMENTS)
  addIds(attachments.tests, testIds, MAX_EVENT_ATTACHMENTS)
}

/** Whether a transaction has changed anything. */
export const hasChanges = ({ at, attachments }: ResultChanges): boolean => at !== null || attachments.at !== null
