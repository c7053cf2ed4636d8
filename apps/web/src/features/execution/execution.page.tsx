import { useCallback, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useParams } from 'react-router'

import { formatPageTitle } from '../../ui/format-page-title.ts'
import { useNarrow } from '../../use-narrow.ts'
import { hasUnsavedWrites } from '../../outbox/describe-outbox.ts'
import { SidePanel, Split } from '../../ui/split.tsx'
import { RunFailure } from '../runs/run-failure.tsx'
import { RunLoading } from '../runs/run-loading.tsx'
import { ExecutionCase } from './execution-case.tsx'
import { ExecutionHeader } from './execution-header.tsx'
import { ExecutionList } from './execution-list.tsx'
import { ExecutionNotices } from './execution-notices.tsx'
import styles from './execution.module.css'
import { NarrowExecution } from './narrow-execution.tsx'
import { ResultPanel } from './result-panel.tsx'
import { type Execution, useExecution } from './use-execution.ts'
import { useExecutionKeys } from './use-execution-keys.ts'

/** `/runs/:runId/execute`: the test cases of a run, one after another. */
export function ExecutionPage() {
  const { runId = '' } = useParams()
  return <ExecutionOfRun key={runId} runId={runId} />
}

function ExecutionOfRun({ runId }: { runId: string }) {
  const execution = useExecution(runId)
  const { run, results, project, unsent } = execution.data
  const name = run.data?.name ?? 'Run'
  const title = formatPageTitle(`Execute ${name}`, project?.name)
  const error = run.data === undefined ? run.error : results.data === undefined ? results.error : null
  const isLoaded = run.data !== undefined && results.data !== undefined
  return (
    <main className={styles.page}>
      <title>{hasUnsavedWrites(unsent) ? `(!) ${title}` : title}</title>
      {error !== null && <RunFailure error={error} data={execution.data} />}
      {error === null && !isLoaded && <RunLoading label="Loading the run" />}
      {isLoaded && <LoadedExecution execution={execution} />}
    </main>
  )
}

function LoadedExecution({ execution }: { execution: Execution }) {
  const isNarrow = useNarrow()
  const [isListOpen, setIsListOpen] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  const focusSearch = useCallback(() => {
    // At once: what is typed next must not act as keys of the page, which set results.
    flushSync(() => setIsListOpen(true))
    search.current?.focus()
  }, [])
  useExecutionKeys(execution, focusSearch)
  const list = <ExecutionList execution={execution} search={search} onOpen={() => setIsListOpen(false)} />
  if (isNarrow) {
    return <NarrowExecution execution={execution} list={list} isListOpen={isListOpen} onToggleList={setIsListOpen} />
  }
  return (
    <>
      <ExecutionHeader execution={execution} />
      <ExecutionNotices execution={execution} />
      <Split className={styles.columns}>
        <SidePanel
          name="execution-list"
          label="Test cases"
          side="start"
          defaultWidth={340}
          minWidth={240}
          maxWidth={560}
        >
          {list}
        </SidePanel>
        <ExecutionCase execution={execution} />
        <SidePanel name="execution-result" label="Result" side="end" defaultWidth={320} minWidth={280} maxWidth={560}>
          <ResultPanel execution={execution} />
        </SidePanel>
      </Split>
    </>
  )
}
