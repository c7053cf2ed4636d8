import type { DriftItem, DriftKind } from '@caseward/client/endpoints'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Link } from 'react-router'

import { api } from '../../api.ts'
import { formatFullDay } from '../../charts/days.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumberOf, formatWholeNumber } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { PagedList } from '../../ui/paged-list.tsx'
import { Select } from '../../ui/select.tsx'
import { useCursorPages } from '../../use-cursor-pages.ts'
import { formatTest } from '../tests/split-path.ts'
import { continueTest } from './insight-endpoints.ts'
import { getTabPath } from './insight-paths.ts'
import { driftQuery, driftTotalsQuery } from './insight-queries.ts'
import type { InsightTabProps, InsightView } from './use-insight-view.ts'

const kinds: Readonly<Record<DriftKind, { readonly name: string; readonly meaning: string }>> = {
  moved: {
    name: 'Moved',
    meaning:
      'A test that is gone, and one that appeared then with the same title or a similar one. Continued, it keeps link, evidence, quarantine and history.',
  },
  gone: { name: 'Gone', meaning: 'Linked tests that no run of their suite has had for more than 7 days.' },
  unmatched: {
    name: 'Without a test case',
    meaning: 'Tests that have run for more than 7 days, and belong to no test case.',
  },
  twice: { name: 'Claimed twice', meaning: 'Test cases whose id is in tests of different files or suites.' },
  title: { name: 'Another title', meaning: 'Tests with the id of a test case whose title says something else.' },
  by_hand: { name: 'Often by hand', meaning: 'Test cases without a test that are executed often: worth automating.' },
}
const allKinds = Object.keys(kinds) as DriftKind[]

/** What does not fit together any more: tests and test cases that drift apart. */
export function DriftTab({ view }: InsightTabProps) {
  const { projectId, search, change } = view
  const totals = useQuery(driftTotalsQuery(projectId, allKinds)).data
  const { drift } = search
  const query = useInfiniteQuery(driftQuery(projectId, drift))
  const list = useCursorPages(query)
  return (
    <section aria-label={kinds[drift].name} style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 12 }}>
      <div className={styles.bar}>
        <Select
          label="Kind"
          isLabelHidden
          value={drift}
          options={allKinds.map((value) => ({ value, label: nameKind(value, totals?.get(value)) }))}
          onChange={(value) => change({ drift: value }, 'replace')}
        />
      </div>
      <p className={styles.muted}>{kinds[drift].meaning}</p>
      <PagedList list={list} noun="the list">
        {list.rows.length === 0 ? (
          <NothingDrifts
            tooEarlySince={query.data?.pages[0]?.meta.too_early_since ?? null}
            others={allKinds.flatMap((kind) => {
              const total = totals?.get(kind) ?? 0
              return total === 0
                ? []
                : [{ to: getTabPath(projectId, 'drift', { drift: kind }), name: nameKind(kind, total) }]
            })}
          />
        ) : (
          <ul className={styles.list} style={{ margin: 0, padding: 0, listStyle: 'none' }}>
            {list.rows.map((item) => (
              <Item key={`${item.tests[0]?.id ?? ''} ${item.test_case?.id ?? ''}`} view={view} item={item} />
            ))}
          </ul>
        )}
        {list.hasMore && (
          <div style={{ marginBlockStart: 12 }}>
            <Button isBusy={list.isLoadingMore} onClick={list.loadMore}>
              More
            </Button>
          </div>
        )}
      </PagedList>
    </section>
  )
}

const nameKind = (kind: DriftKind, total: number | undefined): string =>
  total === undefined ? kinds[kind].name : `${kinds[kind].name} (${formatWholeNumber(total)})`

interface NothingDriftsProps {
  tooEarlySince: string | null
  /** The kinds that have something. */
  others: readonly { readonly to: string; readonly name: string }[]
}

/** Too few runs say nothing about what is missing in them. */
const NothingDrifts = ({ tooEarlySince, others }: NothingDriftsProps) => (
  <EmptyState drawing="cases" title={tooEarlySince === null ? 'Nothing of this kind' : 'Too early to tell'} help={null}>
    {tooEarlySince !== null && `It takes 10 runs of a suite. The first run was on ${formatFullDay(tooEarlySince)}. `}
    {others.length > 0 && 'Other kinds have some: '}
    {others.map(({ to, name }, index) => (
      <Fragment key={to}>
        {index > 0 && ', '}
        <Link to={to} replace>
          {name}
        </Link>
      </Fragment>
    ))}
  </EmptyState>
)

function Item({ view: { projectId, search, may }, item }: { view: InsightView; item: DriftItem }) {
  const { tests, test_case: testCase } = item
  const [gone, moved] = tests
  const continuing = useContinue(projectId, search.drift)
  const mayContinue = search.drift === 'moved' && moved !== undefined && may('quarantine:manage')
  return (
    <li className={styles.item}>
      <div className={styles.text}>
        {tests.map((test, index) => (
          <span key={test.id} style={lineStyle}>
            {search.drift === 'moved' && <span className={styles.muted}>{index === 0 ? 'Gone: ' : 'New: '}</span>}
            <Link className={styles.name} to={paths.tests(projectId, { test: test.id })}>
              {formatTest(test)}
            </Link>
          </span>
        ))}
        {testCase !== null && (
          <span style={lineStyle}>
            {search.drift === 'moved' && <span className={styles.muted}>Test case: </span>}
            <Link className={tests.length === 0 ? styles.name : undefined} to={paths.case(projectId, testCase.id)}>
              {`${testCase.id} ${testCase.title}`}
            </Link>
          </span>
        )}
        <p className={styles.muted}>{describeItem(item)}</p>
        {continuing.error !== null && (
          <p role="alert" className={styles.failed}>
            {describeFailure(continuing.error).message}
          </p>
        )}
      </div>
      {mayContinue && gone !== undefined && (
        <Button
          isBusy={continuing.isPending}
          onClick={() => continuing.mutate({ test_id: moved.id, from_test_id: gone.id })}
        >
          Continue
        </Button>
      )}
    </li>
  )
}

/** Each link has room for a finger. */
const lineStyle = { display: 'block', minHeight: 24, font: 'var(--text-14)', overflowWrap: 'anywhere' } as const

function describeItem({ last_seen_on: lastSeen, series, similarity, count }: DriftItem): string {
  return [
    ...(lastSeen === null ? [] : [`last seen on ${formatFullDay(lastSeen)}`]),
    ...(series === null || series === '' ? [] : [`in ${series}`]),
    ...(similarity === null
      ? []
      : [similarity === 1 ? 'same title' : `titles are ${Math.round(100 * similarity)} % alike`]),
    ...(count === null ? [] : [formatNumberOf(count, 'time')]),
  ].join(' · ')
}

function useContinue(project_id: string, kind: DriftKind) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ test_id, from_test_id }: { test_id: string; from_test_id: string }) =>
      request(api, continueTest, { params: { project_id, test_id }, body: { from_test_id } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: driftQuery(project_id, kind).queryKey })
      await queryClient.invalidateQueries({ queryKey: driftTotalsQuery(project_id, allKinds).queryKey })
      await queryClient.invalidateQueries({ queryKey: queryKeys.allTests(project_id) })
    },
  })
}
