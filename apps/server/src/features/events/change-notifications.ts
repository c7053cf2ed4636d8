/** The channel on which the database sends changes; see migration 0025. */
export const CHANGE_CHANNEL = 'caseward_changes'

interface Change {
  /** When the transaction of the change began, as in `updated_at`. */
  at: string
  projectId: string
  /** Null if more than fit into a notification were changed. */
  ids: readonly string[] | null
}

/** A committed change, as the database reports it. */
export type ChangeNotification =
  | (Change & { kind: 'results'; runId: string })
  | (Change & { kind: 'runs'; isListed: boolean; isResized: boolean; isDeleted: boolean })
  | (Change & { kind: 'test_cases'; isDeleted: boolean })
  | (Change & { kind: 'folders' | 'milestones' | 'members' })
  | { kind: 'access'; ids: readonly string[] | null }

interface Payload {
  kind: ChangeNotification['kind']
  at: string
  project_id: string
  ids: string | null
  detail: { run_id?: string; is_listed?: boolean; is_resized?: boolean; is_deleted?: boolean } | null
}

/** Parses what `notify_change` of migration 0025 sends. */
export function parseChangeNotification(payload: string): ChangeNotification {
  const { kind, at, project_id: projectId, ids: joinedIds, detail } = JSON.parse(payload) as Payload
  const ids = joinedIds === null ? null : joinedIds.split(',')
  const change = { at, projectId, ids }
  const { run_id: runId = '', is_listed: isListed = false, is_resized: isResized = false } = detail ?? {}
  const isDeleted = detail?.is_deleted ?? false
  if (kind === 'access') return { kind, ids }
  if (kind === 'results') return { kind, ...change, runId }
  if (kind === 'runs') return { kind, ...change, isListed, isResized, isDeleted }
  if (kind === 'test_cases') return { kind, ...change, isDeleted }
  return { kind, ...change }
}
