import CircleCheck from 'lucide-react/icons/circle-check'
import { useState } from 'react'

import { paths } from '../../paths.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from '../transfer/import.module.css'
import { ConflictList } from './conflict-list.tsx'
import { describeActions } from './import-words.ts'
import type { ImportPartProps } from './import-part-props.ts'
import { LossList } from './loss-list.tsx'
import { RecordList } from './record-list.tsx'

/** What an import has stored, counted again in the project. */
export function ImportReport({ projectId, current, action, mayManage }: ImportPartProps) {
  const { planning, proof, state } = current
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      {state === 'undone' && (
        <Banner>
          This import was undone. What someone has worked with since was left as it is, and is counted below.
        </Banner>
      )}
      {state !== 'undone' && proof !== null && (
        <>
          {proof.is_equal ? (
            <p className={styles.helpEnd}>
              <CircleCheck className={styles.resultIcon} />
              Everything that was read is accounted for, and was counted again in the project.
            </p>
          ) : (
            <Banner tone="error">What was counted in the project differs: {proof.differences.join(' ')}</Banner>
          )}
          <ul className={styles.resultList}>
            <li>
              {formatNumberOf(proof.cases.read, 'test case')} read, {proof.cases.stored.toLocaleString('en')} in the
              project
            </li>
            <li>
              {formatNumberOf(proof.folders.read, 'folder')} read, {proof.folders.stored.toLocaleString('en')} in the
              project
            </li>
            <li>
              {formatNumberOf(proof.steps.read, 'step')} of new test cases, {proof.steps.stored.toLocaleString('en')} in
              the project
            </li>
            {(['milestones', 'runs', 'results'] as const).map((kind) => {
              const counted = proof[kind]
              if (counted === undefined || counted.read === 0) return null
              return (
                <li key={kind}>
                  {formatNumberOf(counted.read, kind.slice(0, -1))} read, {counted.stored.toLocaleString('en')} in the
                  project
                </li>
              )
            })}
          </ul>
        </>
      )}
      <div className={styles.helpEnd}>
        <ButtonLink size="form" variant="primary" to={paths.cases(projectId)}>
          Show the test cases
        </ButtonLink>
        <ButtonLink size="form" to={paths.imports(projectId)}>
          Import another file
        </ButtonLink>
        <ButtonLink
          size="form"
          reloadDocument
          download
          to={`/v1/projects/${projectId}/imports/${current.id}/report?format=csv`}
        >
          Download the report
        </ButtonLink>
        {mayManage && state !== 'undone' && (
          <Button size="form" onClick={() => setIsAsking(true)}>
            Undo this import
          </Button>
        )}
      </div>
      {state !== 'undone' && <ConflictList {...{ projectId, current, action }} />}
      {planning !== null && (
        <>
          <h3 className={styles.stepTitle}>What happened</h3>
          <ul className={styles.resultList}>
            {describeActions(planning.actions).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <h3 className={styles.stepTitle}>Not as in the source</h3>
          <LossList losses={planning.losses} />
          <h3 className={styles.stepTitle}>What the file contains</h3>
          <RecordList {...{ projectId, current }} />
        </>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Undo this import?"
        confirmLabel="Undo the import"
        isBusy={action.isPending}
        onConfirm={() => {
          setIsAsking(false)
          action.mutate({ kind: 'undo' })
        }}
      >
        Test cases that it created and nobody has touched since are deleted, and those that it changed become what they
        were. What someone has changed, tested or commented stays.
      </ConfirmDialog>
    </>
  )
}
