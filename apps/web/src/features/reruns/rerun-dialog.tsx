import { type KeptInRerun, RERUN_STATUSES, type ResultStatus, type Run } from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { refreshQueries } from '../../live/refresh-queries.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { Banner } from '../../ui/banner.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatCount, formatNumberOf } from '../../ui/format-count.ts'
import formStyles from '../../ui/form-page.module.css'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { retestOrder, statusNames } from '../../ui/status/statuses.ts'
import type { RunData } from '../runs/use-run-data.ts'
import { sendRerun } from './rerun-queries.ts'
import styles from './reruns.module.css'

const keptNames: readonly (readonly [KeptInRerun, string])[] = [
  ['assignees', 'Who tests what'],
  ['milestone', 'Milestone'],
  ['description', 'Description'],
]

interface RerunDialogProps {
  data: RunData
  run: Run
  onClose: () => void
}

/** Starts a run of test cases of this one: by default of what did not pass. */
export function RerunDialog({ data, run, onClose }: RerunDialogProps) {
  const [name, setName] = useState('')
  const [statuses, setStatuses] = useState(() => getInitialStatuses(data))
  const [kept, setKept] = useState<readonly KeptInRerun[]>(keptNames.map(([value]) => value))
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const start = useMutation({
    mutationFn: () => {
      const chosen = name.trim()
      return sendRerun(run.id, { statuses: [...statuses], keep: [...kept], ...(chosen === '' ? {} : { name: chosen }) })
    },
    onSuccess: (created) => {
      refreshQueries(queryClient, queryKeys.allRuns(run.project_id))
      refreshQueries(queryClient, queryKeys.projects())
      refreshQueries(queryClient, queryKeys.lineage(run.id))
      void navigate(paths.run(created.id))
    },
  })
  const failure = start.error === null ? null : describeFailure(start.error, { noun: 'run' })
  const count = statuses.reduce((sum, status) => sum + data.counts[status], 0)
  function submit(): void {
    if (count > 0 && !start.isPending && !start.isSuccess) start.mutate()
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Run again"
      description="This run stays as it is. The rerun contains the test cases that you choose, and none of their results."
      size="small"
      submitLabel={count === 0 ? 'Start rerun' : `Start rerun of ${formatNumberOf(count, 'test case')}`}
      isBusy={start.isPending || start.isSuccess}
      isDisabled={count === 0}
      className={styles.form}
      onSubmit={submit}
    >
      <fieldset className={formStyles.choices}>
        <legend>Test cases with the status</legend>
        {retestOrder.map((status) => (
          <div key={status} className={styles.choice}>
            <Checkbox
              label={statusNames[status]}
              checked={statuses.includes(status)}
              disabled={data.counts[status] === 0}
              onChange={(isOn) => setStatuses(toggle(statuses, status, isOn))}
            />
            <span className={styles.choiceCount}>
              {formatCount(data.counts[status])}
              <StatusGlyph status={status} isNamed={false} />
            </span>
          </div>
        ))}
      </fieldset>
      <fieldset className={formStyles.choices}>
        <legend>Take over</legend>
        {keptNames.map(([value, label]) => (
          <Checkbox
            key={value}
            label={label}
            checked={kept.includes(value)}
            onChange={(isOn) => setKept(toggle(kept, value, isOn))}
          />
        ))}
      </fieldset>
      <TextField
        label="Name"
        hint="Without a name: that of the first run, and the number of the rerun."
        value={name}
        maxLength={255}
        error={failure?.fields.get('name')}
        onChange={(event) => setName(event.target.value)}
      />
      {failure !== null && !failure.fields.has('name') && <Banner tone="error">{failure.message}</Banner>}
    </FormDialog>
  )
}

/** Nothing can be chosen that the run does not have. */
function getInitialStatuses({ counts }: RunData): readonly ResultStatus[] {
  const usual = RERUN_STATUSES.filter((status) => counts[status] > 0)
  return usual.length > 0 ? usual : retestOrder.filter((status) => counts[status] > 0)
}

const toggle = <T,>(values: readonly T[], value: T, isOn: boolean): readonly T[] =>
  isOn ? [...values, value] : values.filter((other) => other !== value)
