import type { Run, RunChange } from '@caseward/client/endpoints'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import { useMemo } from 'react'
import { useNavigate, useParams } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { searchSchemas } from '../../search-schemas.ts'
import { Count } from '../../ui/count.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { Table } from '../../ui/table/table.tsx'
import { useCursorPages } from '../../use-cursor-pages.ts'
import { useProject } from '../../use-project.ts'
import { useSearch } from '../../use-search.ts'
import { changeNames, type ComparedRow, comparisonColumns, getRowId, getRowLabel } from './comparison-columns.tsx'
import { comparisonQuery } from './comparison-query.ts'
import styles from './compare.module.css'

/** Runs that can be chosen. A link may name older ones. */
const RECENT_RUNS = { per_page: 100 } as const
const noRuns: readonly Run[] = []
/** What a reader looks for first stands first. */
const order = Object.keys(changeNames) as RunChange[]

/** `/projects/:projectId/compare`: what is different between two runs. */
export function ComparePage() {
  const { projectId = '' } = useParams()
  const [{ base, head, by }, change] = useSearch(searchSchemas.compareRuns)
  const { project } = useProject(projectId)
  const runs = useRuns(projectId, [base, head])
  const options = (chosen: string | null) => [
    ...(chosen === null ? [{ value: '', label: 'Choose a run' }] : []),
    ...runs.map(({ id, name }) => ({ value: id, label: name })),
  ]
  const title = formatPageTitle('Compare runs', project?.name)
  return (
    <main className={styles.page}>
      <title>{title}</title>
      <header className={styles.header}>
        <h1>Compare runs</h1>
        <div className={styles.runs}>
          <Select
            label="Older run"
            className={styles.run}
            value={base ?? ''}
            options={options(base)}
            onChange={(id) => change({ base: id === '' ? null : id }, 'replace')}
          />
          <IconButton
            label="Swap the runs"
            icon={<ArrowLeftRight />}
            onClick={() => change({ base: head, head: base }, 'replace')}
          />
          <Select
            label="Newer run"
            className={styles.run}
            value={head ?? ''}
            options={options(head)}
            onChange={(id) => change({ head: id === '' ? null : id }, 'replace')}
          />
        </div>
      </header>
      {base === null || head === null ? (
        <EmptyState drawing="runs" title="Choose two runs" help="running-tests">
          You see what fails in the newer one and did not in the older one, what was fixed, and what is new or missing.
        </EmptyState>
      ) : (
        <Comparison projectId={projectId} base={base} head={head} by={by} />
      )}
    </main>
  )
}

/** The recent runs, and those that the URL names. */
function useRuns(projectId: string, [base, head]: readonly [string | null, string | null]): readonly Run[] {
  const recent = useQuery(queries.runs(projectId, RECENT_RUNS)).data?.data ?? noRuns
  const first = useQuery({ ...queries.run(base ?? ''), enabled: base !== null }).data
  const second = useQuery({ ...queries.run(head ?? ''), enabled: head !== null }).data
  return useMemo(() => {
    const named = [first, second].filter((run) => run !== undefined)
    return [...named.filter((run) => !recent.some(({ id }) => id === run.id)), ...recent]
  }, [recent, first, second])
}

interface ComparisonProps {
  projectId: string
  base: string
  head: string
  by: 'default' | 'tests' | 'test_cases'
}

function Comparison({ projectId, base, head, by }: ComparisonProps) {
  const [{ change }, setSearch] = useSearch(searchSchemas.compareRuns)
  const navigate = useNavigate()
  const filter = {
    base,
    head,
    ...(by === 'default' ? {} : { by }),
    ...(change === 'all' ? {} : { change }),
  }
  const query = useInfiniteQuery({ ...comparisonQuery(projectId, filter), placeholderData: keepPreviousData })
  const list = useCursorPages(query)
  const meta = query.data?.pages[0]?.meta
  const totals = meta?.totals ?? null
  const total = totals === null ? 0 : Object.values(totals).reduce((sum, count) => sum + count, 0)
  const link = (of: RunChange | 'all') => paths.compareRuns(projectId, { base, head, by, change: of })
  const open = (row: ComparedRow, inNewTab: boolean) => {
    const path = getPath(row, { base, head })
    if (path === null) return
    if (inNewTab) window.open(path, '_blank', 'noopener')
    else void navigate(path)
  }
  return (
    <>
      {totals !== null && (
        <div className={styles.toolBar}>
          <TabLinks
            label="Change"
            isReplacing
            tabs={[
              ...order
                .filter((of) => totals[of] > 0 || of === change || of === 'newly_failing')
                .map((of) => ({
                  to: link(of),
                  label: changeNames[of],
                  detail: <Count value={totals[of]} />,
                  isCurrent: of === change,
                })),
              { to: link('all'), label: 'All', detail: <Count value={total} />, isCurrent: change === 'all' },
            ]}
          />
          {/* In a narrow window it stands below the tabs, on the line. */}
          <div style={{ marginBlock: 4 }}>
            <Segmented
              label="Compare"
              value={meta?.by ?? 'tests'}
              options={[
                { value: 'test_cases', label: 'Test cases' },
                { value: 'tests', label: 'Tests' },
              ]}
              onChange={(value) => setSearch({ by: value }, 'replace')}
            />
          </div>
        </div>
      )}
      <div className={styles.list}>
        <PagedList list={list} noun="the comparison">
          <Table
            name="comparison"
            label="Comparison"
            columns={comparisonColumns[meta?.by ?? 'tests']}
            rows={list.rows}
            hasMore={list.hasMore}
            getId={getRowId}
            getLabel={getRowLabel}
            onOpen={open}
            onReachEnd={list.loadMore}
            empty={
              <EmptyState
                drawing="search"
                title={emptyTitles[change] ?? 'Nothing has changed in this way'}
                help={null}
              />
            }
          />
        </PagedList>
      </div>
    </>
  )
}

const emptyTitles: Readonly<Partial<Record<RunChange | 'all', string>>> = {
  newly_failing: 'Nothing fails that passed before',
  all: 'Both runs are empty',
}

/** The result or test in the newer run; in the older one if it is only there. */
function getPath({ test_id: testId, base, head }: ComparedRow, runs: { base: string; head: string }): string | null {
  const runId = head === null ? runs.base : runs.head
  if (testId !== null) return paths.runTests(runId, { test: testId })
  const resultId = (head ?? base)?.result_id ?? null
  return resultId === null ? null : paths.run(runId, { result: resultId })
}
