import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { Fragment, type ReactNode, useMemo, useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import { queries } from '../../api.ts'
import { keys } from '../../keys.ts'
import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { searchSchemas } from '../../search-schemas.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { useKeys } from '../../use-keys.ts'
import { useMay } from '../../use-may.ts'
import { useProject } from '../../use-project.ts'
import { useSearch } from '../../use-search.ts'
import { ActivityList } from './activity-list.tsx'
import { chooseMilestone } from './choose-milestone.ts'
import { getReportPath } from '../insight/insight-paths.ts'
import { bandQuery } from '../insight/insight-queries.ts'
import { GREEN_DAYS, GreenCard } from './green-card.tsx'
import { OpenRuns } from './open-runs.tsx'
import { OverviewEmpty } from './overview-empty.tsx'
import { activityQuery, MAX_UNSTABLE, REFRESH_MS, SHOWN_UNSTABLE, unstableCasesQuery } from './overview-queries.ts'
import styles from './overview.module.css'
import { PassRate } from './pass-rate.tsx'
import { ReadinessCard } from './readiness-card.tsx'
import { FlakyCases, LastingFailures, NewFailures } from './unstable-cases.tsx'

/** `/projects/:projectId`: whether the project is ready, in ten seconds. */
export function OverviewPage() {
  const { projectId = '' } = useParams()
  return <Overview key={projectId} projectId={projectId} />
}

/** Runs of the chart. */
const TREND = 30

function Overview({ projectId }: { projectId: string }) {
  const { project, isMissing, projects } = useProject(projectId)
  useLive({ projectId })
  const may = useMay(projectId)
  const navigate = useNavigate()
  const mayStart = may('runs:open-and-close')
  useKeys(mayStart ? { create: () => void navigate(paths.newRun(projectId)) } : {})
  const title = formatPageTitle('Overview', project?.name)
  return (
    <main className={styles.page}>
      <title>{title}</title>
      <header className={styles.header}>
        <h1>Overview</h1>
        {project !== undefined && project.run_count > 0 && (
          <ButtonLink to={getReportPath(projectId)}>Report</ButtonLink>
        )}
        {mayStart && (
          <ButtonLink variant="primary" icon={<Plus />} shortcut={keys.create.bindings[0]} to={paths.newRun(projectId)}>
            New run
          </ButtonLink>
        )}
      </header>
      {projects.data === undefined && projects.error !== null && (
        <ErrorMessage title="The project could not be loaded." onRetry={() => void projects.refetch()}>
          {describeFailure(projects.error, { noun: 'project' }).message}
        </ErrorMessage>
      )}
      {isMissing && (
        <ErrorMessage title="This project does not exist, or you are not a member of it.">
          Ask an admin of the project to invite you.
        </ErrorMessage>
      )}
      {project !== undefined &&
        (project.test_case_count === 0 && project.run_count === 0 ? (
          <OverviewEmpty projectId={projectId} mayWrite={may('test-cases:edit')} />
        ) : (
          <OverviewParts projectId={projectId} mayStart={mayStart} />
        ))}
    </main>
  )
}

function OverviewParts({ projectId, mayStart }: { projectId: string; mayStart: boolean }) {
  const health = useQuery(bandQuery(projectId, { days: GREEN_DAYS }))
  const milestones = useQuery(queries.milestones(projectId))
  const openRuns = useQuery({
    ...queries.runs(projectId, { status: 'in_progress', per_page: 100 }),
    refetchInterval: REFRESH_MS,
  })
  const recentRuns = useQuery({ ...queries.runs(projectId, { per_page: TREND }), refetchInterval: REFRESH_MS })
  const [search] = useSearch(searchSchemas.overview)
  const unstable = useQuery(unstableCasesQuery(projectId, search.all.length === 0 ? SHOWN_UNSTABLE : MAX_UNSTABLE))
  const activity = useQuery(activityQuery(projectId))
  const [now] = useState(Date.now)
  const milestone = chooseMilestone(milestones.data ?? [], now)
  const milestoneRuns = useMemo(() => {
    if (milestone === null) return []
    const parts = (milestones.data ?? []).filter(({ parent_id: parentId }) => parentId === milestone.id)
    const ids = new Set([milestone.id, ...parts.map(({ id }) => id)])
    const runs = new Map([...(openRuns.data?.data ?? []), ...(recentRuns.data?.data ?? [])].map((run) => [run.id, run]))
    return [...runs.values()].filter(({ milestone_id: id }) => id !== null && ids.has(id))
  }, [milestone, milestones.data, openRuns.data, recentRuns.data])
  const isNarrow = useMediaQuery('(width < 900px)')
  const cards: readonly Card[] = [
    {
      query: openRuns,
      column: 0,
      card: (
        <OpenRuns projectId={projectId} query={openRuns} recent={recentRuns.data?.data ?? []} mayStart={mayStart} />
      ),
    },
    { query: unstable, column: 1, card: <NewFailures projectId={projectId} query={unstable} whole={search.all} /> },
    { query: recentRuns, column: 0, card: <PassRate query={recentRuns} /> },
    { query: unstable, column: 1, card: <LastingFailures projectId={projectId} query={unstable} whole={search.all} /> },
    { query: unstable, column: 1, card: <FlakyCases projectId={projectId} query={unstable} whole={search.all} /> },
    { query: activity, column: 0, card: <ActivityList projectId={projectId} query={activity} /> },
  ]
  const columns = isNarrow
    ? [cards]
    : [cards.filter(({ column }) => column === 0), cards.filter(({ column }) => column === 1)]
  return (
    <>
      <GreenCard projectId={projectId} query={health} />
      <ReadinessCard projectId={projectId} query={milestones} milestone={milestone} runs={milestoneRuns} />
      {/* What is above must have its height before anything appears below. */}
      {isSettled(health) && isSettled(milestones) && isSettled(openRuns) && isSettled(recentRuns) && (
        <div className={styles.columns}>
          {columns.map((column, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- columns have no other identity
            <div key={place} className={styles.column}>
              {takeSettled(column).map(({ card }, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- cards do not change their places
                <Fragment key={index}>{card}</Fragment>
              ))}
            </div>
          ))}
        </div>
      )}
    </>
  )
}

interface Card {
  readonly query: Pick<UseQueryResult, 'data' | 'error'>
  /** In a wide window. In a narrow one there is one column, in the order of the list. */
  readonly column: 0 | 1
  readonly card: ReactNode
}

const isSettled = ({ data, error }: Card['query']): boolean => data !== undefined || error !== null

/** The cards whose contents are known, and the one that is loading. */
function takeSettled(cards: readonly Card[]): readonly Card[] {
  const loading = cards.findIndex(({ query }) => !isSettled(query))
  return loading === -1 ? cards : cards.slice(0, loading + 1)
}
