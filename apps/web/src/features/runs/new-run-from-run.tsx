import { useMemo } from 'react'

import { describeFailure } from '../../problems.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Count } from '../../ui/count.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { Select } from '../../ui/select.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { retestOrder, statusNames } from '../../ui/status/statuses.ts'
import { countStatuses } from './count-statuses.ts'
import styles from './new-run.module.css'
import type { NewRun } from './use-new-run.ts'

/** Chooses test cases by their status in another run. */
export function NewRunFromRun({ newRun }: { newRun: NewRun }) {
  const { choice, change, runs, results, runError } = newRun
  const counts = useMemo(() => countStatuses(results.filter((row) => row.test_case_id !== null)), [results])
  const isChosen = choice.fromRunId !== null
  return (
    <div className={styles.fromRun}>
      {runs.length === 0 ? (
        <p className={styles.explanation}>The project has no other run.</p>
      ) : (
        <Select
          label="Run"
          value={choice.fromRunId ?? ''}
          options={[
            ...(isChosen ? [] : [{ value: '', label: 'Choose a run' }]),
            ...runs.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(id) => change({ fromRunId: id === '' ? null : id })}
        />
      )}
      {runError !== null && isChosen && (
        <ErrorMessage title="The run could not be loaded.">
          {describeFailure(runError, { noun: 'run' }).message}
        </ErrorMessage>
      )}
      {isChosen && runError === null && (
        <fieldset className={styles.statuses}>
          <legend>With the status</legend>
          {newRun.isRunLoading && <ProgressLine label="Loading results" />}
          {retestOrder.map((status) => (
            <div key={status} className={styles.status}>
              <Checkbox
                label={statusNames[status]}
                checked={choice.statuses.includes(status)}
                onChange={(isOn) =>
                  change({
                    statuses: isOn ? [...choice.statuses, status] : choice.statuses.filter((other) => other !== status),
                  })
                }
              />
              <span className={styles.statusCount}>
                <Count value={counts[status]} />
                <StatusGlyph status={status} isNamed={false} />
              </span>
            </div>
          ))}
        </fieldset>
      )}
    </div>
  )
}
