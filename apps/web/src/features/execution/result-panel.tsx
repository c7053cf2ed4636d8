import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { Time } from '../../ui/time.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { formatDuration } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { lazySection } from '../../ui/lazy-section.tsx'
import { useProject } from '../../use-project.ts'
import { EarlyCommentKey } from '../comments/early-comment-key.ts'
import { NoteField } from './note-field.tsx'
import { ResultButtons } from './result-buttons.tsx'
import { ResultConflict } from './result-conflict.tsx'
import styles from './result-panel.module.css'
import { SaveLine } from './save-line.tsx'
import { TimerLine } from './timer-line.tsx'
import type { Execution } from './use-execution.ts'

const CombinationGrid = lazySection(
  async () => (await import('../configurations/combination-grid.tsx')).CombinationGrid,
)
const ResultFields = lazySection(async () => (await import('../fields/result-fields.tsx')).ResultFields)
const ResultFiles = lazySection(async () => (await import('../files/result-files.tsx')).ResultFiles)
const ResultLinks = lazySection(async () => (await import('../links/result-links.tsx')).ResultLinks)
const ResultComments = lazySection(
  async () => (await import('../comments/comment-places.tsx')).ResultComments,
  ({ resultId }) => <EarlyCommentKey resultId={resultId} />,
)
const EarlierValues = lazySection(async () => (await import('../runs/earlier-values.tsx')).EarlierValues)

/** What the user sets for the open test case, or for the selected ones. */
export function ResultPanel({ execution }: { execution: Execution }) {
  const { canExecute, current, selection, timer } = execution
  const count = selection.selected.length
  if (current === null) return null
  return (
    <div className={styles.panel}>
      {count > 0 && (
        <div className={styles.selected}>
          <strong role="status">{formatNumberOf(count, 'test case')} selected</strong>
          <Button variant="quiet" shortcut="Escape" onClick={selection.clear}>
            Clear
          </Button>
        </div>
      )}
      {count === 0 && <Combinations execution={execution} />}
      {canExecute && <ResultButtons execution={execution} />}
      {count === 0 && <ResultConflict execution={execution} />}
      <NoteField execution={execution} />
      {canExecute && (
        <div className={styles.line}>
          {timer !== null && count === 0 && <TimerLine timer={timer} resultId={current.id} />}
          <SaveLine execution={execution} />
        </div>
      )}
      {count === 0 && <Fields execution={execution} />}
      {count === 0 && <Files execution={execution} />}
      {count === 0 && <Links execution={execution} />}
      {count === 0 && <ResultFacts execution={execution} />}
      {count === 0 && <EarlierResults execution={execution} />}
      {count === 0 && <Comments execution={execution} />}
    </div>
  )
}

/** What the open test case is tested with, one of which the keys and buttons set. */
export const Combinations = ({ execution }: { execution: Execution }) =>
  execution.current?.combination_statuses === undefined ? null : (
    <CombinationGrid key={execution.current.id} execution={execution} row={execution.current} />
  )

/** The custom fields of the open result, in projects that have fields. */
export function Fields({ execution: { runId, data, canExecute, details } }: { execution: Execution }) {
  const { project } = useProject(data.projectId)
  const { data: result } = details.detail
  if (result === undefined || project === undefined || project.fields_version === 0) return null
  return <ResultFields key={result.id} projectId={project.id} runId={runId} result={result} mayEdit={canExecute} />
}

/** The files of the open result, or of the combination that is chosen. */
export function Files({ execution: { runId, data, current, steps } }: { execution: Execution }) {
  if (current === null || data.projectId === undefined) return null
  const combination = steps.combination ?? undefined
  return (
    <ResultFiles
      key={`${current.id} ${combination?.place ?? ''}`}
      projectId={data.projectId}
      runId={runId}
      row={current}
      combination={combination}
      hasKeys
    />
  )
}

/** What people say about the open result. */
export function Comments({ execution: { runId, data, current } }: { execution: Execution }) {
  if (current === null || data.projectId === undefined) return null
  return <ResultComments key={current.id} projectId={data.projectId} runId={runId} resultId={current.id} hasKeys />
}

/** The defects of the open result, and other links. */
export function Links({ execution: { runId, data: run, details } }: { execution: Execution }) {
  const { data } = details.detail
  if (data === undefined) return null
  const { id, links } = data
  return <ResultLinks key={id} projectId={run.projectId} runId={runId} resultId={id} links={links} />
}

/** Who has set the result, and what it was in the run before. */
export function ResultFacts({ execution: { current, history, data } }: { execution: Execution }) {
  const before = history?.find(({ status }) => status !== 'not_tested')
  if (current === null) return null
  return (
    <dl className={styles.facts}>
      {current.tested_at !== null && (
        <div className={styles.fact}>
          <dt>Set</dt>
          <dd>
            {data.getPerson(current.tested_by)}, <Time at={current.tested_at} isInText />
            {current.elapsed !== null && `, ${formatDuration(current.elapsed)}`}
          </dd>
        </div>
      )}
      {before !== undefined && (
        <div className={styles.fact}>
          <dt>Before</dt>
          <dd className={styles.before}>
            <StatusGlyph status={before.status} />
            <span className={styles.runName} title={before.run_name}>
              {before.run_name}
            </span>
          </dd>
        </div>
      )}
    </dl>
  )
}

/** What the result was before, and who had set it. */
export function EarlierResults({ execution: { data, runId, current, details } }: { execution: Execution }) {
  const count = details.detail.data?.change_count ?? 0
  if (current === null || count === 0) return null
  // Another result begins folded.
  return <EarlierValues key={current.id} runId={runId} resultId={current.id} count={count} getPerson={data.getPerson} />
}
