import type { NewerResult, ResultWrite } from './outbox-entry.ts'

/**
 * Builds the write that undoes another one. Note and duration are restored only if the write has changed them.
 * @param write what is undone
 * @param before the result as the user saw it before
 */
export function buildUndo(write: ResultWrite, before: Pick<NewerResult, 'status' | 'note' | 'elapsed'>): ResultWrite {
  return {
    ...write,
    status: before.status,
    note: write.note === undefined ? undefined : before.note,
    elapsed: write.elapsed === undefined ? undefined : before.elapsed,
  }
}
