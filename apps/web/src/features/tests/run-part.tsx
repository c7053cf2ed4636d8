import type { Run } from '@caseward/client/endpoints'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'

import { hasUnsavedWrites } from '../../outbox/describe-outbox.ts'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { RunFailure } from '../runs/run-failure.tsx'
import { RunLoading } from '../runs/run-loading.tsx'
import { type RunData, useRunData } from '../runs/use-run-data.ts'
import styles from './tests.module.css'

interface RunPartProps {
  /** What of the run the page shows, for its title. */
  name: 'Tests' | 'Failures'
  children: (data: RunData, run: Run) => ReactNode
}

/** A page about a part of the run that its address names: what it shows while the run loads, and if it cannot be loaded. */
export function RunPart(props: RunPartProps) {
  const { runId = '' } = useParams()
  return <OneRun key={runId} runId={runId} {...props} />
}

function OneRun({ runId, name, children }: RunPartProps & { runId: string }) {
  const data = useRunData(runId)
  const { run, project, unsent } = data
  const heading = run.data === undefined ? 'Run' : `${name} of ${run.data.name}`
  const title = formatPageTitle(heading, project?.name)
  return (
    <main className={styles.runPage}>
      <title>{hasUnsavedWrites(unsent) ? `(!) ${title}` : title}</title>
      {run.data === undefined && run.error !== null && <RunFailure error={run.error} data={data} />}
      {run.data === undefined && run.error === null && <RunLoading label="Loading the run" />}
      {run.data !== undefined && children(data, run.data)}
    </main>
  )
}
