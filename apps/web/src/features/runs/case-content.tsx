import type { ResultDetail, StepResult } from '@caseward/client/endpoints'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { describeFailure } from '../../problems.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { lazySection } from '../../ui/lazy-section.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { joinSteps } from '@caseward/case-files/join-steps'
import styles from './case-content.module.css'
import { GroupedSteps } from './grouped-steps.tsx'
import { chooseShownCase } from './shown-case.ts'
import { StepView } from './step-layout.tsx'

const CaseFieldValues = lazySection(async () => (await import('../fields/case-field-values.tsx')).CaseFieldValues)

interface CaseContentProps {
  projectId: string | undefined
  detail: UseQueryResult<ResultDetail>
  /** Renders a step whose result can be set; missing where it can only be read. */
  renderStep?: (step: CaseStep) => ReactNode
  /** The results of the steps of what is chosen, with those that are not sent yet; those of the result on the server without it. */
  stepResults?: readonly StepResult[]
  /** Whether the text of today is shown although another one was tested. */
  isNew?: boolean
  /** Shows the other text; missing where it is only read. */
  onToggleNew?: () => void
}

const ChangedNotice = lazySection(async () => (await import('../case-versions/changed-notice.tsx')).ChangedNotice)

export type CaseStep = NonNullable<ResultDetail['test_case']>['steps'][number]

/** Precondition, steps and expected result of the test case of a result. */
export function CaseContent(props: CaseContentProps) {
  const { projectId, detail, renderStep, stepResults, isNew = false, onToggleNew } = props
  if (detail.data === undefined) {
    if (detail.error === null) return <ContentLoading />
    return (
      <ErrorMessage title="The test case could not be loaded." onRetry={() => void detail.refetch()}>
        {describeFailure(detail.error, { noun: 'result' }).message}
      </ErrorMessage>
    )
  }
  const shown = chooseShownCase(detail.data, isNew)
  if (shown === null) {
    return <p className={styles.muted}>This test case was deleted. Its result stays in the run.</p>
  }
  const { precondition, steps, step_groups: groups, template, expected_result, fields = {} } = shown.testCase
  const custom = projectId !== undefined && Object.keys(fields).length > 0 && { projectId, values: fields }
  const notice = detail.data.is_outdated === true && (
    <ChangedNotice detail={detail.data} isNew={isNew} onToggle={onToggleNew} />
  )
  if (!custom && precondition === '' && steps.length === 0 && expected_result === '') {
    return (
      <>
        {notice}
        <p className={styles.muted}>This test case has no steps.</p>
      </>
    )
  }
  const results = new Map((stepResults ?? shown.steps).map((result) => [result.position, result]))
  return (
    <div className={styles.content}>
      {notice}
      {custom && <CaseFieldValues {...custom} part="short" />}
      {precondition !== '' && (
        <Part title="Precondition">
          <Markdown text={precondition} />
        </Part>
      )}
      {steps.length > 0 && template === 'text' && (
        <Part title="Text">
          <Markdown text={joinSteps(steps)} />
        </Part>
      )}
      {steps.length > 0 && template !== 'text' && (
        <Part title="Steps">
          <ol className={styles.steps}>
            <GroupedSteps
              steps={steps}
              groups={groups}
              results={results}
              renderStep={
                renderStep ??
                ((step) => <StepView key={step.position} step={step} result={results.get(step.position)} />)
              }
            />
          </ol>
        </Part>
      )}
      {expected_result !== '' && (
        <Part title="Expected result">
          <Markdown text={expected_result} />
        </Part>
      )}
      {custom && <CaseFieldValues {...custom} part="long" />}
    </div>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.part}>
    <h2 className={styles.partTitle}>{title}</h2>
    {children}
  </section>
)

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
