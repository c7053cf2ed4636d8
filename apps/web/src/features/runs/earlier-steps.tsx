import type { StepResult } from '@caseward/client/endpoints'

import { formatNumberOf } from '../../ui/format-count.ts'
import { StatusWord } from '../../ui/status/status-glyph.tsx'
import { ActualResult } from './actual-result.tsx'
import styles from './earlier-steps.module.css'

/** The results of the steps of an earlier value: those that say more than that the step passed, and how many did. */
export function EarlierSteps({ steps }: { steps: readonly StepResult[] }) {
  const isPlain = ({ status, actual }: StepResult) => status === 'passed' && actual === null
  const plainCount = steps.filter(isPlain).length
  if (steps.length === 0) return null
  return (
    <ul className={styles.steps} aria-label="Steps of the earlier result">
      {steps
        .filter((step) => !isPlain(step))
        .map(({ position, status, actual }) => (
          <li key={position} className={styles.step}>
            <span className={styles.head}>
              Step {position}
              {status !== null && <StatusWord status={status} />}
            </span>
            {actual !== null && <ActualResult text={actual} />}
          </li>
        ))}
      {plainCount > 0 && <li className={styles.rest}>{formatNumberOf(plainCount, 'step')} passed</li>}
    </ul>
  )
}
