import { useQuery } from '@tanstack/react-query'

import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { LongText } from '../runs/long-text.tsx'
import { testQueries } from './test-queries.ts'
import styles from './tests-dialogs.module.css'
import { useLeaveOut } from './use-leave-out.ts'

/** The errors of a run that belong to no test. */
export function SuiteErrorsDialog({
  projectId,
  runId,
  mayLeaveOut,
  onClose,
}: {
  projectId: string
  runId: string
  mayLeaveOut: boolean
  onClose: () => void
}) {
  const { data, error, refetch } = useQuery(testQueries.suiteErrors(runId))
  const { busyId, leaveOut } = useLeaveOut({ projectId, runId })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Suite errors"
      size="large"
      description="Errors outside of tests, such as a file that did not load. Some tests may not have run."
    >
      {data === undefined && error !== null && (
        <ErrorMessage title="The errors could not be loaded." onRetry={() => void refetch()}>
          {describeFailure(error, { noun: 'run' }).message}
        </ErrorMessage>
      )}
      {data === undefined && error === null && (
        <Loading label="Loading the errors">
          <SkeletonRows count={3} />
        </Loading>
      )}
      {data?.length === 0 && <p className={styles.none}>There are no suite errors any more.</p>}
      <ul className={styles.errors}>
        {data?.map(({ id, where, message, shard, at }) => (
          <li key={id} className={styles.error}>
            <p className={styles.where}>
              {where === '' ? 'Unknown place' : where}
              <span className={styles.at}>
                {shard !== null && `Shard ${shard}, `}
                <Time at={at} isInText />
              </span>
            </p>
            <LongText text={message} render={(text) => <p className={styles.message}>{text}</p>} />
            {mayLeaveOut && (
              <div>
                <Button
                  isBusy={busyId === id}
                  aria-label={`Leave out the error of ${where}`}
                  onClick={() => void leaveOut({ kind: 'suite_error', id, name: where })}
                >
                  Leave out
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
