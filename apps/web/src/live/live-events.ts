import type { ResultRow, RunStatus, StatusCounts, TestStats } from '@caseward/client/endpoints'

interface ChangedIds {
  readonly ids: readonly string[]
  readonly more?: boolean
}

/** The data of each event of the streams. */
export interface LiveEventData {
  readonly sync: {
    readonly at: string
    /** For how long nothing has changed in the project. Missing on servers of earlier versions. */
    readonly quiet_ms?: number
  }
  readonly run: {
    readonly id: string
    readonly status: RunStatus
    readonly stats: StatusCounts
    readonly pass_rate: number
    readonly result_count: number
    readonly test_stats: TestStats
    readonly suite_error_count: number
    readonly updated_at: string
  }
  /** Without rows if `more` is true: read them again. */
  readonly results: { readonly run_id: string; readonly results: readonly ResultRow[]; readonly more: boolean }
  /** Of a run if `run_id` is set: on it, and on these results. */
  readonly comments: {
    readonly run_id: string | null
    readonly result_ids: readonly string[]
    readonly test_case_ids: readonly string[]
    readonly more: boolean
  }
  readonly test_cases: ChangedIds
  readonly folders: object
  /** The run was evaluated. */
  readonly evaluation: { readonly run_id: string }
  readonly fields: object
  readonly configurations: object
  readonly shared_steps: ChangedIds
  readonly milestones: ChangedIds
  readonly runs: ChangedIds
  readonly members: object
}

export type LiveEventName = keyof LiveEventData

/** An event of a stream. */
export type LiveEvent = {
  readonly [N in LiveEventName]: {
    readonly name: N
    readonly data: LiveEventData[N]
    /** A time shortly before the change, of the server's clock (ISO). Empty if the server sent none. */
    readonly id: string
  }
}[LiveEventName]

/** Every name of {@link LiveEventData}. */
export const liveEventNames = [
  'sync',
  'run',
  'results',
  'comments',
  'test_cases',
  'folders',
  'evaluation',
  'fields',
  'configurations',
  'shared_steps',
  'milestones',
  'runs',
  'members',
] as const satisfies readonly LiveEventName[]

/** Parses the data of an event. @returns null if it is not JSON: another service may answer at this address */
export function parseLiveEvent(name: LiveEventName, data: string, id: string): LiveEvent | null {
  try {
    const value = JSON.parse(data) as unknown
    return typeof value === 'object' && value !== null ? ({ name, data: value, id } as LiveEvent) : null
  } catch {
    return null
  }
}
