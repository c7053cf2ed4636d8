import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useParams } from 'react-router'

import { queries } from '../../api.ts'
import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { searchSchemas } from '../../search-schemas.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { useMay } from '../../use-may.ts'
import { useProject } from '../../use-project.ts'
import { useSearch } from '../../use-search.ts'
import { LoadedCard } from '../../ui/loaded-card.tsx'
import { BlockersCard } from './blockers-card.tsx'
import { BurnUp } from './burn-up.tsx'
import { MilestoneDialog } from './milestone-dialog.tsx'
import { MilestoneHeader } from './milestone-header.tsx'
import { LinkedRuns, SubMilestones } from './milestone-lists.tsx'
import {
  blockersQuery,
  burnUpQuery,
  type FullMilestone,
  milestoneListQuery,
  readinessQuery,
} from './milestone-queries.ts'
import styles from './milestone.module.css'
import { MilestonesFailure } from './milestones-failure.tsx'
import { ReadinessSentence } from './readiness-sentence.tsx'

/** Every result changes the runs of a milestone, and no event says so. */
const REFRESH_MS = 30_000

/** `/projects/:projectId/milestones/:milestoneId`: whether a milestone will be ready, and what stands in its way. */
export function MilestonePage() {
  const { projectId = '', milestoneId = '' } = useParams()
  return <OneMilestone key={milestoneId} projectId={projectId} milestoneId={milestoneId} />
}

function OneMilestone({ projectId, milestoneId }: { projectId: string; milestoneId: string }) {
  const list = useQuery(milestoneListQuery(projectId))
  const { project } = useProject(projectId)
  useLive({ projectId })
  const milestone = list.data?.milestones.find(({ id }) => id === milestoneId)
  const title = formatPageTitle(milestone?.name ?? 'Milestone', project?.name)
  return (
    <main className={styles.page}>
      <title>{title}</title>
      {list.data === undefined && list.error !== null && (
        <MilestonesFailure error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && (
        <Loading label="Loading the milestone">
          <SkeletonRows count={8} />
        </Loading>
      )}
      {list.data !== undefined && milestone === undefined && (
        <EmptyState
          drawing="milestones"
          headingLevel={1}
          title="Milestone not found"
          help="milestones"
          actions={<ButtonLink to={paths.milestones(projectId)}>All milestones</ButtonLink>}
        >
          It may have been deleted.
        </EmptyState>
      )}
      {list.data !== undefined && milestone !== undefined && (
        <LoadedMilestone projectId={projectId} milestone={milestone} milestones={list.data.milestones} />
      )}
    </main>
  )
}

const isSettled = ({ data, error }: Pick<UseQueryResult, 'data' | 'error'>) => data !== undefined || error !== null

interface LoadedMilestoneProps {
  projectId: string
  milestone: FullMilestone
  milestones: readonly FullMilestone[]
}

function LoadedMilestone({ projectId, milestone, milestones }: LoadedMilestoneProps) {
  const { id } = milestone
  const [search, change] = useSearch(searchSchemas.milestone)
  const may = useMay(projectId)
  const mayManage = may('milestones:manage')
  const runs = useQuery({
    ...queries.runs(projectId, { milestone_id: id, sub_milestones: true, per_page: 100 }),
    refetchInterval: REFRESH_MS,
  })
  const readiness = useQuery(readinessQuery(projectId, id))
  const burnUp = useQuery(burnUpQuery(projectId, id))
  const blockers = useQuery({
    ...blockersQuery(projectId, id, search.list, search.page),
    placeholderData: keepPreviousData,
  })
  const hasRuns = runs.data?.meta.total !== 0
  const subs = milestones.filter(({ parent_id: parentId }) => parentId === id).toReversed()
  const closeDialog = () => change({ edit: false, new: false }, 'replace')
  return (
    <>
      <MilestoneHeader
        projectId={projectId}
        milestone={milestone}
        parent={milestones.find((other) => other.id === milestone.parent_id)}
        subCount={subs.length}
        mayManage={mayManage}
        onEdit={() => change({ edit: true }, 'push')}
        onAddSub={() => change({ new: true }, 'push')}
      />
      {milestone.description !== '' && (
        <div className={styles.description}>
          <Markdown text={milestone.description} />
        </div>
      )}
      {!hasRuns && subs.length > 0 && <SubsCard projectId={projectId} subs={subs} />}
      {!hasRuns && (
        <EmptyState
          drawing="runs"
          title="No runs yet"
          help="milestones"
          actions={
            may('runs:open-and-close') && (
              <ButtonLink variant="primary" to={paths.newRun(projectId, { milestone: id })}>
                New run
              </ButtonLink>
            )
          }
        >
          Once runs belong to this milestone, their results say here how far it is, and what stands in its way.
        </EmptyState>
      )}
      {hasRuns && (
        <>
          <section className={styles.readiness} aria-label="Readiness">
            <ReadinessSentence projectId={projectId} milestone={milestone} runs={runs.data?.data ?? []} />
          </section>
          {/* What is above must have its height before anything appears below. */}
          {isSettled(runs) && isSettled(readiness) && (
            <LoadedCard title="Burn-up" query={burnUp} rows={5}>
              {(figures) =>
                figures.total === 0 ? (
                  <p className={styles.none}>Link a run to the milestone to see how it burns up.</p>
                ) : (
                  <BurnUp figures={figures} due={milestone.due_date} expected={readiness.data?.expected_on ?? null} />
                )
              }
            </LoadedCard>
          )}
          {isSettled(runs) && isSettled(readiness) && isSettled(burnUp) && (
            <BlockersCard
              projectId={projectId}
              milestoneId={id}
              list={search.list}
              page={search.page}
              readiness={readiness.data}
            />
          )}
          {[runs, readiness, burnUp, blockers].every(isSettled) && (
            <>
              {subs.length > 0 && <SubsCard projectId={projectId} subs={subs} />}
              <LoadedCard title="Runs" count={runs.data?.meta.total} query={runs} rows={4}>
                {({ data }) => <LinkedRuns runs={data} />}
              </LoadedCard>
            </>
          )}
        </>
      )}
      {mayManage && (search.edit || search.new) && (
        <MilestoneDialog
          projectId={projectId}
          milestone={search.edit ? milestone : null}
          parent={search.edit ? null : milestone}
          hasSubs={search.edit && subs.length > 0}
          onClose={closeDialog}
        />
      )}
    </>
  )
}

const SubsCard = ({ projectId, subs }: { projectId: string; subs: readonly FullMilestone[] }) => (
  <section className={styles.card} aria-label="Sub-milestones">
    <h2>Sub-milestones</h2>
    <SubMilestones projectId={projectId} subs={subs} />
  </section>
)
