import type { MyProject, ResultDetail, ResultRow, Run } from '@caseward/client/endpoints'
import type { QueryClient } from '@tanstack/react-query'

import { expireRecentResults } from '../history/load-recent-results.ts'
import { queryKeys } from '../query-keys.ts'
import { applyLiveRows, type RowIndex } from '../row-index/row-index.ts'
import type { LiveEvent, LiveEventData } from './live-events.ts'
import { refreshQueries } from './refresh-queries.ts'
import { refreshTests } from './refresh-tests.ts'

/**
 * Applies a change to the cache: a small one patches what pages show, a large one reads it again.
 * @param projectId the project of the stream, or of the run of the stream; undefined while it is unknown
 */
export function applyLiveEvent(queryClient: QueryClient, projectId: string | undefined, event: LiveEvent): void {
  const refresh = (key: readonly unknown[]) => refreshQueries(queryClient, key)
  if (event.name === 'results') applyResults(queryClient, projectId, event.data, event.id)
  if (event.name === 'run') applyRun(queryClient, projectId, event.data)
  if (event.name === 'evaluation') {
    refresh(queryKeys.evaluation(event.data.run_id))
    if (projectId !== undefined) refresh(queryKeys.allRuns(projectId))
  }
  if (event.name === 'comments') applyComments(queryClient, projectId, event.data)
  if (event.name === 'members') {
    refresh(queryKeys.projects())
    if (projectId !== undefined) {
      refresh(queryKeys.people(projectId))
      refresh(queryKeys.members(projectId))
      refresh(queryKeys.invitations(projectId))
      refresh(queryKeys.groupRoles(projectId))
    }
  }
  if (projectId === undefined) return
  if (event.name === 'test_cases') applyTestCases(queryClient, projectId, event.data)
  if (event.name === 'folders') refresh(queryKeys.folders(projectId))
  if (event.name === 'fields') {
    // Says whether the project has fields.
    refresh(queryKeys.projects())
    refresh(queryKeys.fields(projectId))
  }
  if (event.name === 'configurations') {
    refresh(queryKeys.configurations(projectId))
    refresh(queryKeys.projects())
  }
  if (event.name === 'shared_steps') refresh(queryKeys.sharedSteps(projectId))
  if (event.name === 'milestones') refresh(queryKeys.milestones(projectId))
  if (event.name === 'runs') {
    refresh(queryKeys.allRuns(projectId))
    refresh(queryKeys.projects())
    refresh(queryKeys.activity(projectId))
    refresh(queryKeys.allSharedStepUsage(projectId))
    refresh(queryKeys.allUnstableCases(projectId))
    for (const id of event.data.ids) refresh(queryKeys.run(id))
  }
}

/** Reads again what people say about these places, and what happened there. A run has its number of comments, too. */
function applyComments(
  queryClient: QueryClient,
  projectId = '',
  { run_id: runId, result_ids: resultIds, test_case_ids: caseIds, more }: LiveEventData['comments'],
): void {
  const whole = runId === null ? queryKeys.inProject(projectId) : queryKeys.inRun(runId)
  const ofRun = ['details', 'comments', 'activity'].map((list) => [...whole, list])
  const places =
    runId === null
      ? caseIds.map((id) => queryKeys.case(projectId, id))
      : [...ofRun, ...resultIds.map((id) => queryKeys.result(runId, id))]
  for (const key of more ? [whole] : places) refreshQueries(queryClient, key)
}

function applyTestCases(queryClient: QueryClient, projectId: string, { ids, more }: LiveEventData['test_cases']): void {
  const refresh = (key: readonly unknown[]) => refreshQueries(queryClient, key)
  refresh(queryKeys.cases(projectId))
  // Their uses and versions change with test cases.
  refresh(queryKeys.sharedSteps(projectId))
  refresh(queryKeys.allSharedStepUsage(projectId))
  refresh(queryKeys.tags(projectId))
  refresh([...queryKeys.inProject(projectId), 'searched-cases'])
  // Links disappear with their test cases.
  refreshTests(queryClient, projectId)
  if (more === true) refresh([...queryKeys.inProject(projectId), 'case'])
  else for (const id of ids) refresh(queryKeys.case(projectId, id))
  refreshResultsOfCases(queryClient, more === true ? null : new Set(ids))
}

