import type { RecentResult, ResultRow } from '@caseward/client/endpoints'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import X from 'lucide-react/icons/x'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { formatDuration } from '../../times.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { lazySection } from '../../ui/lazy-section.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { StatusGlyph, StatusWord } from '../../ui/status/status-glyph.tsx'
import { Time } from '../../ui/time.tsx'
import { useKeys } from '../../use-keys.ts'
import { useNarrow } from '../../use-narrow.ts'
import { CaseContent } from './case-content.tsx'
import { LongText } from './long-text.tsx'
import styles from './run-result-panel.module.css'
import { StepMark } from './step-mark.tsx'
import type { RunData } from './use-run-data.ts'
import type { RunSelection } from './use-run-selection.ts'
import type { RunView } from './use-run-view.ts'

const CombinationList = lazySection(
  async () => (await import('../configurations/combination-list.tsx')).CombinationList,
)
const ResultFiles = lazySection(async () => (await import('../files/result-files.tsx')).ResultFiles)
const ResultLinks = lazySection(async () => (await import('../links/result-links.tsx')).ResultLinks)
const ResultComments = lazySection(async () => (await import('../comments/comment-places.tsx')).ResultComments)
const EarlierValues = lazySection(async () => (await import('./earlier-values.tsx')).EarlierValues)
const AutomatedTests = lazySection(async () => (await import('../tests/automated-tests.tsx')).AutomatedTests)

interface RunResultPanelProps {
  data: RunData
  view: RunView
  row: ResultRow
  selection: RunSelection
}

/** One result beside the list: its note, and its test case. */
export function RunResultPanel({ data, view, row, selection }: RunResultPanelProps) {
  const runId = data.run.data?.id ?? ''
  const detail = useQuery(queries.result(runId, row.id))
  const isNarrow = useNarrow()
  // In a narrow window, the panel is the page.
  const Title = isNarrow ? 'h1' : 'h2'
  const { combination } = view.search
  const close = () => view.change({ result: null, combination: null }, 'push')
  useKeys({ close })
  const note = detail.data?.note ?? row.note_line
  const history = (view.histories.get(row.test_case_id ?? '') ?? []).filter(({ status }) => status !== 'not_tested')
  return (
    <article className={styles.panel} aria-label={row.test_case_title} data-takes-files>
      <header className={styles.head}>
        {isNarrow && <IconButton label="Back to the results" icon={<ArrowLeft />} onClick={close} />}
        <span className={styles.id}>{row.test_case_id ?? 'Deleted test case'}</span>
        <ButtonLink to={paths.execution(runId, { result: row.id, combination })}>Open in execution</ButtonLink>
        {!isNarrow && <IconButton label="Close" shortcut="Escape" icon={<X />} onClick={close} />}
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <div className={styles.body} role="region" aria-label="Note and test case" tabIndex={0} key={row.id}>
        <Title className={styles.title}>{row.test_case_title}</Title>
        <p className={styles.facts}>
          <StatusWord status={row.status} />
          <StepMark row={row} isInText />
          {row.tested_at !== null && (
            <span>
              {data.getPerson(row.tested_by)}, <Time at={row.tested_at} isInText />
              {row.elapsed !== null && `, ${formatDuration(row.elapsed)}`}
            </span>
          )}
          {(row.assigned_to !== null || selection.canAssign) && (
            <span className={styles.assignee}>
              {row.assigned_to === null ? 'Not assigned' : `Assigned to ${data.getPerson(row.assigned_to)}`}
              {selection.canAssign && (
                <Button variant="quiet" onClick={() => selection.assign([row.id])}>
                  {row.assigned_to === null ? 'Assign' : 'Change'}
                </Button>
              )}
            </span>
          )}
        </p>
        {note !== null && note !== '' && (
          <section className={styles.note} aria-label="Note">
            <LongText text={note} render={(text) => <Markdown text={text} />} />
          </section>
        )}
        {row.combination_statuses !== undefined && (
          <CombinationList key={`combinations ${row.id}`} runId={runId} resultId={row.id} place={Number(combination)} />
        )}
        {data.projectId !== undefined && (
          <ResultFiles key={`files ${row.id}`} projectId={data.projectId} runId={runId} row={row} hasKeys />
        )}
        {detail.data !== undefined && (
          <ResultLinks projectId={data.projectId} runId={runId} resultId={row.id} links={detail.data.links} />
        )}
        {detail.data !== undefined && detail.data.change_count > 0 && (
          <EarlierValues runId={runId} resultId={row.id} count={detail.data.change_count} getPerson={data.getPerson} />
        )}
        {data.projectId !== undefined && (
          <ResultComments key={`comments ${row.id}`} projectId={data.projectId} runId={runId} resultId={row.id} />
        )}
        {(data.run.data?.test_stats.total ?? 0) > 0 && <AutomatedTests runId={runId} resultId={row.id} />}
        {history.length > 0 && <History results={history} />}
        <CaseContent projectId={data.projectId} detail={detail} />
      </div>
    </article>
  )
}

const History = ({ results }: { results: readonly RecentResult[] }) => (
  <section className={styles.history}>
    <h2 className={styles.partTitle}>Before</h2>
    <ul>
      {results.map(({ run_id, run_name, status, tested_at }) => (
        <li key={run_id} className={styles.entry}>
          <StatusGlyph status={status} />
          <Link className={styles.run} to={paths.run(run_id)}>
            {run_name}
          </Link>
          {tested_at !== null && (
            <span className={styles.time}>
              <Time at={tested_at} />
            </span>
          )}
        </li>
      ))}
    </ul>
  </section>
)
