import { useQuery } from '@tanstack/react-query'

import { queries } from '../../api.ts'
import { keys } from '../../keys.ts'
import { Button } from '../../ui/button.tsx'
import { verdictOfTestQuery } from '../failures/failure-queries.ts'
import type { QuarantinedTest } from '../quarantines/quarantine-dialog.tsx'
import { useNewIssue } from './use-new-issue.tsx'

/** The button that creates an issue about the failure of a test in a run. Nothing if it did not fail. */
export function TestIssue({ projectId, runId, test }: { projectId: string; runId: string; test: QuarantinedTest }) {
  const { data: verdict } = useQuery(verdictOfTestQuery(runId, test.id))
  const run = useQuery(queries.run(runId)).data ?? null
  const signature = verdict?.signature ?? null
  const subject = signature === null ? null : { signature, test: { ...test, caseIds: verdict?.test_case_ids ?? [] } }
  const { newIssues, dialog } = useNewIssue(projectId, run, subject)
  if (subject === null) return null
  return (
    <>
      <Button shortcut={keys.newIssue.bindings[0]} onClick={() => newIssues.open(subject)}>
        New issue
      </Button>
      {dialog}
    </>
  )
}