/** An open result shows the steps of its test case, and what is set belongs to their positions. */
function refreshResultsOfCases(queryClient: QueryClient, caseIds: ReadonlySet<string> | null): void {
  for (const { queryKey, state } of queryClient.getQueryCache().findAll({ queryKey: ['run'] })) {
    const { test_case_id: id } = (queryKey[2] === 'result' ? (state.data as ResultDetail | undefined) : undefined) ?? {}
    if (typeof id === 'string' && caseIds?.has(id) !== false) refreshQueries(queryClient, queryKey)
  }
}

/**
 * Reads everything again that may have changed while no events arrived. Indexes read only what has changed.
 * @param quietMs for so long nothing has changed: what was requested since then is current
 */
export function refreshAfterGap(
  queryClient: QueryClient,
  projectId: string | undefined,
  runId?: string,
  quietMs = 0,
): void {
  const since = Date.now() - quietMs
  const refresh = (key: readonly unknown[]) => refreshQueries(queryClient, key, since)
  if (projectId !== undefined) {
    refresh(queryKeys.inProject(projectId))
    // They are no requests of their queries. Nothing has changed since the window was opened, or else all are read again.
    if (quietMs < performance.now()) expireRecentResults(queryClient, projectId, null)
  }
  refresh(runId === undefined ? ['run'] : queryKeys.inRun(runId))
  refresh(queryKeys.projects())
}

function applyRun(queryClient: QueryClient, projectId: string | undefined, run: LiveEventData['run']): void {
  let hasStatusChanged = false
  const patch = <T extends Pick<Run, 'id' | 'status' | 'updated_at'>>(known: T): T => {
    // Responses and events may overtake each other.
    if (known.id !== run.id || Date.parse(known.updated_at) > Date.parse(run.updated_at)) return known
    hasStatusChanged ||= known.status !== run.status
    return { ...known, ...run }
  }
  queryClient.setQueryData<Run>(queryKeys.run(run.id), (known) => (known === undefined ? known : patch(known)))
  queryClient.setQueryData<MyProject[]>(queryKeys.projects(), (projects) =>
    projects?.map((project) => patchLastRun(project, run)),
  )
  if (projectId !== undefined) {
    queryClient.setQueriesData<{ data: Run[] }>({ queryKey: queryKeys.allRuns(projectId) }, (page) =>
      page === undefined ? page : { ...page, data: page.data.map(patch) },
    )
  }
  if (run.test_stats.total > 0 || run.suite_error_count > 0) {
    refreshTests(queryClient, projectId, run.id)
    refreshQueries(queryClient, queryKeys.evaluation(run.id))
  }
  // The run belongs to other lists, has `completed_at`, and can be completed or reopened.
  if (!hasStatusChanged) return
  refreshQueries(queryClient, queryKeys.run(run.id))
  if (projectId !== undefined) refreshQueries(queryClient, queryKeys.allRuns(projectId))
}

function patchLastRun(project: MyProject, { id, status, stats, pass_rate }: LiveEventData['run']): MyProject {
  if (project.last_run?.id !== id) return project
  return { ...project, last_run: { ...project.last_run, status, stats, pass_rate } }
}

function applyResults(
  queryClient: QueryClient,
  projectId: string | undefined,
  { run_id, results, more }: LiveEventData['results'],
  eventId: string,
): void {
  const key = queryKeys.results(run_id)
  const state = queryClient.getQueryState<RowIndex<ResultRow>>(key)
  if (more || state?.data === undefined) refreshQueries(queryClient, key)
  else {
    const isContinuous = state.fetchStatus === 'idle' && !state.isInvalidated && state.data.isComplete
    queryClient.setQueryData<RowIndex<ResultRow>>(key, (index) => {
      if (index === undefined) return index
      const patched = applyLiveRows(index, results)
      return isContinuous ? { ...patched, readAt: getLater(index.readAt, eventId) } : patched
    })
  }
  refreshQueries(queryClient, queryKeys.combinationRows(run_id))
  // Events contain the first line of the note only.
  if (more) refreshQueries(queryClient, [...queryKeys.inRun(run_id), 'result'])
  else for (const { id } of results) refreshQueries(queryClient, queryKeys.result(run_id, id))
  if (projectId === undefined) return
  const caseIds = results.flatMap(({ test_case_id }) => test_case_id ?? [])
  expireRecentResults(queryClient, projectId, more ? null : new Set(caseIds), run_id)
}

const getLater = (a: string, b: string): string => (Date.parse(b) > Date.parse(a) ? b : a)
