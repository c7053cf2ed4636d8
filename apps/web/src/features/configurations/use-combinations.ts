import type { CombinationRow, ResultRow, ResultStatus, RunConfiguration } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { OutboxEntry } from '../../outbox/outbox-entry.ts'
import { groupByResult } from '../../outbox/show-unsent.ts'
import { findNextUntested } from '../execution/next-untested.ts'
import { createSeenResults } from '../execution/seen-results.ts'
import type { Execution } from '../execution/use-execution.ts'
import { combinationsQuery } from './combinations-query.ts'
import { setCombination, type ShownCombination } from './set-combination.ts'

/**
 * The combinations of the open result with what the user has set, and how to set one of them. Without a connection, those of
 * the list of the run are enough.
 */
export function useCombinations(execution: Execution, row: ResultRow) {
  const { runId, data, combinations, shown: rows } = execution
  const query = useQuery(combinationsQuery(runId, row.id))
  // What is probably opened next must be there without a connection, too.
  const next = findNextUntested(rows, row.id)
  useQuery({
    ...combinationsQuery(runId, next?.id ?? ''),
    enabled: next?.combination_statuses !== undefined,
  })
  const inList = combinations.byResult.get(row.id)
  const stored =
    query.data ?? (inList === undefined ? undefined : toCombinations(inList, data.run.data?.configurations))
  const entries = groupByResult(runId, data.unsent.entries).get(row.id) ?? []
  const [seen] = useState(createSeenResults)
  seen.watch(
    (stored ?? []).map(({ place, tested_at, tested_by }) => ({ id: String(place), tested_at, tested_by })),
    data.myId,
  )
  const shown = stored?.map((combination) => entries.reduce(showEntry, combination))

  function set(combination: ShownCombination, status: ResultStatus, note?: string | null): void {
    const { place } = combination
    const base = seen.getBase({ id: String(place), tested_at: combination.tested_at, tested_by: combination.tested_by })
    setCombination(execution, row, { all: shown ?? [], combination, status, note, base })
  }
  return {
    query: { data: shown, error: shown === undefined ? query.error : null, refetch: query.refetch },
    /** Writes to single combinations that conflict with those of others. */
    conflicts: entries.filter(({ place, problem }) => place !== undefined && problem?.kind === 'newer-result'),
    set,
  }
}

function toCombinations(
  { tested_at, places, configurations, statuses, assigned_to }: CombinationRow,
  ofRun: readonly RunConfiguration[] = [],
): ShownCombination[] {
  return places.map((place, index) => ({
    place,
    name: ofRun.find((one) => one.place === configurations[index])?.name ?? '',
    status: statuses[index] ?? 'not_tested',
    assigned_to: assigned_to?.[index] ?? null,
    note: undefined,
    tested_by: null,
    // None of them is newer.
    tested_at,
  }))
}

function showEntry(combination: ShownCombination, entry: OutboxEntry): ShownCombination {
  const { place, status, note, keepsStatus, problem } = entry
  if (problem?.kind === 'newer-result' || keepsStatus === true) return combination
  if (place === undefined) return { ...combination, status }
  return place === combination.place
    ? { ...combination, status, note: note === undefined ? combination.note : note }
    : combination
}
