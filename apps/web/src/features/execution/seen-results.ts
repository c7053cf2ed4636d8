import type { ResultRow } from '@caseward/client/endpoints'

type SeenRow = Pick<ResultRow, 'id' | 'tested_at' | 'tested_by'>

/**
 * Remembers which version of the open and selected results the user has seen. What another user sets while a result is
 * open is not taken for seen: the next write is based on what the user saw, so that the server asks which one counts.
 */
export interface SeenResults {
  /** @param rows those that the user works on now. Others are forgotten: opening one again shows its newest version. */
  watch(rows: readonly SeenRow[], myId: string | undefined): void
  /** Returns the `tested_at` that the user has seen. */
  getBase(row: SeenRow): string | null
}

export function createSeenResults(): SeenResults {
  let seen = new Map<string, string | null>()
  return {
    watch(rows, myId) {
      const isKnown = (row: SeenRow) => seen.has(row.id) && (row.tested_by === null || row.tested_by !== myId)
      seen = new Map(rows.map((row) => [row.id, isKnown(row) ? (seen.get(row.id) ?? null) : row.tested_at]))
    },
    getBase: (row) => (seen.has(row.id) ? (seen.get(row.id) ?? null) : row.tested_at),
  }
}
