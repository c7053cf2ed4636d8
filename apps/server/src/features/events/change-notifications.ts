import type { EvaluationEvent } from '@caseward/contract/events'

/** The channel on which changes are sent; see migration 0025. */
export const CHANGE_CHANNEL = 'caseward_changes'

interface Change {
  /** When the transaction of the change began, as in `updated_at`. */
  at: string
  projectId: string
  /** Null if more than fit into a notification were changed. */
  ids: readonly string[] | null
}

/** Results of a run that were written, which changes the counters of the run. There may be none, and only a new time. */
export interface ResultsChange extends Change {
  kind: 'results'
  runId: string
}

/** Attachments of a run that have changed, with the ids of the results that have them. */
export interface AttachmentsChange extends Change {
  kind: 'attachments'
  runId: string
  /** Of the tests at whose attempts they are; null for more than fit into a notification. */
  testIds: readonly string[] | null
}

/** A change that a server announces, not the database. */
export type RunChange = ResultsChange | AttachmentsChange

/** A committed change, as the database or a server reports it. */
export type ChangeNotification =
  | RunChange
  | (Change & { kind: 'runs'; isListed: boolean; isResized: boolean; isDeleted: boolean })
  | (Change & { kind: 'test_cases'; isDeleted: boolean })
  /** Comments: of a run if `runId` is set, with the ids of results, or of test cases with their numbers. */
  | (Change & { kind: 'comments'; runId: string | null })
  /** A run was evaluated, whose id is the only one. */
  | (Change & { kind: 'evaluations'; evaluation: Pick<EvaluationEvent, 'counts' | 'blocking_count'> })
  | (Change & { kind: 'folders' | 'fields' | 'configurations' | 'shared_steps' | 'milestones' | 'members' })
  | { kind: 'access'; ids: readonly string[] | null }
  /** A server could not announce its changes since this time. */
  | { kind: 'sync'; at: string }

interface RunResults {
  at: string
  project_id: string
  run_id: string
  ids: string | null
  /** If attachments have changed, and not results. Servers of earlier versions read that no result has. */
  attachments?: { results: string | null; tests: string | null }
}

type Payload =
  | {
      kind: Exclude<ChangeNotification['kind'], RunChange['kind'] | 'sync'>
      at: string
      project_id: string
      ids: string | null
      detail: {
        is_listed?: boolean
        is_resized?: boolean
        is_deleted?: boolean
        run_id?: string
        evaluation?: Pick<EvaluationEvent, 'counts' | 'blocking_count'>
      } | null
    }
  | { kind: 'results'; runs: readonly RunResults[] }
  | { kind: 'sync'; at: string }

/** Parses what `notify_change` of migration 0025, {@link formatResults} or {@link formatSync} has sent. */
export function parseNotification(text: string): ChangeNotification[] {
  const payload = JSON.parse(text) as Payload
  if (payload.kind === 'sync') return [{ kind: 'sync', at: payload.at }]
  if (payload.kind === 'results') {
    return payload.runs.map(parseRunChange)
  }
  const { kind, at, project_id: projectId, detail } = payload
  const change = { at, projectId, ids: splitIds(payload.ids) }
  const { is_listed: isListed = false, is_resized: isResized = false, is_deleted: isDeleted = false } = detail ?? {}
  if (kind === 'access') return [{ kind, ids: change.ids }]
  if (kind === 'runs') return [{ kind, ...change, isListed, isResized, isDeleted }]
  if (kind === 'comments') return [{ kind, ...change, runId: detail?.run_id ?? null }]
  if (kind === 'evaluations')
    return detail?.evaluation === undefined ? [] : [{ kind, ...change, evaluation: detail.evaluation }]
  if (kind === 'test_cases') return [{ kind, ...change, isDeleted }]
  return [{ kind, ...change }]
}

function parseRunChange({ at, project_id: projectId, run_id: runId, ids, attachments }: RunResults): RunChange {
  const change = { at, projectId, runId }
  return attachments === undefined
    ? { kind: 'results', ...change, ids: splitIds(ids) }
    : { kind: 'attachments', ...change, ids: splitIds(attachments.results), testIds: splitIds(attachments.tests) }
}

function splitIds(ids: string | null): readonly string[] | null {
  return ids === '' ? [] : (ids?.split(',') ?? null)
}

/** PostgreSQL refuses 8,000 bytes. */
const MAX_BYTES = 7999
const START = '{"kind":"results","runs":['
const END = ']}'

/** Formats changes of runs as few notifications. One with 200 ids fits into a notification. */
export function formatResults(changes: readonly RunChange[]): string[] {
  const payloads: string[] = []
  let runs = ''
  for (const change of changes) {
    const run = JSON.stringify(toRunResults(change))
    if (runs !== '' && START.length + runs.length + 1 + run.length + END.length > MAX_BYTES) {
      payloads.push(START + runs + END)
      runs = ''
    }
    runs += runs === '' ? run : `,${run}`
  }
  return runs === '' ? payloads : [...payloads, START + runs + END]
}

function toRunResults(change: RunChange): RunResults {
  const run = { at: change.at, project_id: change.projectId, run_id: change.runId }
  const ids = change.ids?.join(',') ?? null
  if (change.kind === 'results') return { ...run, ids }
  return { ...run, ids: '', attachments: { results: ids, tests: change.testIds?.join(',') ?? null } }
}

/** Formats a notification that changes since this time were not announced. */
export const formatSync = (at: string): string => JSON.stringify({ kind: 'sync', at } satisfies Payload)
