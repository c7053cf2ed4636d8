import type { ResultDetail } from '@caseward/client/endpoints'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { describeFailure } from '../../problems.ts'
import { classNames } from '../../ui/class-names.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import styles from './case-content.module.css'

interface CaseContentProps {
  detail: UseQueryResult<ResultDetail>
  /** Steps that are ticked, from 0; missing where steps cannot be ticked. */
  ticked?: ReadonlySet<number>
  onTick?: (step: number) => void
}

/** Precondition, steps and expected result of the test case of a result. */
export function CaseContent({ detail, ticked, onTick }: CaseContentProps) {
  if (detail.data === undefined) {
    if (detail.error === null) return <ContentLoading />
    return (
      <ErrorMessage title="The test case could not be loaded." onRetry={() => void detail.refetch()}>
        {describeFailure(detail.error, { noun: 'result' }).message}
      </ErrorMessage>
    )
  }
  const testCase = detail.data.test_case
  if (testCase === null) {
    return <p className={styles.muted}>This test case was deleted. Its result stays in the run.</p>
  }
  const { precondition, steps, expected_result } = testCase
  if (precondition === '' && steps.length === 0 && expected_result === '') {
    return <p className={styles.muted}>This test case has no steps.</p>
  }
  return (
    <div className={styles.content}>
      {precondition !== '' && (
        <Part title="Precondition">
          <Markdown text={precondition} />
        </Part>
      )}
      {steps.length > 0 && (
        <Part title="Steps">
          <ol className={styles.steps}>
            {steps.map(({ action, expected }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- steps have no other identity
              <li key={index} className={classNames(styles.step, ticked?.has(index) === true && styles.ticked)}>
                <StepNumber index={index} isTicked={ticked?.has(index)} onTick={onTick} />
                <div className={styles.action}>
                  <Markdown text={action} />
                </div>
                {expected !== '' && (
                  <div className={styles.expected}>
                    <span className={styles.expectedLabel}>Expected</span>
                    <Markdown text={expected} />
                  </div>
                )}
              </li>
            ))}
          </ol>
        </Part>
      )}
      {expected_result !== '' && (
        <Part title="Expected result">
          <Markdown text={expected_result} />
        </Part>
      )}
    </div>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.part}>
    <h2 className={styles.partTitle}>{title}</h2>
    {children}
  </section>
)

interface StepNumberProps {
  index: number
  isTicked: boolean | undefined
  onTick: ((step: number) => void) | undefined
}

function StepNumber({ index, isTicked, onTick }: StepNumberProps) {
  if (isTicked === undefined || onTick === undefined) return <span className={styles.number}>{index + 1}</span>
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        className={styles.tickBox}
        data-step={index}
        checked={isTicked}
        aria-label={`Step ${index + 1} done`}
        onChange={() => onTick(index)}
      />
      <span className={styles.number} aria-hidden="true">
        {index + 1}
      </span>
    </label>
  )
}

const ContentLoading = () => (
  <Loading label="Loading the test case">
    <div className={styles.content}>
      <Skeleton width={90} />
      <Skeleton width="70%" />
      <Skeleton width="58%" />
      <Skeleton width="64%" />
      <Skeleton width="40%" />
    </div>
  </Loading>
)
