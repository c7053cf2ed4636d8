import { type ReactNode, useCallback, useEffect, useRef } from 'react'

import { paths } from '../../paths.ts'
import { FolderPath } from '../../ui/folder-path.tsx'
import { formatWholeNumber } from '../../ui/format-count.ts'
import { lazySection } from '../../ui/lazy-section.tsx'
import { HistoryStrip } from '../../ui/status/history-strip.tsx'
import { StatusWord } from '../../ui/status/status-glyph.tsx'
import { Tags } from '../../ui/tags.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { CaseContent, type CaseStep } from '../runs/case-content.tsx'
import { buildFolderPath } from '../runs/folder-paths.ts'
import { StepMark } from '../runs/step-mark.tsx'
import { priorityNames } from '../test-cases/case-words.ts'
import styles from './execution-case.module.css'
import { ExecutionStep } from './execution-step.tsx'
import type { Execution } from './use-execution.ts'
import { useStepKeys } from './use-step-keys.ts'

const AutomatedTests = lazySection(async () => (await import('../tests/automated-tests.tsx')).AutomatedTests)

/** Tags that fit into one line with the rest. */
const MAX_TAGS = 6

interface ExecutionCaseProps {
  execution: Execution
  /** What has no column of its own in a narrow window. */
  footer?: ReactNode
}

/** The open test case: what to do, and what must happen. */
export function ExecutionCase({ execution, footer }: ExecutionCaseProps) {
  const { runId, data, current, position, shown, history, details, canExecute, notes, steps } = execution
  const pane = useRef<HTMLElement>(null)
  const setStep = useStable(steps.set)
  useStepKeys(pane, steps.canSet ? setStep : null)
  const results = new Map(steps.results.map((result) => [result.position, result]))
  if (current === null) {
    return <section ref={pane} className={styles.pane} aria-label="Test case" />
  }
  const parts = [
    ...buildFolderPath(current.folder_id, data.folders).map(({ id, name }) => ({
      name,
      to: data.projectId === undefined ? undefined : paths.cases(data.projectId, { folder: id }),
    })),
    ...(current.test_case_id === null ? [] : [{ name: current.test_case_id }]),
  ]
  const place =
    position === 0 ? 'Not in this list' : `${formatWholeNumber(position)} of ${formatWholeNumber(shown.length)}`
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section ref={pane} className={styles.pane} aria-label="Test case" tabIndex={0} key={current.id}>
      <header className={styles.head}>
        <FolderPath parts={parts} label="Folder" />
        <h1 className={styles.title}>{current.test_case_title}</h1>
        <div className={styles.facts}>
          <StatusWord status={current.status} />
          <StepMark row={current} isInText />
          {current.test_case_id !== null && history?.length !== 0 && (
            <HistoryStrip statuses={history?.map(({ status }) => status).toReversed()} places={history?.length ?? 1} />
          )}
          {current.priority !== null && <span>{priorityNames[current.priority]}</span>}
          <span className={styles.place}>{place}</span>
          <Tags tags={current.tags} limit={MAX_TAGS} />
        </div>
      </header>
      <VisuallyHidden>
        <span role="status">{`${current.test_case_id ?? ''} ${current.test_case_title}, ${place}`}</span>
      </VisuallyHidden>
      <CaseContent
        projectId={data.projectId}
        detail={details.detail}
        isNew={execution.isNewText}
        stepResults={steps.results}
        {...(canExecute ? { onToggleNew: execution.toggleNewText } : {})}
        {...(steps.canSet
          ? {
              renderStep: (step: CaseStep) => (
                <ExecutionStep
                  key={`${steps.draftId} ${step.position}`}
                  {...step}
                  status={results.get(step.position)?.status ?? null}
                  actual={results.get(step.position)?.actual ?? null}
                  resultId={steps.draftId}
                  notes={notes}
                  onChange={setStep}
                />
              ),
            }
          : {})}
      />
      {(data.run.data?.test_stats.total ?? 0) > 0 && <AutomatedTests runId={runId} resultId={current.id} />}
      {footer}
    </section>
  )
}

/** Returns a function that stays the same and calls the latest one, so that steps that do not change are not rendered again. */
function useStable<A>(callback: (argument: A) => void): (argument: A) => void {
  const latest = useRef(callback)
  useEffect(() => {
    latest.current = callback
  })
  return useCallback((argument) => latest.current(argument), [])
}
