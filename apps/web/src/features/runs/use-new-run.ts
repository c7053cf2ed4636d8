import { createRun, type Folder, type Run } from '@caseward/client/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'

import { api, queries } from '../../api.ts'
import { draftItem } from '../../drafts/drafts.ts'
import { useDrafts } from '../../drafts/use-drafts.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { paths } from '../../paths.ts'
import type { ResultRow, TestCaseRow } from '@caseward/client/endpoints'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { formatSearch } from '../../search-params.ts'
import { searchSchemas } from '../../search-schemas.ts'
import { useHiddenIds } from '../../undo/use-undo.ts'
import { useSearch } from '../../use-search.ts'
import type { SentValue } from '../fields/field-values.ts'
import { useCaseRows } from '../fields/use-case-rows.ts'
import { chooseCases, orderCases } from './new-run-cases.ts'
import { changeChoice, createChoice, createRunKey, type NewRunChoice, parseChoice } from './new-run-choice.ts'
import { addSubfolders } from './new-run-folder-checks.ts'
import { suggestRunName } from './new-run-name.ts'

const noRows: readonly TestCaseRow[] = []
const noResults: readonly ResultRow[] = []

/** Runs that can be chosen, and whose names are not suggested again. */
const RECENT_RUNS = { per_page: 100 } as const

/**
 * The state of the page for a new run: what is chosen, the test cases that follow from it, and how to start it.
 * @param folders of the project, which are loaded
 */
export function useNewRun(projectId: string, folders: readonly Folder[]) {
  const [choice, change, startOver, draft] = useChoice(projectId, folders)
  const { index, isComplete, fields } = useCaseRows(projectId, choice.filter)
  const milestones = useQuery(queries.milestones(projectId))
  const recentRuns = useQuery(queries.runs(projectId, RECENT_RUNS))
  const fromRunId = choice.fromRunId ?? ''
  const fromRun = useQuery({ ...queries.run(fromRunId), enabled: fromRunId !== '' })
  const results = useQuery({ ...queries.results(fromRunId), enabled: fromRunId !== '' && choice.source === 'run' })
  const hiddenIds = useHiddenIds()
  const [openedAt] = useState(() => new Date())

  const loaded = index.data?.rows ?? noRows
  const all = useMemo(
    () => (hiddenIds.size === 0 ? loaded : loaded.filter(({ id }) => !hiddenIds.has(id))),
    [loaded, hiddenIds],
  )
  const ordered = useMemo(() => orderCases(all, folders), [all, folders])
  const resultRows = results.data?.rows ?? noResults
  // Typing in the filter goes first; the list follows.
  const settled = useDeferredValue(choice)
  const chosen = useMemo(
    () => chooseCases(ordered, folders, settled, resultRows, fields.byKey),
    [ordered, folders, settled, resultRows, fields],
  )

  const openMilestones = useMemo(
    () => (milestones.data ?? []).filter(({ id, status }) => status === 'active' || id === choice.milestoneId),
    [milestones.data, choice.milestoneId],
  )
  const milestone = openMilestones.find(({ id }) => id === choice.milestoneId)
  const runNames = recentRuns.data?.data.map(({ name }) => name) ?? []
  const suggestedName = suggestRunName(milestone?.name ?? null, openedAt, runNames)
  const name = choice.name ?? suggestedName

  const isRunLoading = choice.source === 'run' && fromRunId !== '' && results.data?.isComplete !== true
  // The server takes all test cases itself. What else is chosen must be known.
  const isReady = choice.source === 'all' ? index.data !== undefined : isComplete && !isRunLoading && settled === choice
  const count = choice.source === 'all' ? Math.max(index.data?.total ?? 0, ordered.length) : chosen.length
  const creation = useCreation(projectId, (runKey) => change({ runKey }), draft.forget)
  const start = () =>
    creation.start(choice.runKey, {
      name,
      milestone_id: choice.milestoneId,
      ...(choice.source === 'all' ? {} : { test_case_ids: chosen.map(({ id }) => id) }),
      ...toConfigurations(choice),
      ...(Object.keys(choice.fields).length === 0 ? {} : { fields: choice.fields }),
    })

  return {
    choice,
    change,
    startOver,
    hasDraft: draft.isStored,
    folders,
    /** All test cases of the project that have arrived, in the order of the run. */
    ordered,
    chosen,
    count,
    isReady,
    /** From 0 to 1; null once all test cases have arrived. */
    progress:
      index.data === undefined || index.data.isComplete ? null : index.data.rows.length / Math.max(index.data.total, 1),
    isLoading: index.data === undefined,
    isRunLoading: isRunLoading && results.error === null,
    error: index.data === undefined ? index.error : null,
    retry: () => void index.refetch(),
    runError: results.error ?? fromRun.error,
    results: resultRows,
    runs: addMissing(recentRuns.data?.data ?? [], fromRun.data),
    milestones: openMilestones,
    name,
    suggestedName,
    start,
    isStarting: creation.isBusy,
    startError: creation.error,
  }
}

