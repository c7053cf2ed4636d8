import ListPlus from 'lucide-react/icons/list-plus'

import { keys } from '../../keys.ts'
import { TEST_MATCHES, TEST_OUTCOMES, type TestMatch, type TestOutcomeFilter } from '../../search-schemas.ts'
import { ViewsButton } from '../views/views-button.tsx'
import { Button } from '../../ui/button.tsx'
import { formatCount } from '../../ui/format-count.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { useNarrow } from '../../use-narrow.ts'
import { attemptNames, describeTests } from './test-words.ts'
import styles from './tests.module.css'
import type { TestsArea } from './use-tests-area.ts'

const matchLabels: Readonly<Record<TestMatch, string>> = {
  all: 'All tests',
  unmatched: 'Unmatched',
  matched: 'Matched',
}
const outcomeLabels: Readonly<Record<TestOutcomeFilter, string>> = {
  ...attemptNames,
  all: 'All outcomes',
  flaky: 'Flaky',
}
const matchOptions = TEST_MATCHES.map((value) => ({ value, label: matchLabels[value] }))
const outcomeOptions = TEST_OUTCOMES.map((value) => ({ value, label: outcomeLabels[value] }))

/** Says what the list shows, and filters it. */
export function TestsToolBar({ area }: { area: TestsArea }) {
  const { list, view, run, onChange, search, filter } = area
  const isNarrow = useNarrow()
  const isCounted = list.total > 0 && list.error === null && !list.isOutdated
  return (
    <div className={styles.toolBar}>
      <p className={styles.line} role="status">
        {isCounted && describeTests(view, list.total)}
      </p>
      <search className={styles.filters}>
        <SearchField
          ref={search}
          label="Search tests"
          className={styles.search}
          value={view.q}
          onChange={(q) => onChange({ q })}
        />
        <Select
          ref={filter}
          label="Test case"
          isLabelHidden
          className={styles.filter}
          value={view.match}
          options={matchOptions}
          onChange={(match) => onChange({ match })}
        />
        {run !== null && (
          <Select
            label="Outcome"
            isLabelHidden
            className={styles.filter}
            value={view.outcome}
            options={outcomeOptions}
            onChange={(outcome) => onChange({ outcome })}
          />
        )}
        {run === null && <ViewsButton projectId={area.projectId} page="tests" />}
      </search>
      {area.canCreateAll && (
        <Button
          icon={<ListPlus />}
          shortcut={isNarrow || area.selected.length > 0 ? undefined : keys.create.bindings[0]}
          onClick={area.createAll}
        >
          {describeCreateAll(area.run?.test_stats.unmatched ?? 0)}
        </Button>
      )}
      {area.run?.result_count === 0 && area.run.test_stats.unmatched > 0 && (
        <p className={styles.explanation}>{explainUnmatched(area)}</p>
      )}
    </div>
  )
}

const describeCreateAll = (count: number) =>
  count === 1 ? 'Make a test case of this test' : `Make test cases of these ${formatCount(count)}`

/** What it means that a run has only tests without a test case, and what making some does. */
function explainUnmatched({ canCreateAll, canJoinRun, run }: TestsArea): string {
  const meaning = 'No test case stands for these tests yet, so that they are not among the results of the run.'
  if (!canCreateAll) return `${meaning} Who edits test cases can make some of them.`
  const effect = `${meaning} A test case is made of each, with its title and folder, and the next uploads report to it.`
  if (canJoinRun) return `${effect} They join this run with their results.`
  return run?.status === 'completed' ? `${effect} This run is completed: reopen it first to have them in it.` : effect
}
