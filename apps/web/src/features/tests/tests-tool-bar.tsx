import ListPlus from 'lucide-react/icons/list-plus'

import { keys } from '../../keys.ts'
import { TEST_MATCHES, TEST_OUTCOMES, type TestMatch, type TestOutcomeFilter } from '../../search-schemas.ts'
import { Button } from '../../ui/button.tsx'
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
      </search>
      {area.canCreateAll && (
        <Button
          icon={<ListPlus />}
          shortcut={isNarrow || area.selected.length > 0 ? undefined : keys.create.bindings[0]}
          onClick={area.createAll}
        >
          Create test cases
        </Button>
      )}
    </div>
  )
}
