import type { ProjectTest } from '@caseward/client/endpoints'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatTotalOf } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Time } from '../../ui/time.tsx'
import { useCursorPages } from '../../use-cursor-pages.ts'
import { formatFlakes, stabilityWords } from '../quarantines/stability-words.ts'
import { TestStability } from '../quarantines/test-stability.tsx'
import { formatPath } from '../tests/split-path.ts'
import { TestPath } from '../tests/test-path.tsx'
import { repetitionsQuery, unreliableTestsQuery } from './insight-queries.ts'
import type { InsightTabProps, InsightView } from './use-insight-view.ts'

const STATES = (['flaky', 'suspect', 'broken'] as const).map((value) => ({ value, label: stabilityWords[value].name }))

/** Tests that are unreliable, those with most evidence first. One can be open, with its evidence. */
export function FlakyTab({ view }: InsightTabProps) {
  const { projectId, search, change } = view
  const { state } = search
  const query = useInfiniteQuery({ ...unreliableTestsQuery(projectId, state), placeholderData: keepPreviousData })
  const list = useCursorPages(query)
  const total = query.data?.pages.at(-1)?.meta.total ?? 0
  return (
    <section
      aria-label={stabilityWords[state].name}
      style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 12 }}
    >
      <div className={styles.bar}>
        <Segmented
          label="State"
          value={state}
          options={STATES}
          onChange={(value) => change({ state: value, test: null }, 'replace')}
        />
        {!list.isLoading && list.error === null && <span className={styles.muted}>{formatTotalOf(total, 'test')}</span>}
      </div>
      <p className={styles.muted}>{stabilityWords[state].meaning}</p>
      <PagedList list={list} noun="the tests">
        {list.rows.length === 0 ? (
          <NothingFlaky projectId={projectId} state={state} />
        ) : (
          <ul className={styles.list} style={{ margin: 0, padding: 0, listStyle: 'none' }}>
            {list.rows.map((test, index) => (
              <FlakyTest key={test.id} view={view} test={test} isFirst={index === 0} />
            ))}
          </ul>
        )}
        {list.hasMore && (
          <div style={{ marginBlockStart: 12 }}>
            <Button isBusy={list.isLoadingMore} onClick={list.loadMore}>
              More tests
            </Button>
          </div>
        )}
      </PagedList>
    </section>
  )
}

function NothingFlaky({ projectId, state }: { projectId: string; state: InsightView['search']['state'] }) {
  const { data: hasRepetitions } = useQuery({ ...repetitionsQuery(projectId), enabled: state !== 'broken' })
  if (state === 'broken') {
    return (
      <EmptyState drawing="runs" title={emptyTitles.broken} help={null}>
        No test fails in its three newest runs of the default branch.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      drawing="runs"
      title={hasRepetitions === false ? 'No retries: flaky tests cannot be told from failures' : emptyTitles[state]}
      help={null}
    >
      A test flakes when it fails and passes on the same commit.{' '}
      {hasRepetitions === false
        ? 'In the last 30 days no test was attempted again after a failure, and no commit was run twice: let the test framework repeat what failed, once (retries: 1 in Playwright and Cypress, retry: 1 in Vitest, --reruns 1 of pytest).'
        : hasRepetitions && 'Tests were repeated in the last 30 days, so that those that flake show.'}
    </EmptyState>
  )
}

const emptyTitles = { flaky: 'No test is flaky', suspect: 'No test is suspect', broken: 'No test is broken' } as const

function FlakyTest({ view, test, isFirst }: { view: InsightView; test: ProjectTest; isFirst: boolean }) {
  const { projectId, search, change, may } = view
  const isOpen = search.test === test.id
  const name = formatPath(test)
  const { stability, quarantine } = test
  return (
    <li style={isFirst ? undefined : { borderBlockStart: '1px solid var(--line)' }}>
      <div className={styles.item} style={{ borderBlockStart: 0, paddingInlineStart: 8 }}>
        <IconButton
          label={`Evidence against ${name}`}
          icon={isOpen ? <ChevronDown /> : <ChevronRight />}
          aria-expanded={isOpen}
          onClick={() => change({ test: isOpen ? null : test.id }, 'replace')}
        />
        <div className={styles.text}>
          <Link
            className={styles.name}
            to={paths.tests(projectId, { test: test.id })}
            style={{ display: 'flex', minWidth: 0 }}
          >
            <TestPath test={test} />
          </Link>
          {stability !== undefined && stability !== null && (
            <p className={styles.muted} style={{ maxWidth: 'none' }}>
              {formatFlakes(stability)}
              {' · since '}
              <Time at={stability.since} isInText />
              {stability.last_flake_at !== null && (
                <>
                  {' · last flake '}
                  <Time at={stability.last_flake_at} isInText />
                </>
              )}
              {quarantine !== undefined && quarantine !== null && (
                <>
                  {' · '}
                  <strong className={styles.warning}>Quarantined</strong> until{' '}
                  <Time at={quarantine.expires_at} isInText />
                </>
              )}
            </p>
          )}
        </div>
      </div>
      {isOpen && (
        <div style={{ padding: '0 16px 12px 44px' }}>
          <TestStability projectId={projectId} runId={null} test={{ id: test.id, name }} may={may} />
        </div>
      )}
    </li>
  )
}
