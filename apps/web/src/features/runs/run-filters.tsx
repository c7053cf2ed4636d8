import type { ResultStatus } from '@caseward/client/endpoints'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useRef } from 'react'

import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Count } from '../../ui/count.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatCount } from '../../ui/format-count.ts'
import { Menu, MenuRadioGroup } from '../../ui/menu.tsx'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { statusNames } from '../../ui/status/statuses.ts'
import { TabLinks } from '../../ui/tab-links.tsx'
import { useKeys } from '../../use-keys.ts'
import { useNarrow } from '../../use-narrow.ts'
import { ViewsButton } from '../views/views-button.tsx'
import { ResultFiltersPopover } from './lazy-result-filters.tsx'
import { ResultFilters, type ResultFiltersProps } from './result-filters.tsx'
import styles from './run-filters.module.css'
import { SearchField } from './search-field.tsx'
import type { RunData } from './use-run-data.ts'
import type { RunView } from './use-run-view.ts'

/** The tabs in their order: what needs attention first. */
type RunTab = 'all' | 'new' | ResultStatus
const tabOrder = [
  'all',
  'failed',
  'new',
  'blocked',
  'retest',
  'not_tested',
  'passed',
] as const satisfies readonly RunTab[]

const tabNames: Readonly<Record<RunTab, string>> = { ...statusNames, all: 'All', new: 'New failures' }

/** Chooses which results the table shows. */
export function RunFilters({ data, view }: { data: RunData; view: RunView }) {
  const { search, change, counts } = view
  const field = useRef<HTMLInputElement>(null)
  const isNarrow = useNarrow()
  useKeys({ search: () => field.current?.focus() })
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const getCount = (tab: RunTab) => (tab === 'all' ? total : tab === 'new' ? view.newFailureCount : counts[tab])
  const shownTabs = tabOrder.filter((tab) => tab !== 'new' || view.areFailuresFew)
  const current = getTab(search.status, search.new)
  const toSearch = (tab: RunTab) => ({ new: tab === 'new', status: tab === 'all' || tab === 'new' ? [] : [tab] })
  const changeFilter: ResultFiltersProps['onChange'] = (changes) => change(changes, 'replace')
  const layout =
    data.run.data?.configurations === undefined ? null : (
      <Segmented
        label="Layout"
        value={search.matrix ? 'matrix' : 'list'}
        options={[
          { value: 'list', label: 'List' },
          { value: 'matrix', label: 'Matrix' },
        ]}
        onChange={(next) => change({ matrix: next === 'matrix' }, 'replace')}
      />
    )
  return (
    <div className={styles.filters}>
      {isNarrow ? (
        <Menu
          trigger={
            <Button size="form">
              {current === null ? `${search.status.length} statuses` : tabNames[current]}
              {current !== null && <span className={styles.detail}>{formatTabCount(getCount(current))}</span>}
              <ChevronDown />
            </Button>
          }
        >
          <MenuRadioGroup
            value={current ?? 'all'}
            options={shownTabs.map((tab) => ({
              value: tab,
              label: tabNames[tab],
              detail: formatTabCount(getCount(tab)),
            }))}
            onChange={(tab) => change(toSearch(tab), 'replace')}
          />
        </Menu>
      ) : (
        <TabLinks
          label="Results by status"
          isReplacing
          tabs={shownTabs.map((tab) => {
            const count = getCount(tab)
            return {
              to: paths.run(data.run.data?.id ?? '', { ...search, ...toSearch(tab) }),
              label: tabNames[tab],
              detail: count === null ? '…' : <Count value={count} />,
              isCurrent: tab === current,
            }
          })}
        />
      )}
      <div className={styles.fields}>
        <SearchField
          ref={field}
          label="Search results"
          className={styles.search}
          value={search.q}
          onChange={(q) => change({ q }, 'replace')}
        />
        {isNarrow ? (
          <ResultFiltersPopover {...{ data, tags: view.tags, filter: search }} onChange={changeFilter} />
        ) : (
          <ResultFilters {...{ data, tags: view.tags, filter: search }} onChange={changeFilter} />
        )}
        {!isNarrow && layout}
        {data.projectId !== undefined && <ViewsButton projectId={data.projectId} page="run" size="form" />}
      </div>
      {isNarrow && layout !== null && <div style={{ flexBasis: '100%' }}>{layout}</div>}
      {view.combinations.error !== null && !search.matrix && (
        <ErrorMessage title="The combinations could not be loaded." onRetry={view.combinations.refetch} />
      )}
      {data.isComplete && !view.combinations.isComplete && <ProgressLine label="Loading combinations" />}
      {!data.isComplete && (
        <ProgressLine label="Loading results" value={data.total === 0 ? undefined : data.rows.length / data.total} />
      )}
    </div>
  )
}

/** @returns null if the URL has several statuses */
function getTab(status: readonly ResultStatus[], isNew: boolean): RunTab | null {
  if (isNew) return 'new'
  const [first, second] = status
  if (first === undefined) return 'all'
  return second === undefined ? first : null
}

const formatTabCount = (count: number | null) => (count === null ? '…' : formatCount(count))
