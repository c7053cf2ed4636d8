import type { Folder } from '@caseward/client/endpoints'
import { type FormEvent, useId, useState } from 'react'

import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { lazySection } from '../../ui/lazy-section.tsx'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { NewRunFields } from './new-run-fields.tsx'
import { NewRunSource } from './new-run-source.tsx'
import { NewRunSummary } from './new-run-summary.tsx'
import styles from './new-run.module.css'
import { useNewRun } from './use-new-run.ts'

const NewRunConfigurations = lazySection(
  async () => (await import('../configurations/new-run-configurations.tsx')).NewRunConfigurations,
)

const NewRunCustomFields = lazySection(async () => (await import('../fields/run-fields.tsx')).NewRunCustomFields)

/** The form of a new run. What is chosen is kept as a draft until the run is started. */
export function NewRunForm({
  projectId,
  folders,
  hasConfigurations,
  hasFields,
}: {
  projectId: string
  folders: readonly Folder[]
  hasConfigurations: boolean
  /** Whether the project has or had custom fields. */
  hasFields: boolean
}) {
  const newRun = useNewRun(projectId, folders)
  const formId = useId()
  const [isNameMissing, setIsNameMissing] = useState(false)
  const { startError, isReady, count, isStarting } = newRun
  const failure = startError === null ? null : describeFailure(startError, { noun: 'project' })
  const nameError =
    isNameMissing && newRun.name.trim() === '' ? 'A run needs a name.' : (failure?.fields.get('name') ?? null)
  const canStart = isReady && count > 0

  function submit(event: FormEvent): void {
    event.preventDefault()
    setIsNameMissing(newRun.name.trim() === '')
    if (canStart && newRun.name.trim() !== '') newRun.start()
  }
  return (
    <>
      <header className={styles.header}>
        <h1>New run</h1>
        <div className={styles.actions}>
          {newRun.hasDraft && (
            <Button variant="quiet" onClick={newRun.startOver}>
              Start over
            </Button>
          )}
          <ButtonLink to={paths.runs(projectId)}>Cancel</ButtonLink>
          <div className={styles.startBar}>
            <Button
              variant="primary"
              type="submit"
              form={formId}
              disabled={!canStart && !isStarting}
              isBusy={isStarting}
            >
              Start run
            </Button>
          </div>
        </div>
      </header>
      {failure !== null && nameError === null && (
        <div className={styles.banner}>
          <Banner tone="error">{`The run was not started. ${describeReason(failure)}`}</Banner>
        </div>
      )}
      {newRun.error !== null && (
        <ErrorMessage title="The test cases could not be loaded." onRetry={newRun.retry}>
          {describeFailure(newRun.error, { noun: 'project' }).message}
        </ErrorMessage>
      )}
      <div className={styles.columns}>
        {newRun.progress !== null && <ProgressLine label="Loading test cases" value={newRun.progress} />}
        <NewRunSource newRun={newRun} projectId={projectId} />
        <div className={styles.side}>
          <form id={formId} className={styles.form} noValidate onSubmit={submit}>
            <NewRunFields newRun={newRun} nameError={nameError} />
          </form>
          {hasFields && <NewRunCustomFields newRun={newRun} projectId={projectId} errors={failure?.fields} />}
          {hasConfigurations && <NewRunConfigurations newRun={newRun} projectId={projectId} />}
          <NewRunSummary newRun={newRun} projectId={projectId} />
        </div>
      </div>
    </>
  )
}

/** Custom fields say themselves what is wrong with them. */
function describeReason({ fields, message }: ReturnType<typeof describeFailure>): string {
  const names = [...fields.keys()]
  return names.length > 0 && names.every((name) => name.startsWith('fields/'))
    ? 'Its fields say what is missing.'
    : message
}
