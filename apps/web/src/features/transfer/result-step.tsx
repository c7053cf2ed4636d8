import type { ImportResult } from '@caseward/client/endpoints'
import CircleCheck from 'lucide-react/icons/circle-check'

import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from './import.module.css'

interface ResultStepProps {
  projectId: string
  result: ImportResult
  /** Begins with another file. */
  onAgain: () => void
}

/** Says what was stored. */
export function ResultStep({ projectId, result, onAgain }: ResultStepProps) {
  const { created, updated, folders_created: folders, rows } = result
  const newIds = rows.filter(({ action }) => action === 'create').map(({ id }) => id)
  const same = rows.length - created - updated
  return (
    <section className={styles.result}>
      <CircleCheck className={styles.resultIcon} />
      <h2 className={styles.stepTitle} tabIndex={-1}>
        The test cases were imported
      </h2>
      <ul className={styles.resultList}>
        {created > 0 && (
          <li>
            {formatNumberOf(created, 'test case')} created: {newIds.at(0)}
            {created > 1 ? ` to ${newIds.at(-1)}` : ''}
          </li>
        )}
        {updated > 0 && <li>{formatNumberOf(updated, 'test case')} updated</li>}
        {folders > 0 && <li>{formatNumberOf(folders, 'folder')} created</li>}
        {same > 0 && <li>{formatNumberOf(same, 'test case')} stayed the same</li>}
      </ul>
      <div className={styles.resultActions}>
        <ButtonLink size="form" variant="primary" to={paths.cases(projectId)}>
          Show the test cases
        </ButtonLink>
        <Button size="form" onClick={onAgain}>
          Import another file
        </Button>
      </div>
    </section>
  )
}
