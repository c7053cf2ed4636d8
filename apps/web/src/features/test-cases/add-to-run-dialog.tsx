import type { Run } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { Select } from '../../ui/select.tsx'
import styles from './cases.module.css'

interface AddToRunDialogProps {
  projectId: string
  ids: readonly string[]
  onAdd: (run: Pick<Run, 'id' | 'name'>) => void
  onClose: () => void
}

/** More ids make URLs that proxies refuse. */
const MAX_IDS_IN_URL = 200

/** Chooses the run to which test cases are added. */
export function AddToRunDialog({ projectId, ids, onAdd, onClose }: AddToRunDialogProps) {
  const runs = useQuery(queries.runs(projectId, { status: 'in_progress', per_page: 100 }))
  const [chosenId, setChosenId] = useState<string | null>(null)
  const formId = useId()
  const found = runs.data?.data ?? []
  const run = found.find(({ id }) => id === chosenId) ?? found[0]
  const hasNone = runs.data !== undefined && run === undefined
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Add ${formatNumberOf(ids.length, 'test case')} to a run`}
      size="small"
      footer={
        <>
          {ids.length <= MAX_IDS_IN_URL && (
            <ButtonLink size="form" variant={hasNone ? 'primary' : 'default'} to={paths.newRun(projectId, { ids })}>
              New run
            </ButtonLink>
          )}
          {!hasNone && (
            <Button size="form" variant="primary" type="submit" form={formId} disabled={run === undefined}>
              Add
            </Button>
          )}
        </>
      }
    >
      <form
        id={formId}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          if (run !== undefined) onAdd(run)
        }}
      >
        {runs.error !== null && (
          <ErrorMessage title="The runs could not be loaded." onRetry={() => void runs.refetch()}>
            {describeFailure(runs.error).message}
          </ErrorMessage>
        )}
        {run !== undefined && (
          <Select
            label="Run in progress"
            value={run.id}
            options={found.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setChosenId}
            hint="Test cases that the run has already do not change."
          />
        )}
        {hasNone && <p>No run is in progress.</p>}
      </form>
    </Dialog>
  )
}
