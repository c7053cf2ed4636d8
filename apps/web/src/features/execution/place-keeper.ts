import type { ResultStatus } from '@caseward/client/endpoints'

import { keepPlaces } from './next-untested.ts'

/** Filters the list. A row that a view has shown stays, whatever its status becomes, until another view is opened. */
export interface PlaceKeeper<Row> {
  /** @param viewKey differs for each view */
  filter(viewKey: string, rows: readonly Row[], matches: (row: Row) => boolean): readonly Row[]
}

export function createPlaceKeeper<
  Row extends { readonly id: string; readonly status: ResultStatus },
>(): PlaceKeeper<Row> {
  let view: string | null = null
  let shownIds = new Set<string>()
  return {
    filter(viewKey, rows, matches) {
      if (viewKey !== view) shownIds = new Set()
      view = viewKey
      const kept = keepPlaces(rows, matches, shownIds)
      for (const { id } of kept) shownIds.add(id)
      return kept
    },
  }
}
