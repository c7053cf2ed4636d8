import type { ResultRow, ResultStatus } from '@caseward/client/endpoints'
import ChevronDown from 'lucide-react/icons/chevron-down'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { type RefObject, useCallback, useMemo } from 'react'

import { formatSearch } from '../../search-params.ts'
import { searchSchemas } from '../../search-schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Count } from '../../ui/count.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListBox } from '../../ui/list-box/list-box.tsx'
import { Menu, MenuCheckbox } from '../../ui/menu.tsx'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { statuses, statusNames } from '../../ui/status/statuses.ts'
import { ResultFiltersPopover } from '../runs/lazy-result-filters.tsx'
import { SearchField } from '../runs/search-field.tsx'
import { CombinationStrip, StepMark } from '../runs/step-mark.tsx'
import { noResultFilter } from '../runs/search-results.ts'
import styles from './execution-list.module.css'
import type { Execution } from './use-execution.ts'

interface ExecutionListProps {
  execution: Execution
  search: RefObject<HTMLInputElement | null>
  /** Called when a test case is opened. */
  onOpen: () => void
}

const getId = ({ id }: ResultRow) => id

/** The test cases of the run that the filter shows. */
export function ExecutionList({ execution, search, onOpen }: ExecutionListProps) {
  const { data, shown, current, selection, view, changeView, tags, canExecute } = execution
  // The outbox changes with every key, and the rows hardly ever.
  const refusedKey = data.unsent.refused.map(({ resultId }) => resultId).join()
  const refused = useMemo(() => new Set(refusedKey.split(',')), [refusedKey])
  const renderRow = useCallback(
    (row: ResultRow) => (
      <span className={styles.row}>
        <StatusGlyph status={row.status} />
        {row.test_case_id !== null && <span className={styles.id}>{row.test_case_id}</span>}
        <span className={styles.title} title={row.test_case_title}>
          {row.test_case_title}
        </span>
        <StepMark row={row} />
        <CombinationStrip row={row} />
        {refused.has(row.id) && <CircleAlert className={styles.problem} aria-label="Not saved" role="img" />}
      </span>
    ),
    [refused],
  )
  const hasFilter = formatSearch(searchSchemas.execution, view) !== ''
  return (
    <>
      <div className={styles.filters}>
        <SearchField
          ref={search}
          label="Search test cases"
          className={styles.search}
          value={view.q}
          onChange={(q) => changeView({ q })}
        />
        <StatusMenu execution={execution} />
        <ResultFiltersPopover data={data} filter={view} tags={tags} onChange={changeView} />
      </div>
      {!data.isComplete && (
        <ProgressLine label="Loading test cases" value={data.total === 0 ? undefined : data.rows.length / data.total} />
      )}
      <ListBox
        label="Test cases"
        rows={shown}
        getId={getId}
        currentId={current?.id ?? null}
        selection={selection.ids}
        renderRow={renderRow}
        onOpen={(row) => {
          execution.open(row.id, true)
          onOpen()
        }}
        onSelect={(row, isRange) => {
          if (!canExecute) return
          if (isRange) selection.selectTo(row.id)
          else selection.toggle(row.id)
        }}
        empty={
          hasFilter ? (
            <EmptyState
              drawing="search"
              title="No test case matches"
              help="running-tests"
              actions={<Button onClick={() => changeView(noResultFilter)}>Clear the filter</Button>}
            />
          ) : (
            <EmptyState drawing="cases" title="This run has no test cases" help="running-tests" />
          )
        }
      />
    </>
  )
}

function StatusMenu({ execution: { data, view, changeView } }: { execution: Execution }) {
  const [only] = view.status
  const label =
    only === undefined ? 'All' : view.status.length === 1 ? statusNames[only] : `${view.status.length} statuses`
  const toggle = (status: ResultStatus, isOn: boolean) =>
    changeView({ status: isOn ? [...view.status, status] : view.status.filter((other) => other !== status) })
  return (
    <Menu
      trigger={
        <Button size="form" aria-label={`Status: ${label}`}>
          {label}
          <ChevronDown />
        </Button>
      }
    >
      {statuses.map((status) => (
        <MenuCheckbox
          key={status}
          checked={view.status.includes(status)}
          onChange={(isOn) => toggle(status, isOn)}
          detail={<Count value={data.counts[status]} />}
        >
          {statusNames[status]}
        </MenuCheckbox>
      ))}
    </Menu>
  )
}
