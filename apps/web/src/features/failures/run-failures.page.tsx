import type { Run } from '@caseward/client/endpoints'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { useCursorPages } from '../../use-cursor-pages.ts'
import { type NewIssues, useNewIssue } from '../issues/use-new-issue.tsx'
import { RunHeader } from '../runs/run-header.tsx'
import { RunSummary } from '../runs/run-summary.tsx'
import { RunTabs } from '../runs/run-tabs.tsx'
import type { RunData } from '../runs/use-run-data.ts'
import { RunPart } from '../tests/run-part.tsx'
import { EvaluationSummary } from './evaluation-summary.tsx'
import { FailureGroupItem, FoldedPart } from './failure-group-item.tsx'
import { type Evaluation, evaluationQuery, type FailureGroup, failureGroupsQuery } from './failure-queries.ts'
import { VerdictList } from './verdict-list.tsx'
import { type Quarantining, useQuarantining } from './use-quarantining.tsx'
import { verdictWords } from './verdict-words.ts'

/** `/runs/:runId/failures`: what failed in a run by its cause, and whether it blocks. */
export const RunFailuresPage = () => (
  <RunPart name="Failures">{(data, run) => <LoadedRun data={data} run={run} />}</RunPart>
)

function LoadedRun({ data, run }: { data: RunData; run: Run }) {
  const query = useQuery(evaluationQuery(run.id))
  const { newIssues, dialog } = useNewIssue(run.project_id, run)
  const { quarantining, dialogs } = useQuarantining(run.project_id, data.may('quarantine:manage'))
  return (
    <>
      <RunHeader data={data} run={run} isAtBottom={false} />
      <RunSummary data={data} run={run} />
      <RunTabs run={run} current="failures" />
      <div style={{ display: 'grid', gap: 20, maxWidth: 960, padding: '20px var(--page-margin) 48px' }}>
        <LoadedPart query={query} noun="failures">
          {(evaluation) => (
            <>
              <EvaluationSummary run={run} evaluation={evaluation} />
              <Groups runId={run.id} evaluation={evaluation} quarantining={quarantining} newIssues={newIssues} />
              <Others runId={run.id} evaluation={evaluation} quarantining={quarantining} newIssues={newIssues} />
            </>
          )}
        </LoadedPart>
      </div>
      {dialogs}
      {dialog}
    </>
  )
}

/** So many causes are open at first, if they have more than flaky and quarantined tests. */
const OPEN_FIRST = 3

const hasFailures = ({ verdicts }: FailureGroup): boolean =>
  Object.keys(verdicts).some((verdict) => verdict !== 'flaked' && verdict !== 'quarantined')

interface PartProps {
  runId: string
  evaluation: Evaluation
  quarantining: Quarantining | null
  newIssues: NewIssues
}

function Groups({ runId, evaluation, quarantining, newIssues }: PartProps) {
  const list = useCursorPages(useInfiniteQuery(failureGroupsQuery(runId)))
  if (evaluation.tests.failed === 0 && list.rows.length === 0) {
    return evaluation.blocking_count > 0 ? null : <EmptyState drawing="runs" title="Nothing failed" help="failures" />
  }
  return (
    <section aria-label="Causes">
      <PagedList list={list} noun="the failures">
        <div style={{ display: 'grid', gap: 12 }}>
          {list.rows.map((group, index) => (
            <FailureGroupItem
              key={group.signature}
              runId={runId}
              group={group}
              isOpenFirst={index === 0 || (index < OPEN_FIRST && hasFailures(group))}
              quarantining={quarantining}
              newIssues={newIssues}
            />
          ))}
          {list.hasMore && (
            <div>
              <Button isBusy={list.isLoadingMore} onClick={list.loadMore}>
                More causes
              </Button>
            </div>
          )}
        </div>
      </PagedList>
    </section>
  )
}

/** What did not fail, and is still worth a look. */
function Others({ runId, evaluation: { counts }, quarantining, newIssues }: PartProps) {
  const others = (['not_run', 'flaked', 'fixed', 'missing'] as const).filter((verdict) => counts[verdict] > 0)
  if (others.length === 0) return null
  return (
    <section aria-label="Besides" style={{ display: 'grid', gap: 12 }}>
      {others.map((verdict) => (
        <FoldedPart
          key={verdict}
          title={`${verdictWords[verdict].name}: ${formatNumberOf(counts[verdict], 'test')}`}
          detail={verdictWords[verdict].meaning}
          isOpenFirst={false}
        >
          <VerdictList
            runId={runId}
            filter={{ verdict }}
            showsVerdicts={false}
            quarantining={quarantining}
            newIssues={newIssues}
          />
        </FoldedPart>
      ))}
    </section>
  )
}
