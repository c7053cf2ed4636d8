import type { ResultStatus } from '@caseward/client/endpoints'

import { keepPlaces } from './next-untested.ts'

/**
 * Creates the filter of one view of the list. A row that it has shown stays, whatever its status becomes, until another view
 * is opened.
 */
export function createPlaceKeeper<Row extends { readonly id: string; readonly status: ResultStatus }>() {
  const shownIds = new Set<string>()
  return (rows: readonly Row[], matches: (row: Row) => boolean): readonly Row[] => {
    const kept = keepPlaces(rows, matches, shownIds)
    for (const { id } of kept) shownIds.add(id)
    return kept
  }
}
