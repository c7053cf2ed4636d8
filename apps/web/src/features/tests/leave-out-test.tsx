import type { Run, RunTestDetail } from '@caseward/client/endpoints'
import CircleSlash from 'lucide-react/icons/circle-slash-2'

import { Button } from '../../ui/button.tsx'
import { splitPath } from './split-path.ts'
import styles from './test-panel.module.css'
import { useLeaveOut } from './use-leave-out.ts'
import type { TestsArea } from './use-tests-area.ts'

/** Says that a test may no longer exist, and leaves it out of the run. */
export function LeaveOutTest({ area, run, test }: { area: TestsArea; run: Run; test: RunTestDetail }) {
  const { busyId, leaveOut } = useLeaveOut({ projectId: run.project_id, runId: run.id })
  const mayLeaveOut = run.status === 'in_progress' && area.may('runs:execute')
  if (!mayLeaveOut && test.is_in_newest_report) return null
  return (
    <section className={styles.section} aria-label="Part of this run">
      {!test.is_in_newest_report && (
        <p>
          <strong>Not in the newest report of its file.</strong> It may have been renamed or deleted; what it did before
          still counts.
        </p>
      )}
      {mayLeaveOut && (
        <div className={styles.actions}>
          <Button
            icon={<CircleSlash />}
            isBusy={busyId === test.id}
            onClick={() => {
              const item = { kind: 'test', id: test.id, name: splitPath(test).title } as const
              void leaveOut(item).then((isDone) => (isDone ? area.close() : undefined))
            }}
          >
            Leave out of this run
          </Button>
        </div>
      )}
    </section>
  )
}
