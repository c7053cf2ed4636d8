import type { CreateTestCaseBody, TestCase, UpdateTestCaseBody } from '@caseward/client/endpoints'

import { type CaseDraft, type CaseDraftStore, rebaseDraft } from './case-draft.ts'
import {
  getInitial,
  getSendable,
  isEmpty,
  omitGroups,
  omitKnown,
  omitSent,
  pickBefore,
  pickFields,
  withFields,
} from './case-changes.ts'
import { buildChosenUpdate, type Comparison, compareVersions, type FieldConflict } from './compare-versions.ts'
import type { EditedField } from './edited-fields.ts'

/** What the header of the editor says. */
export type SaveStatus = 'saved' | 'unsaved' | 'saving' | 'not-saved'

/** Somebody else has changed the same fields. */
export interface EditConflict extends Comparison {
  /** The test case as it is now. */
  readonly stored: TestCase
  /** Name of who changed it; null if unknown. */
  readonly changedBy: string | null
}

export interface CaseEditingState {
  /** As the server has it. A new test case has an empty id. */
  readonly saved: TestCase
  /** What is typed and not saved. */
  readonly changes: UpdateTestCaseBody
  readonly status: SaveStatus
  /** Why the last attempt failed; null if it did not. */
  readonly error: unknown
  readonly conflict: EditConflict | null
}

export interface CaseEditingServer {
  /** @throws `RequestFailed` */
  create(body: CreateTestCaseBody): Promise<TestCase>
  /** @throws `ChangedMeanwhile` if the test case has another version, otherwise `RequestFailed` */
  update(
    id: string,
    changes: UpdateTestCaseBody,
    version: number,
  ): Promise<Pick<TestCase, 'version' | 'updated_at' | 'step_groups'>>
  /** Whether the same request may succeed later without the user's help. */
  canRetry(error: unknown): boolean
}

/** Thrown when the test case has changed since it was read. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile'
  readonly stored: TestCase
  readonly changedBy: string | null
  constructor(stored: TestCase, changedBy: string | null) {
    super('The test case has changed')
    this.stored = stored
    this.changedBy = changedBy
  }
}

export interface CaseEditing {
  getState(): CaseEditingState
  subscribe(listener: () => void): () => void
  /** Keeps what the user has typed, and saves it after 1.5 s without typing. */
  change(changes: UpdateTestCaseBody): void
  /** Saves now: a field was left. */
  save(): void
  /** Takes over what the server has, for example after a live update. */
  accept(stored: TestCase): void
  /** Ends a conflict. @param kept fields of which the user keeps the own version */
  resolve(kept: ReadonlySet<FieldConflict['field']>): void
  /** Saves what is left and stops the timers. The draft stays until it is saved. */
  stop(): void
}

/** Without typing for so long, what was typed is saved. */
export const SAVE_AFTER_MS = 1500
const RETRY_MS = 5000

/**
 * Creates the editing of a test case: one request at a time, with the version that the changes are based on. What is typed
 * is stored in this browser until the server has it.
 */
