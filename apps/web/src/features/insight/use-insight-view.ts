import type { Run } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { queries } from '../../api.ts'
import { useMay } from '../../use-may.ts'
import { useSearch } from '../../use-search.ts'
import { insightSearch } from './insight-paths.ts'
import type { RunFilter } from './insight-queries.ts'

/** Value of the suite parameter for runs without one. */
export const NO_SERIES = 'none'

/** The newest runs tell branches and suites. */
const RECENT_RUNS = { per_page: 100 } as const

/** What the tabs share: the project, what is in the URL, and which runs are counted. */
export function useInsightView(projectId: string) {
  const [search, change] = useSearch(insightSearch)
  const runs = useQuery(queries.runs(projectId, RECENT_RUNS)).data?.data
  const may = useMay(projectId)
  const { branch, series, days } = search
  const filter = useMemo(
    (): RunFilter => ({
      days: Number(days),
      ...(branch === null ? {} : { branch }),
      ...(series === null ? {} : { series: series === NO_SERIES ? '' : series }),
    }),
    [days, branch, series],
  )
  return {
    projectId,
    search,
    change,
    may,
    filter,
    branches: collectValues(runs, 'branch', branch),
    series: collectValues(runs, 'suite', series === NO_SERIES ? null : series),
    /** Whether CI has never reported, as far as the newest runs tell; older ones may be there. */
    isWithoutTests:
      runs !== undefined &&
      runs.length < RECENT_RUNS.per_page &&
      !runs.some(({ test_stats: { total, errors } }) => total + errors > 0),
  }
}

export type InsightView = ReturnType<typeof useInsightView>

/** What every tab gets. */
export interface InsightTabProps {
  view: InsightView
  /** The failure group in the URL. */
  signature: string | undefined
}

/** The values that the newest runs have, and the chosen one. */
function collectValues(runs: readonly Run[] | undefined, key: string, chosen: string | null): string[] {
  const values = runs?.map(({ metadata }) => metadata[key] ?? '') ?? []
  return [...new Set([...values, chosen ?? ''])].filter((value) => value !== '').toSorted()
}
