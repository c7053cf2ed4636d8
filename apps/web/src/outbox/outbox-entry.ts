import { RESULT_STATUSES, type ResultStatus, type StepChange } from '@caseward/client/endpoints'

import { mergeStepChanges } from './step-changes.ts'

/** What a user sets for one result. */
export interface ResultWrite {
  readonly runId: string
  readonly resultId: string
  /** The place of a combination of the result; undefined for the result itself, with all of its combinations. */
  readonly place?: number | undefined
  /** Null if the test case was deleted. */
  readonly testCaseId: string | null
  /** Title of the test case, for messages. */
  readonly title: string
  /** The API needs a status with every write: for a note only, the status that the user sees. */
  readonly status: ResultStatus
  /** Undefined keeps the note of the server. */
  readonly note?: string | null | undefined
  /** In seconds; undefined keeps the duration of the server. */
  readonly elapsed?: number | null | undefined
  /** What changes in the steps; undefined for nothing. */
  readonly steps?: readonly StepChange[] | undefined
  /** The version of the test case that was tested, which `steps` are of; undefined for the one of the server. */
  readonly caseVersion?: number | undefined
  /** With steps: the status that follows from all of them, for what the page shows; null without results of steps. */
  readonly stepState?: ResultStatus | null | undefined
  /** With a place: what all combinations of the result are then, in their order, and what follows for the result. */
  readonly combinations?: readonly ResultStatus[] | undefined
  readonly resultStatus?: ResultStatus | undefined
  /** Whether only the other fields are sent: with the status of a result, all of its combinations would get it. */
  readonly keepsStatus?: boolean | undefined
  /** `tested_at` of the result that the user saw. */
  readonly base: string | null
}

/** Values that were sent. Their response may have been lost, so the server may have stored them. */
export type Attempt = Pick<ResultWrite, 'status' | 'note' | 'elapsed'>

/** A result on the server that is newer than the one the user saw. */
export interface NewerResult {
  readonly status: ResultStatus
  readonly note: string | null
  readonly elapsed: number | null
  readonly tested_by: string | null
  readonly tested_at: string | null
}

/** Why a write was not stored, and is not sent again until the user decides. */
export interface EntryProblem {
  readonly kind: 'run-completed' | 'newer-result' | 'forbidden' | 'not-found' | 'refused'
  /** A sentence of the server. */
  readonly message: string
  /** With `newer-result`: show both. */
  readonly newer: NewerResult | null
}

/** All unsent writes to one result, merged. */
export interface OutboxEntry extends ResultWrite {
  /** `<run>/<result>`, and the place of a combination */
  readonly id: string
  /** Differs after each write, so that a response is not taken for that of a later write. */
  readonly revision: string
  /** Writes are sent in this order. */
  readonly order: number
  readonly attempts: readonly Attempt[]
  readonly problem: EntryProblem | null
}

/** Enough to recognize every value whose response was lost. */
const MAX_ATTEMPTS = 10

export const getEntryId = ({ runId, resultId, place }: Pick<ResultWrite, 'runId' | 'resultId' | 'place'>): string =>
  place === undefined ? `${runId}/${resultId}` : `${runId}/${resultId}/${place}`

/** `crypto.randomUUID` exists on HTTPS only. */
export function createRevision(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Adds a write to the unsent ones of the same result. The later value of each field counts, and the base stays that of the
 * first write, because the user has not seen a newer result since.
 */
export function mergeWrite(existing: OutboxEntry | undefined, write: ResultWrite, order: number): OutboxEntry {
  const revision = createRevision()
  if (existing === undefined) return { ...write, id: getEntryId(write), revision, order, attempts: [], problem: null }
  const merged = {
    ...existing,
    status: write.status,
    note: write.note === undefined ? existing.note : write.note,
    elapsed: write.elapsed === undefined ? existing.elapsed : write.elapsed,
    steps: mergeStepChanges(existing.steps, write.steps),
    caseVersion: write.caseVersion ?? existing.caseVersion,
    stepState: write.stepState === undefined ? existing.stepState : write.stepState,
    combinations: write.combinations ?? existing.combinations,
    resultStatus: write.resultStatus ?? existing.resultStatus,
    keepsStatus: existing.keepsStatus === true && write.keepsStatus === true,
    revision,
  }
  const { problem } = existing
  if (problem?.kind !== 'newer-result') return { ...merged, problem: null }
  // The user has seen the newer result, and sets another.
  if (write.base === problem.newer?.tested_at) return { ...merged, base: write.base, attempts: [], problem: null }
  return merged
}

/** Remembers the values of an entry before they are sent. */
export function addAttempt(entry: OutboxEntry): OutboxEntry {
  const { status, note, elapsed } = entry
  const isOther = (attempt: Attempt) =>
    attempt.status !== status || attempt.note !== note || attempt.elapsed !== elapsed
  return { ...entry, attempts: [...entry.attempts.filter(isOther), { status, note, elapsed }].slice(-MAX_ATTEMPTS) }
}

/** Whether a result of the server has the values of an attempt. Undefined ones were not sent. */
export function isSameResult(attempt: Attempt, result: NewerResult): boolean {
  if (attempt.status !== result.status) return false
  if (attempt.elapsed !== undefined && attempt.elapsed !== result.elapsed) return false
  return attempt.note === undefined || toStoredNote(attempt.note) === toStoredNote(result.note)
}

/** The server truncates notes to this length, between characters. */
const MAX_NOTE_LENGTH = 65_535

const toStoredNote = (note: string | null) => (note ?? '').slice(0, MAX_NOTE_LENGTH)

/** Parses an entry of this or an older version of the app. @returns null if it is not one */
export function parseEntry(value: unknown): OutboxEntry | null {
  if (typeof value !== 'object' || value === null) return null
  const entry = value as Partial<OutboxEntry>
  const hasTexts = [entry.runId, entry.resultId, entry.title, entry.revision].every((text) => typeof text === 'string')
  const hasStatus = RESULT_STATUSES.some((status) => status === entry.status)
  if (!hasTexts || !hasStatus || typeof entry.order !== 'number' || !Array.isArray(entry.attempts)) return null
  return { ...(entry as OutboxEntry), id: getEntryId(entry as OutboxEntry) }
}
