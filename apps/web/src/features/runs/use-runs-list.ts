import type { MilestoneListItem, Run } from '@caseward/client/endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { queries } from '../../api.ts'
import type { Search } from '../../search-params.ts'
import type { searchSchemas } from '../../search-schemas.ts'
import { useHiddenIds } from '../../undo/use-undo.ts'
import { useProject } from '../../use-project.ts'
import { useSettled } from '../../use-settled.ts'
import { describeRunDay } from './run-days.ts'

export const RUNS_PER_PAGE = 50

/** The filters of the runs page. */
export type RunsView = Search<typeof searchSchemas.runs>

/** A run as the list shows it. */
export interface RunsRow {
  readonly run: Run
  /** Null for none. */
  readonly milestoneName: string | null
  /** Under which heading it stands in the order of time: "In progress", "Today". */
  readonly day: string
  /** Whether it is the first of its day. */
  readonly isFirstOfDay: boolean
}

/**
 * Reads the page of runs that the URL says, with the names of their milestones. All runs in the order of time begin with those in
 * progress: the pages are those of the completed runs.
 */
export function useRunsList(projectId: string, { status, milestone, q, sort, desc, page }: RunsView) {
  const search = useSettled(q.trim())
  const filter = {
    milestone_id: milestone ?? undefined,
    sub_milestones: milestone === null ? undefined : true,
    search: search === '' ? undefined : search,
    fields: 'evaluation',
    ...(sort === 'newest' ? {} : { sort, descending: desc }),
    per_page: RUNS_PER_PAGE,
  } as const
  const isSplit = status === 'all' && sort === 'newest'
  const open = useQuery({
    ...queries.runs(projectId, { ...filter, status: 'in_progress', page: 1 }),
    placeholderData: keepPreviousData,
    enabled: isSplit,
  })
  const runs = useQuery({
    ...queries.runs(projectId, {
      ...filter,
      status: isSplit ? 'completed' : status === 'all' ? undefined : status,
      page,
    }),
    placeholderData: keepPreviousData,
  })
  const milestones = useQuery(queries.milestones(projectId))
  const { project } = useProject(projectId)
  const hiddenIds = useHiddenIds()
  const first = isSplit && page === 1 ? open.data?.data : undefined
  const loaded = runs.data?.data
  const milestoneList = milestones.data ?? noMilestones
  const rows = useMemo((): readonly RunsRow[] => {
    const names = new Map(milestoneList.map(({ id, name }) => [id, name]))
    const now = Date.now()
    let lastDay = ''
    return [...(first ?? []), ...(loaded ?? [])]
      .filter(({ id }) => !hiddenIds.has(id))
      .map((run) => {
        const day = describeRunDay(run, now)
        const isFirstOfDay = day !== lastDay
        lastDay = day
        const milestoneName = run.milestone_id === null ? null : (names.get(run.milestone_id) ?? null)
        return { run, milestoneName, day, isFirstOfDay }
      })
  }, [first, loaded, hiddenIds, milestoneList])
  const openCount = isSplit ? (open.data?.meta.total ?? 0) : 0
  const isOpenLoading = isSplit && open.data === undefined
  const error = runs.data === undefined ? runs.error : isOpenLoading ? open.error : null
  return {
    rows,
    /** Of the list by pages. */
    total: runs.data?.meta.total ?? 0,
    /** Runs in progress that are not shown above the completed ones. */
    openLeft: page === 1 ? Math.max(openCount - RUNS_PER_PAGE, 0) : openCount,
    milestones: milestoneList,
    project,
    /** Whether the project has no run at all, whatever the filters are. */
    hasNoRuns: project?.run_count === 0,
    isLoading: (runs.data === undefined || isOpenLoading) && error === null,
    /** Whether the rows are those of the filters before. */
    isOutdated: runs.isPlaceholderData || (isSplit && open.isPlaceholderData) || search !== q.trim(),
    error,
    retry: () => void Promise.all([runs.refetch(), ...(isSplit ? [open.refetch()] : [])]),
  }
}

const noMilestones: readonly MilestoneListItem[] = []

export type RunsList = ReturnType<typeof useRunsList>
