import type { WorkRun } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import CirclePlay from 'lucide-react/icons/circle-play'
import { Link, useSearchParams } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Count } from '../../ui/count.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatCount, formatNumberOf } from '../../ui/format-count.ts'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { Time } from '../../ui/time.tsx'
import { useUnreadCount } from './mention-queries.ts'
import { MyMentions } from './my-mentions.tsx'
import styles from './work.module.css'

/** No event tells this page about what others assign. */
const REFRESH_MS = 30_000

/** `/work`: what is assigned to the user in the runs of all projects, and comments that mention the user. */
export function WorkPage() {
  const [params] = useSearchParams()
  const tab = params.get('tab') === 'mentions' ? 'mentions' : 'runs'
  const unreadCount = useUnreadCount()
  return (
    <main className={styles.page}>
      <title>{`${tab === 'mentions' ? 'Mentions' : 'My work'} · Caseward`}</title>
      <h1>My work</h1>
      <TabLinks
        label="My work"
        tabs={[
          { to: paths.work(), label: 'Test cases', isCurrent: tab === 'runs' },
          {
            to: `${paths.work()}?tab=mentions`,
            label: 'Mentions',
            detail: unreadCount > 0 ? <Count value={unreadCount} /> : undefined,
            isCurrent: tab === 'mentions',
          },
        ]}
      />
      {tab === 'mentions' ? <MyMentions /> : <MyRuns />}
    </main>
  )
}

function MyRuns() {
  const { data, error, refetch } = useQuery({
    ...queries.work(),
    refetchInterval: REFRESH_MS,
    refetchOnMount: 'always',
  })
  return (
    <>
      {data === undefined && error !== null && (
        <ErrorMessage title="Your work could not be loaded." onRetry={() => void refetch()}>
          {describeFailure(error, { noun: 'page' }).message}
        </ErrorMessage>
      )}
      {data === undefined && error === null && (
        <Loading label="Loading your work">
          <SkeletonRows count={6} />
        </Loading>
      )}
      {data?.length === 0 && (
        <EmptyState drawing="runs" title="Nothing is assigned to you" help="running-tests">
          Test cases that someone assigns to you in a run appear here until the run is completed.
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && <WorkList runs={data} />}
    </>
  )
}

function WorkList({ runs }: { runs: readonly WorkRun[] }) {
  const total = runs.reduce((sum, run) => sum + countToDo(run), 0)
  const open = runs.filter((run) => countToDo(run) > 0)
  const done = runs.filter((run) => countToDo(run) === 0)
  return (
    <>
      <p className={styles.summary} role="status">
        {total === 0
          ? 'You have tested everything that is assigned to you.'
          : `${formatNumberOf(total, 'test case')} to test in ${formatNumberOf(open.length, 'run')}.`}
      </p>
      <WorkSection heading="To test" runs={open} />
      <WorkSection heading="Tested" runs={done} />
    </>
  )
}

function WorkSection({ heading, runs }: { heading: string; runs: readonly WorkRun[] }) {
  if (runs.length === 0) return null
  return (
    <section aria-label={heading}>
      <h2 className={styles.heading}>{heading}</h2>
      <ul>
        {runs.map((run) => (
          <WorkItem key={run.id} run={run} />
        ))}
      </ul>
    </section>
  )
}

function WorkItem({ run }: { run: WorkRun }) {
  const toDo = countToDo(run)
  const count = Object.values(run.stats).reduce((sum, number) => sum + number, 0)
  return (
    <li className={styles.run}>
      <span className={styles.what}>
        <Link className={styles.name} to={paths.run(run.id, { assigned: 'me' })} title={run.name}>
          {run.name}
        </Link>
        <span className={styles.project} title={run.project_name}>
          {run.project_name}, started <Time at={run.created_at} isInText />
        </span>
      </span>
      <StatusBar counts={run.stats} className={styles.bar} />
      <span className={styles.count}>
        {toDo === 0 ? `${formatCount(count)} tested` : `${formatCount(toDo)} of ${formatCount(count)} to test`}
      </span>
      {toDo > 0 && (
        <ButtonLink icon={<CirclePlay />} to={paths.execution(run.id, { assigned: 'me' })}>
          Execute
        </ButtonLink>
      )}
    </li>
  )
}

/** What has no result yet, and what is to be tested again. */
const countToDo = ({ stats }: WorkRun): number => stats.not_tested + stats.retest