export type NewRun = ReturnType<typeof useNewRun>

/** A link may name a run that is older than the recent ones. */
const addMissing = (runs: readonly Run[], run: Run | undefined): readonly Run[] =>
  run === undefined || runs.some(({ id }) => id === run.id) ? runs : [...runs, run]

/** What is chosen, with its draft. A link to the page with other parameters begins again. */
function useChoice(projectId: string, folders: readonly Folder[]) {
  const [search] = useSearch(searchSchemas.newRun)
  const drafts = useDrafts()
  const item = draftItem('new-run', projectId)
  const base = formatSearch(searchSchemas.newRun, search)
  const create = () => createChoice(search, (ids) => addSubfolders(ids, folders))
  const [state, setState] = useState(() => {
    const draft = drafts.read(item)
    const stored = draft !== null && draft.base === base ? parseChoice(draft.text) : null
    return { choice: stored ?? create(), isStored: stored !== null }
  })
  // A request that is under way sees the latest choice.
  const current = useRef(state.choice)
  const set = (choice: NewRunChoice, isStored: boolean) => {
    current.current = choice
    setState({ choice, isStored })
  }
  const change = (changes: Partial<NewRunChoice>) => {
    const next = changeChoice(current.current, changes)
    drafts.save(item, JSON.stringify(next), base)
    set(next, true)
  }
  const forget = () => drafts.remove(item)
  const startOver = () => {
    forget()
    set(create(), false)
  }
  return [state.choice, change, startOver, { isStored: state.isStored, forget }] as const
}

/** What the test cases are tested with, if anything is chosen. */
function toConfigurations({ groups, isPairwise }: NewRunChoice): Pick<NewRunBody, 'configurations'> {
  const chosen = Object.entries(groups).flatMap(([group, keys]) =>
    keys.length === 0 ? [] : [[group, [...keys]] as [string, string[]]],
  )
  if (chosen.length === 0) return {}
  return { configurations: { groups: Object.fromEntries(chosen), mode: isPairwise ? 'pairwise' : 'full' } }
}

interface NewRunBody {
  name: string
  milestone_id: string | null
  test_case_ids?: string[]
  configurations?: { groups: Record<string, string[]>; mode: 'full' | 'pairwise' }
  fields?: Readonly<Record<string, SentValue>>
}

/** Sends the run once, however often the button is pressed. */
function useCreation(projectId: string, setRunKey: (key: string) => void, onDone: () => void) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isSending = useRef(false)
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async (body: NewRunBody & { run_key: string; adds_test_cases: false }) =>
      (await request(api, createRun, { params: { project_id: projectId }, body })).data.data,
    onSuccess: (run) => {
      onDone()
      refreshQueries(queryClient, queryKeys.allRuns(projectId))
      refreshQueries(queryClient, queryKeys.projects())
      // Back leads to where the user came from, not to the form.
      void navigate(paths.run(run.id), { replace: true })
    },
    onError: () => {
      isSending.current = false
    },
  })
  return {
    start(runKey: string | null, body: NewRunBody) {
      if (isSending.current) return
      isSending.current = true
      const run_key = runKey ?? createRunKey()
      // Stored before it is sent: after a crash, the same key finds the run that was created.
      if (runKey === null) setRunKey(run_key)
      // A run with a key takes only what CI reports, unless it says otherwise.
      mutate({ ...body, run_key, adds_test_cases: false })
    },
    isBusy: isPending || isSuccess,
    error,
  }
}
