import type { Run } from '@caseward/client/endpoints'
import { useEffect, useState } from 'react'
import { Navigate, useLocation, useParams } from 'react-router'

import { hasUnsavedWrites } from '../../outbox/describe-outbox.ts'
import { paths } from '../../paths.ts'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { useNarrow } from '../../use-narrow.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { lazySection } from '../../ui/lazy-section.tsx'
import { SidePanel, Split } from '../../ui/split.tsx'
import { ExportBanner } from '../transfer/export-banner.tsx'
import { useExport } from '../transfer/use-export.ts'
import { RunFailure } from './run-failure.tsx'
import { RunFilters } from './run-filters.tsx'
import { RunHeader } from './run-header.tsx'
import { RunLoading } from './run-loading.tsx'
import { RunPrint } from './run-print.tsx'
import { getRunStart, hasFailedTests, SHOWS_RESULTS } from './run-start.ts'
import { RunSummary } from './run-summary.tsx'
import { RunTabs } from './run-tabs.tsx'
import { RunTable } from './run-table.tsx'
import styles from './run.module.css'
import { type RunData, useRunData } from './use-run-data.ts'
import { type RunSelection, useRunSelection } from './use-run-selection.ts'
import { type RunView, useRunView } from './use-run-view.ts'

// What opens later is not part of the first load.
const AssignDialog = lazyPart(async () => (await import('../assignments/assign-dialog.tsx')).AssignDialog, {
  isDialog: true,
})
const CombinationMatrix = lazySection(
  async () => (await import('../configurations/combination-matrix.tsx')).CombinationMatrix,
)
// It is there before it is needed, also when the browser is offline then.
const RunResultPanel = lazySection(async () => (await import('./run-result-panel.tsx')).RunResultPanel)
const RunBulkBar = lazyPart(async () => (await import('./run-bulk-bar.tsx')).RunBulkBar)

/** `/runs/:runId`: the results of a run. */
export function RunPage() {
  const { runId = '' } = useParams()
  return <OneRun key={runId} runId={runId} />
}

function OneRun({ runId }: { runId: string }) {
  const data = useRunData(runId)
  const view = useRunView(data, runId)
  const selection = useRunSelection(data, view)
  const isNarrow = useNarrow()
  const transfer = useExport({
    isReady: data.isComplete && data.total > 0,
    importCode: () => import('../transfer/load-results.ts'),
    load: ({ loadResults }, progress) => {
      const { folders, total, getPerson } = data
      const exported = {
        id: runId,
        name: data.run.data?.name ?? 'Run',
        configurations: data.run.data?.configurations,
      }
      return loadResults({ run: exported, rows: view.shown, total, folders, getPerson }, progress)
    },
  })
  useEffect(() => RunResultPanel.preload(), [])
  const { run, results, project, unsent } = data
  const start = useStart(run.data)
  const title = formatPageTitle(run.data?.name ?? 'Run', project?.name)
  // Nothing that ran is behind an empty list of results.
  if (run.data !== undefined && isOnlyTests(run.data)) {
    return <Navigate to={hasFailedTests(run.data) ? paths.runFailures(runId) : paths.runTests(runId)} replace />
  }
  if (start !== null) return <Navigate to={start} replace />
  const error = run.data === undefined ? run.error : results.data === undefined ? results.error : null
  const panel =
    view.opened === undefined ? null : (
      <RunResultPanel data={data} view={view} row={view.opened} selection={selection} />
    )
  return (
    <main className={styles.page}>
      <title>{hasUnsavedWrites(unsent) ? `(!) ${title}` : title}</title>
      {error !== null && <RunFailure error={error} data={data} />}
      {error === null && (run.data === undefined || results.data === undefined) && (
        <RunLoading label="Loading the run" />
      )}
      {error === null && run.data !== undefined && results.data !== undefined && (
        <>
          {(!isNarrow || panel === null) && (
            <>
              <RunHeader data={data} run={run.data} transfer={transfer} isAtBottom={selection.selected.length === 0} />
              <ExportBanner transfer={transfer} />
              <RunSummary data={data} run={run.data} />
              <RunTabs run={run.data} current="results" />
            </>
          )}
          {isNarrow ? (
            (panel ?? <RunList data={data} view={view} selection={selection} />)
          ) : (
            <Split className={styles.columns}>
              <div className={styles.main}>
                <RunList data={data} view={view} selection={selection} />
              </div>
              {panel !== null && (
                <SidePanel name="run-result" label="Result" side="end" defaultWidth={480} minWidth={320} maxWidth={720}>
                  {panel}
                </SidePanel>
              )}
            </Split>
          )}
          <RunPrint data={data} run={run.data} />
          {selection.isAssigning && (
            <AssignDialog data={data} rows={selection.targets} onClose={selection.closeDialog} />
          )}
        </>
      )}
    </main>
  )
}

/**
 * Returns where the run opens instead: links from CI, mails and the search lead to the run, and whoever follows them looks for
 * what failed. Null for its results, also if something fails later.
 */
function useStart(run: Run | undefined): string | null {
  const { search, state } = useLocation()
  const [isChosen] = useState(search !== '' || (state as typeof SHOWS_RESULTS | null)?.shows === SHOWS_RESULTS.shows)
  const [start, setStart] = useState<string | null>(null)
  if (run === undefined) return null
  if (start === null) setStart(isChosen ? paths.run(run.id) : getRunStart(run))
  return start === null || start === paths.run(run.id) ? null : start
}

const isOnlyTests = ({ result_count: results, test_stats: { total, errors } }: Run) =>
  results === 0 && (total > 0 || errors > 0)

function RunList(props: { data: RunData; view: RunView; selection: RunSelection }) {
  const configurations = props.data.run.data?.configurations
  return (
    <>
      <RunFilters {...props} />
      {props.view.search.matrix && configurations !== undefined ? (
        <div className={styles.table}>
          <CombinationMatrix view={props.view} configurations={configurations} />
        </div>
      ) : (
        <RunTable {...props} />
      )}
      {props.selection.canAssign && props.selection.selected.length > 0 && <RunBulkBar selection={props.selection} />}
    </>
  )
}
