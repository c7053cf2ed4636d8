import { useParams } from 'react-router'

import { hasUnsavedWrites } from '../../outbox/describe-outbox.ts'
import { useNarrow } from '../../use-narrow.ts'
import { SidePanel, Split } from '../../ui/split.tsx'
import { RunFailure } from './run-failure.tsx'
import { RunFilters } from './run-filters.tsx'
import { RunHeader } from './run-header.tsx'
import { RunLoading } from './run-loading.tsx'
import { RunPrint } from './run-print.tsx'
import { RunResultPanel } from './run-result-panel.tsx'
import { RunSummary } from './run-summary.tsx'
import { RunTabs } from './run-tabs.tsx'
import { RunTable } from './run-table.tsx'
import styles from './run.module.css'
import { useRunData } from './use-run-data.ts'
import { useRunView } from './use-run-view.ts'

/** `/runs/:runId`: the results of a run. */
export function RunPage() {
  const { runId = '' } = useParams()
  return <OneRun key={runId} runId={runId} />
}

function OneRun({ runId }: { runId: string }) {
  const data = useRunData(runId)
  const view = useRunView(data, runId)
  const isNarrow = useNarrow()
  const { run, results, project, unsent } = data
  const title = [run.data?.name ?? 'Run', project?.name, 'Caseward'].filter((part) => part !== undefined).join(' · ')
  const error = run.data === undefined ? run.error : results.data === undefined ? results.error : null
  const panel = view.opened === undefined ? null : <RunResultPanel data={data} view={view} row={view.opened} />
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
              <RunHeader data={data} run={run.data} />
              <RunSummary data={data} run={run.data} />
              <RunTabs run={run.data} current="results" />
            </>
          )}
          {isNarrow ? (
            (panel ?? <RunList data={data} view={view} />)
          ) : (
            <Split className={styles.columns}>
              <div className={styles.main}>
                <RunList data={data} view={view} />
              </div>
              {panel !== null && (
                <SidePanel name="run-result" label="Result" side="end" defaultWidth={480} minWidth={320} maxWidth={720}>
                  {panel}
                </SidePanel>
              )}
            </Split>
          )}
          <RunPrint data={data} run={run.data} />
        </>
      )}
    </main>
  )
}

const RunList = (props: { data: ReturnType<typeof useRunData>; view: ReturnType<typeof useRunView> }) => (
  <>
    <RunFilters {...props} />
    <RunTable {...props} />
  </>
)
