import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from 'react-router'

import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Time } from '../../ui/time.tsx'
import { useCursorPages } from '../../use-cursor-pages.ts'
import { useKeys } from '../../use-keys.ts'
import { useSettled } from '../../use-settled.ts'
import { CausesByDay } from './causes-by-day.tsx'
import { getGroupPath } from './insight-paths.ts'
import { FailureGroupPage } from './failure-group.tsx'
import { formatTest } from '../tests/split-path.ts'
import { GroupIssues, nameGroup } from './group-parts.tsx'
import { causesQuery, type FailureGroup, groupsQuery } from './insight-queries.ts'
import type { InsightTabProps, InsightView } from './use-insight-view.ts'

/** The causes of failures: by day, and as a list; or one of them. */
export const FailuresTab = ({ view, signature }: InsightTabProps) =>
  signature === undefined ? <Causes view={view} /> : <FailureGroupPage view={view} signature={signature} />

function Causes({ view }: { view: InsightView }) {
  const causes = useQuery({ ...causesQuery(view.projectId, view.filter), placeholderData: keepPreviousData })
  return (
    <LoadedPart query={causes} noun="causes">
      {(groups) =>
        groups.length === 0 ? (
          <EmptyState
            drawing="runs"
            title={view.filter.branch === undefined ? 'Nothing failed' : `Nothing failed on ${view.filter.branch}`}
            help={null}
          >
            {`No test failed in the last ${view.filter.days} days in the runs that are chosen.`}
          </EmptyState>
        ) : (
          <>
            <CausesByDay view={view} groups={groups} dayCount={view.filter.days} />
            <GroupList view={view} />
          </>
        )
      }
    </LoadedPart>
  )
}

const SORTS = [
  { value: 'newest', label: 'Newest' },
  { value: 'tests', label: 'Most tests' },
] as const

/** All causes, page by page. */
function GroupList({ view: { projectId, search, change, filter } }: { view: InsightView }) {
  const { q, sort, branch, series, days } = search
  const settled = useSettled(q.trim())
  const asked = { ...filter, sort, ...(settled === '' ? {} : { search: settled }) }
  const list = useCursorPages(useInfiniteQuery({ ...groupsQuery(projectId, asked), placeholderData: keepPreviousData }))
  const field = useRef<HTMLInputElement>(null)
  useKeys({ search: () => field.current?.focus() })
  return (
    <section aria-label="Causes" style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 12 }}>
      <div className={styles.bar}>
        <SearchField ref={field} label="Search causes" value={q} onChange={(text) => change({ q: text }, 'replace')} />
        <Segmented
          label="Order"
          value={sort}
          options={SORTS}
          onChange={(value) => change({ sort: value }, 'replace')}
        />
      </div>
      <PagedList list={list} noun="the causes">
        {list.rows.length === 0 ? (
          <EmptyState
            drawing="search"
            title="No cause matches the search"
            help={null}
            actions={<Button onClick={() => change({ q: '' }, 'replace')}>Clear the search</Button>}
          />
        ) : (
          <ul className={styles.list} style={{ margin: 0, padding: 0, listStyle: 'none' }}>
            {list.rows.map((group) => (
              <li key={group.signature} className={styles.item}>
                <div className={styles.text}>
                  <Link
                    className={styles.name}
                    to={getGroupPath(projectId, group.signature, { branch, series, days })}
                    style={{ overflowWrap: 'anywhere' }}
                  >
                    {nameGroup(group)}
                  </Link>
                  {/* A message that says too little is the cause of one test alone. */}
                  {group.tests.length === 1 && (
                    <span style={{ display: 'block', font: 'var(--text-13)', overflowWrap: 'anywhere' }}>
                      {group.tests.map(formatTest)}
                    </span>
                  )}
                  <GroupFacts group={group} />
                </div>
              </li>
            ))}
          </ul>
        )}
        {list.hasMore && (
          <div style={{ marginBlockStart: 12 }}>
            <Button isBusy={list.isLoadingMore} onClick={list.loadMore}>
              More causes
            </Button>
          </div>
        )}
      </PagedList>
    </section>
  )
}

const GroupFacts = ({ group }: { group: FailureGroup }) => (
  <p className={styles.muted} style={{ maxWidth: 'none' }}>
    {`${formatNumberOf(group.test_count, 'test')} · ${formatNumberOf(group.run_count, 'run')} · first `}
    <Time at={group.first_seen} isInText />
    {' · last '}
    <Time at={group.last_seen} isInText />
    <GroupIssues issues={group.issues} />
  </p>
)
