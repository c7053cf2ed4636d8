import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatErrors } from '../runs/run-counts.ts'
import { hasTestFilter } from './test-words.ts'
import type { TestsArea } from './use-tests-area.ts'

/** Takes the place of the list: no test yet, none that matches the filter, or none that needs a test case. */
export function TestsEmpty({ area: { view, run, onChange } }: { area: TestsArea }) {
  const errors = run?.test_stats.errors ?? 0
  if (!hasTestFilter(view) && run !== null && errors > 0) {
    return (
      <EmptyState
        drawing="runs"
        title="No test was reported"
        help="ci"
        actions={
          <ButtonLink to={paths.runTests(run.id, { errors: true })}>{`Show ${formatErrors(errors)}`}</ButtonLink>
        }
      >
        {`CI reported ${formatErrors(errors)} outside of tests, such as a file that did not load.`}
      </EmptyState>
    )
  }
  if (!hasTestFilter(view)) {
    return (
      <EmptyState
        drawing="runs"
        title={run === null ? 'No automated tests yet' : 'This run has no automated tests'}
        help="ci"
      >
        {`${run === null ? 'Tests appear here when CI uploads them' : 'They appear here when CI uploads them to this run'}, with all attempts of each. A reporter or the command line sends them.`}
      </EmptyState>
    )
  }
  const isDone = view.match === 'unmatched' && view.q.trim() === '' && view.outcome === 'all'
  return (
    <EmptyState
      drawing={isDone ? 'cases' : 'search'}
      title={isDone ? 'Every test matches a test case' : 'No test matches the filter'}
      help="ci"
      actions={
        <Button onClick={() => onChange({ match: 'all', outcome: 'all', q: '' })}>
          {isDone ? 'Show all tests' : 'Clear the filter'}
        </Button>
      }
    />
  )
}
