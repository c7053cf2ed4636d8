import type { ResultRow } from '@caseward/client/endpoints'
import TriangleAlert from 'lucide-react/icons/triangle-alert'

import styles from './step-mark.module.css'

/** Whether a result has passed although one of its steps has failed. */
export const hasFailedStep = ({ status, step_state }: Pick<ResultRow, 'status' | 'step_state'>): boolean =>
  status === 'passed' && step_state === 'failed'

/** Marks a result that has passed although one of its steps has failed. Nothing for others. */
export const StepMark = ({ row, isInText = false }: { row: ResultRow; isInText?: boolean }) =>
  hasFailedStep(row) ? (
    <span className={styles.mark}>
      <TriangleAlert {...(isInText ? { 'aria-hidden': true } : { role: 'img', 'aria-label': 'A step failed' })} />
      {isInText && 'A step failed'}
    </span>
  ) : null
