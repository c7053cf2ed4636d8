import { useQuery } from '@tanstack/react-query'

import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { ProgressLine } from '../../ui/progress-line.tsx'
import styles from '../transfer/import.module.css'
import { importQuery, isWorking, useImportAction } from './import-queries.ts'
import type { ImportPartProps } from './import-part-props.ts'
import { ImportPreview } from './import-preview.tsx'
import { ImportReport } from './import-report.tsx'
import { STATE_WORDS } from './import-words.ts'

interface ImportViewProps {
  projectId: string
  importId: string
  /** Whether the user is an admin. */
  mayManage: boolean
}

/** One import: what was recognized, its plan, how far it is, and what was counted afterwards. */
export function ImportView({ projectId, importId, mayManage }: ImportViewProps) {
  const query = useQuery(importQuery(projectId, importId))
  const action = useImportAction(projectId, importId)
  return (
    <section className={styles.section} aria-labelledby="import-name">
      <LoadedPart query={query} noun="import">
        {(current) => (
          <>
            <h2 id="import-name" className={styles.stepTitle}>
              {current.name}
            </h2>
            {action.error !== null && <Banner tone="error">{describeFailure(action.error).message}</Banner>}
            <ImportState {...{ projectId, current, action, mayManage }} />
          </>
        )}
      </LoadedPart>
    </section>
  )
}

function ImportState(props: ImportPartProps) {
  const { current } = props
  if (isWorking(current)) return <ImportProgress {...props} />
  if (current.state === 'planned') return <ImportPreview key={current.plan} {...props} />
  if (current.state === 'failed' || current.state === 'cancelled') return <ImportInterrupted {...props} />
  return <ImportReport {...props} />
}

function ImportProgress({ current, action }: ImportPartProps) {
  const { progress, state } = current
  const share = progress === null || progress.total === 0 ? undefined : progress.done / progress.total
  return (
    <>
      <div className={styles.drop}>
        <ProgressLine label={STATE_WORDS[state]} value={share} />
        <p role="status">
          {STATE_WORDS[state]}
          {progress === null || progress.done === 0 ? ' …' : `: ${progress.done.toLocaleString('en')}`}
          {progress === null || progress.total === 0 ? '' : ` of ${progress.total.toLocaleString('en')}`}
        </p>
        <Button size="form" isBusy={action.isPending} onClick={() => action.mutate({ kind: 'cancel' })}>
          Cancel
        </Button>
      </div>
      <p className={styles.muted}>You can leave this page. The import goes on, and is found in the list of imports.</p>
    </>
  )
}

function ImportInterrupted({ projectId, current, action, mayManage }: ImportPartProps) {
  const { error, planned_at: plannedAt } = current
  return (
    <>
      <Banner tone={error === null ? 'info' : 'error'}>
        {error === null ? 'This import was canceled.' : error.detail}
        {plannedAt === null && ' Nothing was imported.'}
      </Banner>
      {plannedAt !== null && (
        <p className={styles.muted}>
          What was stored before stays. Resume the import to store the rest; nothing is stored twice.
          {mayManage && ' Or undo it.'}
        </p>
      )}
      <div className={styles.helpEnd}>
        {(error === null || plannedAt !== null) && (
          <Button
            size="form"
            variant="primary"
            isBusy={action.isPending}
            onClick={() => action.mutate({ kind: 'resume' })}
          >
            Resume
          </Button>
        )}
        {mayManage && plannedAt !== null && (
          <Button size="form" isBusy={action.isPending} onClick={() => action.mutate({ kind: 'undo' })}>
            Undo
          </Button>
        )}
        <ButtonLink
          size="form"
          variant={error !== null && plannedAt === null ? 'primary' : 'default'}
          to={paths.imports(projectId)}
        >
          Choose another file
        </ButtonLink>
      </div>
    </>
  )
}
