import type { TestAttempt } from '@caseward/client/endpoints'

import { formatMilliseconds } from '../../times.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { LongText } from '../runs/long-text.tsx'
import { AttemptGlyph } from './attempt-marks.tsx'
import styles from './attempt-steps.module.css'
import { nestSteps, type StepNode } from './nest-steps.ts'

/** The steps that a framework reported inside of an attempt, as a tree with times. The way to a failure is unfolded. */
export function AttemptSteps({ attempt: { steps, steps_cut } }: { attempt: TestAttempt }) {
  if (steps === undefined || steps.length === 0) return null
  const nodes = nestSteps(steps)
  return (
    <details className={styles.section} open={nodes.some(({ hasFailed }) => hasFailed)}>
      <summary className={styles.summary}>{formatNumberOf(steps.length, 'step')}</summary>
      <StepList nodes={nodes} />
      {steps_cut === true && (
        <p className={styles.cut}>There were more steps than are kept. Those that passed were left out first.</p>
      )}
    </details>
  )
}

const StepList = ({ nodes }: { nodes: readonly StepNode[] }) => (
  <ul className={styles.steps}>
    {nodes.map((node, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- steps have no other identity
      <li key={index}>
        {node.steps.length === 0 ? (
          <div className={styles.leaf}>
            <StepLine node={node} />
          </div>
        ) : (
          <details open={node.hasFailed}>
            <summary className={styles.parent}>
              <StepLine node={node} />
            </summary>
            <StepList nodes={node.steps} />
          </details>
        )}
        {node.step.message !== '' && (
          <div className={styles.message}>
            <LongText text={node.step.message} render={(text) => <p>{text}</p>} />
          </div>
        )}
      </li>
    ))}
  </ul>
)

const StepLine = ({ node: { step } }: { node: StepNode }) => (
  <span className={styles.line}>
    {step.status === null ? (
      <span className={styles.unknown} role="img" aria-label="Unknown status" />
    ) : (
      <AttemptGlyph status={step.status} />
    )}
    <span className={styles.title}>{step.title}</span>
    {step.elapsed_ms !== null && <span className={styles.time}>{formatMilliseconds(step.elapsed_ms)}</span>}
  </span>
)
