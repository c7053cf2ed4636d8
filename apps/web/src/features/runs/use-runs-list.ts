import type { MilestoneListItem, Run } from '@caseward/client/endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { queries } from '../../api.ts'
import type { Search } from '../../search-params.ts'
import type { searchSchemas } from '../../search-schemas.ts'
import { useHiddenIds } from '../../undo/use-undo.ts'
import { useSettled } from '../../use-settled.ts'

export const RUNS_PER_PAGE = 50

/** The filters of the runs page. */
export type RunsView = Search<typeof searchSchemas.runs>

/** A run as the list shows it. */
export interface RunsRow {
  readonly run: Run
  /** Null for none. */
  readonly milestoneName: string | null
}

/**
 * Reads the page of runs that the URL says, with the names of their milestones. If no run is in progress and there is no
 * filter, these are all runs: those of CI complete by themselves.
 */
export function useRunsList(projectId: string, { status, milestone, q, sort, desc, page }: RunsView) {
  const search = useSettled(q.trim())
  const filter = {
    milestone_id: milestone ?? undefined,
    sub_milestones: milestone === null ? undefined : true,
    search: search === '' ? undefined : search,
    ...(sort === 'newest' ? {} : { sort, descending: desc }),
    page,
    per_page: RUNS_PER_PAGE,
  }
  const chosen = useQuery({
    ...queries.runs(projectId, { ...filter, status: status === 'all' ? undefined : status }),
    placeholderData: keepPreviousData,
  })
  const isUnfiltered = status === 'in_progress' && milestone === null && search === '' && q.trim() === ''
  const showsAll = isUnfiltered && !chosen.isPlaceholderData && chosen.data?.meta.total === 0
  const latest = useQuery({ ...queries.runs(projectId, filter), enabled: showsAll })
  const runs = showsAll ? latest : chosen
  const milestones = useQuery(queries.milestones(projectId))
  const projects = useQuery(queries.projects())
  const hiddenIds = useHiddenIds()
  const loaded = runs.data?.data
  const milestoneList = milestones.data ?? noMilestones
  const rows = useMemo((): readonly RunsRow[] => {
    const names = new Map(milestoneList.map(({ id, name }) => [id, name]))
    return (loaded ?? [])
      .filter(({ id }) => !hiddenIds.has(id))
      .map((run) => ({ run, milestoneName: run.milestone_id === null ? null : (names.get(run.milestone_id) ?? null) }))
  }, [loaded, hiddenIds, milestoneList])
  const project = projects.data?.find(({ id }) => id === projectId)
  return {
    rows,
    /** Whether no run is in progress, so that these are all runs. */
    showsAll: showsAll && rows.length > 0,
    /** Of all pages. */
    total: runs.data?.meta.total ?? 0,
    milestones: milestoneList,
    project,
    /** Whether the project has no run at all, whatever the filters are. */
    hasNoRuns: project?.run_count === 0,
    isLoading: runs.data === undefined && runs.error === null,
    /** Whether the rows are those of the filters before. */
    isOutdated: runs.isPlaceholderData || search !== q.trim(),
    error: runs.data === undefined ? runs.error : null,
    retry: () => void runs.refetch(),
  }
}

const noMilestones: readonly MilestoneListItem[] = []

export type RunsList = ReturnType<typeof useRunsList>