export function createCaseEditing(
  testCase: TestCase,
  server: CaseEditingServer,
  drafts: CaseDraftStore,
  onSaved: (testCase: TestCase) => void,
): CaseEditing {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  let mustSaveAgain = false
  /** What the request that is on its way says; null without one. */
  let underway: UpdateTestCaseBody | null = null
  /** What arrived while a request was on its way. */
  let waiting: TestCase | null = null
  let state = begin(testCase, drafts.read(testCase.id))

  function set(next: Partial<CaseEditingState>): void {
    state = { ...state, ...next }
    listeners.forEach((listener) => listener())
  }
  function saveLater(delayMs: number): void {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(() => void send(), delayMs)
  }
  function storeDraft(): void {
    const { id, version } = state.saved
    if (isEmpty(state.changes)) return drafts.remove(id)
    const before = Object.fromEntries(
      Object.keys(state.changes).map((field) => [
        field,
        field === 'fields' ? pickBefore(state.saved, state.changes.fields) : state.saved[field as EditedField],
      ]),
    )
    drafts.save(id, { changes: state.changes, before, version })
  }
  function setChanges(changes: UpdateTestCaseBody): void {
    const status = state.status === 'saving' ? 'saving' : isEmpty(changes) ? 'saved' : 'unsaved'
    set({ changes, status, error: null })
    storeDraft()
    if (isEmpty(changes)) clearTimeout(timer)
    else saveLater(SAVE_AFTER_MS)
  }

  async function send(): Promise<void> {
    clearTimeout(timer)
    if (state.status === 'saving') {
      mustSaveAgain = true
      return
    }
    const sent = getSendable(state.changes)
    const isNew = state.saved.id === ''
    if (state.conflict !== null || isEmpty(sent) || (isNew && sent.title === undefined)) return
    set({ status: 'saving', error: null })
    underway = sent
    try {
      const saved = isNew
        ? {
            ...(await server.create({ ...getInitial(state.saved), ...sent, title: sent.title ?? '' })),
            ...pickFields(sent, state.saved),
          }
        : {
            ...(sent.steps === undefined ? state.saved : omitGroups(state.saved)),
            ...pickFields(sent, state.saved),
            ...(await server.update(state.saved.id, sent, state.saved.version)),
          }
      const changes = omitKnown(omitSent(state.changes, sent), saved)
      if (isNew) drafts.remove('')
      set({ saved, changes, status: isEmpty(changes) ? 'saved' : 'unsaved' })
      onSaved(saved)
    } catch (error) {
      if (error instanceof ChangedMeanwhile) takeOver(error.stored, error.changedBy)
      else if (server.canRetry(error) || isEmpty(omitSent(state.changes, sent))) fail(error)
      // What was typed meanwhile may be what was missing.
      else set({ status: 'unsaved', error: null })
    }
    underway = null
    storeDraft()
    if (waiting !== null) accept(waiting)
    waiting = null
    if (mustSaveAgain) {
      mustSaveAgain = false
      if (state.status === 'unsaved') void send()
    } else if (state.status === 'unsaved') saveLater(SAVE_AFTER_MS)
  }
  function fail(error: unknown): void {
    set({ status: 'not-saved', error })
    if (server.canRetry(error)) saveLater(RETRY_MS)
  }
  /** Bases the changes on another version; the user decides about fields that both have changed. */
  function takeOver(stored: TestCase, changedBy: string | null): void {
    const comparison = compareVersions(state.saved, state.changes, stored)
    if (comparison.conflicts.length > 0) {
      set({ status: 'not-saved', conflict: { ...comparison, stored, changedBy } })
      return
    }
    set({ saved: stored, changes: comparison.ownChanges, status: isEmpty(comparison.ownChanges) ? 'saved' : 'unsaved' })
    if (!isEmpty(comparison.ownChanges)) saveLater(0)
  }
  function accept(stored: TestCase): void {
    if (stored.id !== state.saved.id || stored.version <= state.saved.version || state.conflict !== null) return
    if (state.status === 'saving') {
      waiting = stored
      return
    }
    const { conflicts, ownChanges } = compareVersions(state.saved, state.changes, stored)
    // The next save is refused, and its answer says who changed it.
    if (conflicts.length > 0) return
    set({ saved: stored, changes: ownChanges, ...(isEmpty(ownChanges) ? { status: 'saved', error: null } : {}) })
    storeDraft()
  }

  if (state.status === 'unsaved') saveLater(SAVE_AFTER_MS)
  return {
    getState: () => state,
    subscribe(listener) {
      isStopped = false
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change({ fields, ...changes }) {
      const { fields: earlier, ...others } = state.changes
      setChanges(
        omitKnown(
          { ...others, ...changes, ...withFields(Object.entries({ ...earlier, ...fields })) },
          state.saved,
          underway,
        ),
      )
    },
    save: () => void send(),
    accept,
    resolve(kept) {
      if (state.conflict === null) return
      const changes = buildChosenUpdate(state.conflict, kept)
      set({
        saved: state.conflict.stored,
        changes,
        conflict: null,
        error: null,
        status: isEmpty(changes) ? 'saved' : 'unsaved',
      })
      storeDraft()
      void send()
    },
    stop() {
      isStopped = true
      void send()
    },
  }
}

function begin(testCase: TestCase, draft: CaseDraft | null): CaseEditingState {
  const base: CaseEditingState = { saved: testCase, changes: {}, status: 'saved', error: null, conflict: null }
  if (draft === null) return base
  const { conflicts, ownChanges } = rebaseDraft(draft, testCase)
  if (conflicts.length > 0) {
    const conflict = { conflicts, ownChanges, stored: testCase, changedBy: null }
    return { ...base, changes: draft.changes, status: 'not-saved', conflict }
  }
  return isEmpty(ownChanges) ? base : { ...base, changes: ownChanges, status: 'unsaved' }
}
