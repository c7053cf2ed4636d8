import type { StepResult } from '@caseward/client/endpoints'
import type { KeyboardEventHandler, ReactNode } from 'react'

import { classNames } from '../../ui/class-names.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { ActualResult } from './actual-result.tsx'
import styles from './step-layout.module.css'

interface StepLayoutProps {
  /** The number of the step, or what has it. */
  number: ReactNode
  action: string
  expected: string
  /** What sets the status of the step, at the end of its line. */
  controls?: ReactNode
  /** Whether the step needs no more attention. */
  isDone?: boolean
  onKeyDown?: KeyboardEventHandler<HTMLElement>
  /** The actual result. */
  children?: ReactNode
}

/** A step of a test case: what to do beside what must happen, and below what happened. */
export const StepLayout = ({
  number,
  action,
  expected,
  controls,
  isDone = false,
  children,
  ...events
}: StepLayoutProps) => (
  <li {...events} className={classNames(styles.step, controls !== undefined && styles.settable, isDone && styles.done)}>
    {number}
    <div className={styles.action}>
      <Markdown text={action} />
    </div>
    {expected !== '' && (
      <div className={styles.expected}>
        <span className={styles.expectedLabel}>Expected</span>
        <Markdown text={expected} />
      </div>
    )}
    {controls}
    {children !== undefined && children !== false && <div className={styles.actual}>{children}</div>}
  </li>
)

/** A step whose result can only be read. */
export const StepView = ({
  step,
  result,
}: {
  step: { position: number; action: string; expected: string }
  result: StepResult | undefined
}) => (
  <StepLayout
    number={
      <span className={styles.number}>
        {step.position}
        {result !== undefined && result.status !== null && <StatusGlyph status={result.status} />}
      </span>
    }
    action={step.action}
    expected={step.expected}
  >
    {result !== undefined && result.actual !== null && <ActualResult text={result.actual} />}
  </StepLayout>
)
