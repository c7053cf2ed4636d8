import { type CombinationRow, type Folder, listCombinationRows, type ResultRow } from '@caseward/client/endpoints'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'

import { api, queries } from '../../api.ts'
import { useLive } from '../../live/use-live.ts'
import { showUnsent, showUnsentCombinations } from '../../outbox/show-unsent.ts'
import { useOutbox } from '../../outbox/use-outbox.ts'
import { loadIndex, toRowPage } from '../../queries.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { useMay } from '../../use-may.ts'
import { useProject } from '../../use-project.ts'
import { countStatuses, mergeStatusCounts } from './count-statuses.ts'

const noRows: readonly ResultRow[] = []
const noFolders: readonly Folder[] = []
const noCounts = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }

/** Reads everything that the pages of a run show, with the unsent writes of the user, and keeps it current. */
export function useRunData(runId: string) {
  const run = useQuery(queries.run(runId))
  const results = useQuery(queries.results(runId))
  const projectId = run.data?.project_id
  const inProject = { enabled: projectId !== undefined }
  const { project, projects } = useProject(projectId)
  const { data: me } = useQuery(queries.me())
  const { data: folders = noFolders } = useQuery({ ...queries.folders(projectId ?? ''), ...inProject })
  const { data: people } = useQuery({ ...queries.people(projectId ?? ''), ...inProject })
  const { data: milestones } = useQuery({ ...queries.milestones(projectId ?? ''), ...inProject })
  const [outbox, unsent] = useOutbox()
  useLive({ runId, projectId })
  const may = useMay(projectId)

  const stored = results.data?.rows ?? noRows
  const isComplete = results.data?.isComplete ?? false
  const { entries } = unsent
  const rows = useMemo(() => showUnsent(stored, runId, entries), [stored, runId, entries])
  const stats = run.data?.stats ?? noCounts
  const counts = useMemo(
    () => (isComplete ? countStatuses(rows) : mergeStatusCounts(stats, runId, stored, false, entries)),
    [stats, runId, stored, rows, isComplete, entries],
  )
  const names = useMemo(() => new Map(people?.map(({ id, name }) => [id, name])), [people])
  const getPerson = useCallback(
    (id: string | null) => (id === null ? 'CI' : (names.get(id) ?? 'A former member')),
    [names],
  )
  return {
    run,
    results,
    projectId,
    project,
    folders,
    milestone: milestones?.find(({ id }) => id === run.data?.milestone_id),
    people,
    /** The id of the user; undefined while it is loading. */
    myId: me?.id,
    /** Whether the permissions are known: until then, nothing is said about them. */
    areRightsKnown: projects.data !== undefined && projectId !== undefined,
    may,
    outbox,
    unsent,
    /** As the server has them. */
    stored,
    /** With unsent writes. */
    rows,
    total: Math.max(results.data?.total ?? 0, rows.length),
    isComplete,
    counts,
    /** Returns the name of who set a result. */
    getPerson,
  }
}

export type RunData = ReturnType<typeof useRunData>

/** The statuses of all combinations of a run, a row per result. */
export const combinationRowsQuery = (run_id: string) =>
  queryOptions({
    queryKey: queryKeys.combinationRows(run_id),
    queryFn: ({ client, signal }) =>
      loadIndex<CombinationRow>(client, queryKeys.combinationRows(run_id), {
        readPage: async (query) =>
          toRowPage(await request(api, listCombinationRows, { params: { run_id }, query, signal })),
      }),
    structuralSharing: false,
  })

const noCombinations: readonly CombinationRow[] = []

/** Reads the combinations of a run, if it has any and they are needed, with what the user has set and not sent. */
export function useCombinationRows(
  { run: { data: run }, unsent: { entries } }: Pick<RunData, 'run' | 'unsent'>,
  isNeeded: boolean,
) {
  const isLoaded = isNeeded && run?.configurations !== undefined
  const runId = run?.id ?? ''
  const { data, error, refetch } = useQuery({ ...combinationRowsQuery(runId), enabled: isLoaded })
  const rows = (isLoaded ? data?.rows : undefined) ?? noCombinations
  const byResult = useMemo(
    () => new Map(showUnsentCombinations(rows, runId, entries).map((row) => [row.id, row])),
    [rows, runId, entries],
  )
  return {
    byResult,
    /** Whether all are there. */
    isComplete: !isLoaded || data?.isComplete === true,
    error: isLoaded && data === undefined ? error : null,
    refetch: () => void refetch(),
  }
}
