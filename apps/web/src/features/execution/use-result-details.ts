import type { ResultRow } from '@caseward/client/endpoints'
import { useQueries, useQuery } from '@tanstack/react-query'

import { queries } from '../../api.ts'
import { getEntryId } from '../../outbox/outbox-entry.ts'
import type { OutboxSnapshot } from '../../outbox/outbox-snapshot.ts'
import { findNextUntested } from './next-untested.ts'

/** Notes of selected results are read up to this number, so that Undo can restore them. */
const MAX_SELECTED = 100

interface DetailsOptions {
  readonly runId: string
  readonly shown: readonly ResultRow[]
  readonly current: ResultRow | null
  readonly selected: readonly ResultRow[]
  readonly unsent: OutboxSnapshot
}

/** Reads the open result with its test case, those that are probably opened next, and the notes of selected ones. */
export function useResultDetails({ runId, shown, current, selected, unsent }: DetailsOptions) {
  const detail = useQuery({ ...queries.result(runId, current?.id ?? ''), enabled: current !== null })
  const withNotes = selected.filter(({ note_line }) => note_line !== null).slice(0, MAX_SELECTED)
  const others = [...findNeighbours(shown, current), ...withNotes].filter(({ id }) => id !== current?.id)
  const ids = [...new Set(others.map(({ id }) => id))]
  const loaded = useQueries({ queries: ids.map((id) => queries.result(runId, id)) })

  /** Returns the note that the user sees; undefined while it is unknown. */
  function getNote(row: ResultRow): string | null | undefined {
    const entry = unsent.entries.get(getEntryId({ runId, resultId: row.id }))
    if (entry?.note !== undefined && entry.problem?.kind !== 'newer-result') return entry.note
    if (row.note_line === null) return null
    const data = row.id === current?.id ? detail.data : loaded[ids.indexOf(row.id)]?.data
    return data?.note
  }
  return { detail, getNote }
}

/** The next two that are not tested, and the rows above and below. */
function findNeighbours(shown: readonly ResultRow[], current: ResultRow | null): ResultRow[] {
  if (current === null) return []
  const index = shown.findIndex(({ id }) => id === current.id)
  const next = findNextUntested(shown, current.id)
  const afterNext = next === null ? null : findNextUntested(shown, next.id)
  return [next, afterNext, shown[index + 1], shown[index - 1]].filter((row) => row !== null && row !== undefined)
}
