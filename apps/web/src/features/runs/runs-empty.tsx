import { keys } from '../../keys.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { RunsList, RunsView } from './use-runs-list.ts'

interface RunsEmptyProps {
  projectId: string
  list: RunsList
  view: RunsView
  onChange: (changes: Partial<RunsView>) => void
  mayCreate: boolean
}

/** Takes the place of the list: no run yet, none in progress, or none that matches. */
export function RunsEmpty({ projectId, list, view, onChange, mayCreate }: RunsEmptyProps) {
  const start = mayCreate && (
    <ButtonLink variant="primary" shortcut={keys.create.bindings[0]} to={paths.newRun(projectId)}>
      Start a run
    </ButtonLink>
  )
  if (list.hasNoRuns) {
    return (
      <EmptyState drawing="runs" title="No runs yet" help="running-tests" actions={start || undefined}>
        A run is a list of test cases with one result for each. Results come from testers and from CI.
      </EmptyState>
    )
  }
  if (list.total > 0 && view.page > 1) {
    return (
      <EmptyState
        drawing="runs"
        title="This page has no runs"
        help="running-tests"
        actions={<Button onClick={() => onChange({ page: 1 })}>First page</Button>}
      />
    )
  }
  if (view.q.trim() === '' && view.milestone === null && view.status === 'in_progress') {
    return (
      <EmptyState
        drawing="runs"
        title="No run is in progress"
        help="running-tests"
        actions={
          <>
            {start}
            <Button onClick={() => onChange({ status: 'all', page: 1 })}>Show all runs</Button>
          </>
        }
      />
    )
  }
  return (
    <EmptyState
      drawing="search"
      title="No run matches"
      help="running-tests"
      actions={
        <Button onClick={() => onChange({ status: 'all', milestone: null, q: '', page: 1 })}>Clear the filter</Button>
      }
    >
      {describeFilter(list, view)}
    </EmptyState>
  )
}

function describeFilter(list: RunsList, { status, milestone, q }: RunsView): string {
  const name = list.milestones.find(({ id }) => id === milestone)?.name
  const parts = [
    status === 'completed' ? 'completed runs' : status === 'in_progress' ? 'runs in progress' : 'all runs',
    ...(milestone === null ? [] : [`of the milestone ${name ?? 'that you chose'}`]),
    ...(q.trim() === '' ? [] : [`with “${q.trim()}” in their name`]),
  ]
  return `You see ${parts.join(' ')}.`
}
