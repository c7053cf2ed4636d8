import type { Lineage, ResultStatus } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link, useNavigate, useParams } from 'react-router'

import { queries } from '../../api.ts'
import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { searchSchemas } from '../../search-schemas.ts'
import { Count } from '../../ui/count.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { StatusCounts } from '../../ui/status/status-counts.tsx'
import { retestOrder, statusNames } from '../../ui/status/statuses.ts'
import { TabLinks } from '../../ui/tab-links.tsx'
import { Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useProject } from '../../use-project.ts'
import { useSearch } from '../../use-search.ts'
import { combinedResultsQuery, lineageQuery } from './rerun-queries.ts'
import styles from './together.module.css'
import { type CombinedRow, togetherColumns } from './together-columns.tsx'

/** Every result of a rerun changes the chain, and no event of this run says so. */
const REFRESH_MS = 30_000

/** `/runs/:runId/together`: a run and its reruns, with each test case once. */
export function TogetherPage() {
  const { runId = '' } = useParams()
  const run = useQuery(queries.run(runId))
  const { project } = useProject(run.data?.project_id)
  const lineage = useQuery({ ...lineageQuery(runId), refetchInterval: REFRESH_MS })
  useLive({ runId, projectId: run.data?.project_id })
  const name = lineage.data?.runs[0]?.name ?? 'Run'
  const title = formatPageTitle(`${name} and its reruns`, project?.name)
  return (
    <main className={styles.page}>
      <title>{title}</title>
      <LoadedPart query={lineage} noun="run">
        {(loaded) => <Together runId={runId} lineage={loaded} />}
      </LoadedPart>
    </main>
  )
}

function Together({ runId, lineage }: { runId: string; lineage: Lineage }) {
  const { stats, result_count: total, pass_rate: passRate } = lineage.combined
  const rerunCount = lineage.runs.length - 1
  return (
    <>
      <header className={styles.header}>
        <h1>{lineage.runs[0]?.name}</h1>
        <p className={styles.muted}>
          {rerunCount === 0 ? 'No reruns' : `With ${formatNumberOf(rerunCount, 'rerun')}`}: each test case counts once,
          with its status in the newest run in which it was tested. Pass rate {passRate} %
        </p>
      </header>
      <section className={styles.summary} aria-label="Summary">
        <StatusBar counts={stats} size="page" />
        <StatusCounts counts={stats} showsAll />
        <ol className={styles.runs}>
          {lineage.runs.map((run) => (
            <li key={run.id}>
              <Link to={paths.run(run.id)} title={run.name} aria-current={run.id === runId || undefined}>
                {run.name}
              </Link>
              <StatusBar counts={run.stats} />
              <span className={styles.muted}>
                <Time at={run.created_at} />
              </span>
            </li>
          ))}
        </ol>
      </section>
      <CombinedResults runId={runId} lineage={lineage} total={total} />
    </>
  )
}

interface CombinedResultsProps {
  runId: string
  lineage: Lineage
  total: number
}

function CombinedResults({ runId, lineage, total }: CombinedResultsProps) {
  const [{ status }] = useSearch(searchSchemas.together)
  const query = useQuery({ ...combinedResultsQuery(runId), refetchInterval: REFRESH_MS })
  const { stats } = lineage.combined
  return (
    <>
      <div className={styles.tabs}>
        <TabLinks
          label="Status"
          isReplacing
          tabs={[
            {
              to: paths.together(runId),
              label: 'All',
              detail: <Count value={total} />,
              isCurrent: status.length === 0,
            },
            ...retestOrder
              .filter((of) => stats[of] > 0 || status.includes(of))
              .map((of) => ({
                to: paths.together(runId, { status: [of] }),
                label: statusNames[of],
                detail: <Count value={stats[of]} />,
                isCurrent: status.includes(of),
              })),
          ]}
        />
      </div>
      <div className={styles.table}>
        <LoadedPart query={query} noun="results">
          {(rows) => <CombinedTable rows={rows} lineage={lineage} statuses={status} />}
        </LoadedPart>
      </div>
    </>
  )
}

const getId = ({ id }: CombinedRow) => id
const getLabel = ({ test_case_title }: CombinedRow) => test_case_title

interface CombinedTableProps {
  rows: readonly CombinedRow[]
  lineage: Lineage
  statuses: readonly ResultStatus[]
}

function CombinedTable({ rows, lineage, statuses }: CombinedTableProps) {
  const navigate = useNavigate()
  const shown = useMemo(
    () => (statuses.length === 0 ? rows : rows.filter(({ status }) => statuses.includes(status))),
    [rows, statuses],
  )
  const columns = useMemo(() => togetherColumns(lineage.runs), [lineage.runs])
  return (
    <Table
      name="together"
      label="Results"
      columns={columns}
      rows={shown}
      getId={getId}
      getLabel={getLabel}
      onOpen={({ run_id: runId, id }, inNewTab) => {
        const path = paths.run(runId, { result: id })
        if (inNewTab) window.open(path, '_blank', 'noopener')
        else void navigate(path)
      }}
      empty={<EmptyState drawing="search" title="No result has this status." help={null} />}
    />
  )
}
