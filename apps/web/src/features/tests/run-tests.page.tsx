import type { Run } from '@caseward/client/endpoints'

import { searchSchemas } from '../../search-schemas.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useNarrow } from '../../use-narrow.ts'
import { useSearch } from '../../use-search.ts'
import { RunHeader } from '../runs/run-header.tsx'
import { RunPrint } from '../runs/run-print.tsx'
import { RunSummary } from '../runs/run-summary.tsx'
import { RunTabs } from '../runs/run-tabs.tsx'
import type { RunData } from '../runs/use-run-data.ts'
import { LeftOutButton } from './left-out.tsx'
import { RunPart } from './run-part.tsx'
import { TestsArea } from './tests-area.tsx'
import styles from './tests.module.css'
import { useTestsArea } from './use-tests-area.ts'

const SuiteErrorsDialog = lazyPart(async () => (await import('./suite-errors-dialog.tsx')).SuiteErrorsDialog, {
  isDialog: true,
})

/** `/runs/:runId/tests`: the automated tests that were uploaded to a run. */
export const RunTestsPage = () => <RunPart name="Tests">{(data, run) => <LoadedRun data={data} run={run} />}</RunPart>

function LoadedRun({ data, run }: { data: RunData; run: Run }) {
  const [{ test, errors, match, outcome, q }, change] = useSearch(searchSchemas.runTests)
  const isNarrow = useNarrow()
  const area = useTestsArea({
    projectId: run.project_id,
    run,
    may: data.may,
    view: { match, outcome, q },
    openId: test,
    onChange: (changes) => change(changes, 'replace'),
    onOpen: (id) => change({ test: id }, 'push'),
  })
  const mayLeaveOut = run.status === 'in_progress' && data.may('runs:execute')
  return (
    <>
      {(!isNarrow || test === null) && (
        <>
          <RunHeader data={data} run={run} isAtBottom={false} />
          <RunSummary data={data} run={run} />
          <RunTabs run={run} current="tests" />
          <LeftOutButton projectId={run.project_id} runId={run.id} mayChange={mayLeaveOut} getPerson={data.getPerson} />
        </>
      )}
      <div className={styles.runArea}>
        <TestsArea area={area} />
      </div>
      <RunPrint data={data} run={run} />
      {errors && (
        <SuiteErrorsDialog
          projectId={run.project_id}
          runId={run.id}
          mayLeaveOut={mayLeaveOut}
          onClose={() => change({ errors: false }, 'replace')}
        />
      )}
    </>
  )
}
