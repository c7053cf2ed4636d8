import type { OutcomeInRun, ProjectTestDetail, RunTestDetail } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import X from 'lucide-react/icons/x'
import { useEffect, useRef } from 'react'

import { describeFailure } from '../../problems.ts'
import { formatMilliseconds } from '../../times.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazySection } from '../../ui/lazy-section.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { useNarrow } from '../../use-narrow.ts'
import { OutcomeWord } from './attempt-marks.tsx'
import { LeaveOutTest } from './leave-out-test.tsx'
import { formatPath, splitPath } from './split-path.ts'
import { TestAttempts } from './test-attempts.tsx'
import { TestLink } from './test-link.tsx'
import { TestOutcomes } from './test-outcomes.tsx'
import { hasKnownSource, TestParts } from './test-parts.tsx'
import styles from './test-panel.module.css'
import { testQueries } from './test-queries.ts'
import type { TestsArea } from './use-tests-area.ts'

/** Few tests have files. */
const AttemptFiles = lazySection(async () => (await import('../files/attempt-files.tsx')).AttemptFiles)

const TestStability = lazySection(async () => (await import('../quarantines/test-stability.tsx')).TestStability)

/** One test beside the list: its test case, its attempts, and what it did in other runs. */
export function TestPanel({ area, testId }: { area: TestsArea; testId: string }) {
  const { projectId, run, list, close } = area
  const isNarrow = useNarrow()
  const back = useRef<HTMLButtonElement>(null)
  const test = useQuery(testQueries.test(projectId, testId))
  const runId = run?.id ?? test.data?.latest?.run_id
  const inRun = useQuery({ ...testQueries.runTest(runId ?? '', testId), enabled: runId !== undefined })
  useEffect(() => {
    // The row that had the focus is no longer in the page.
    if (document.activeElement === document.body) back.current?.focus()
  }, [])
  const known = test.data ?? list.rows.find(({ id }) => id === testId)
  const title = known === undefined ? 'Test' : splitPath(known).title
  // In a narrow window, the panel is the page.
  const Title = isNarrow ? 'h1' : 'h2'
  return (
    <article className={styles.panel} aria-label={title}>
      <header className={styles.head}>
        {isNarrow && <IconButton ref={back} label="Back to the tests" icon={<ArrowLeft />} onClick={close} />}
        <span className={styles.kind}>Automated test</span>
        {!isNarrow && <IconButton label="Close" shortcut="Escape" icon={<X />} onClick={close} />}
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <div className={styles.body} role="region" aria-label="Test and attempts" tabIndex={0}>
        <Title className={styles.title}>{title}</Title>
        {test.data !== undefined && <Details area={area} test={test.data} inRun={inRun.data} isInRun={run !== null} />}
        {test.data === undefined && test.error !== null && (
          <ErrorMessage title="The test could not be opened." onRetry={() => void test.refetch()}>
            {describeFailure(test.error, { noun: 'test' }).message}
          </ErrorMessage>
        )}
        {test.data === undefined && test.error === null && (
          <Loading label="Loading the test">
            <SkeletonRows count={6} />
          </Loading>
        )}
      </div>
    </article>
  )
}

interface DetailsProps {
  area: TestsArea
  test: ProjectTestDetail
  inRun: RunTestDetail | undefined
  isInRun: boolean
}

function Details({ area, test, inRun, isInRun }: DetailsProps) {
  const latest = isInRun ? inRun : (test.latest ?? undefined)
  const runId = area.run?.id ?? test.latest?.run_id
  // Servers of earlier versions know no files of attempts.
  const files = (inRun as Partial<RunTestDetail> | undefined)?.attachments ?? []
  const renderFiles = (attempt: number, source: number | null = null) => {
    const ofAttempt = files.filter((file) => file.attempt === attempt && (source === null || file.source === source))
    if (ofAttempt.length === 0 || runId === undefined) return null
    const place = { kind: 'test', projectId: area.projectId, runId, testId: test.id } as const
    return <AttemptFiles place={place} files={ofAttempt} />
  }
  return (
    <>
      {latest !== undefined && <OutcomeFacts outcome={latest} />}
      <TestLocation test={test} />
      <TestLink area={area} test={test} />
      <TestStability
        projectId={area.projectId}
        runId={area.run?.id ?? null}
        test={{ id: test.id, name: formatPath(test) }}
        may={area.may}
      />
      {inRun !== undefined && hasKnownSource(inRun.parts) && (
        <TestParts
          parts={inRun.parts}
          hasFiles={(source) => files.some((file) => file.source === source)}
          renderFiles={(source, attempt) => renderFiles(attempt, source)}
        />
      )}
      {inRun !== undefined && !hasKnownSource(inRun.parts) && (
        <TestAttempts
          key={inRun.tested_at}
          attempts={inRun.attempts}
          runName={isInRun ? null : (test.latest?.run_name ?? null)}
          renderFiles={(attempt) => renderFiles(attempt)}
        />
      )}
      {area.run !== null && inRun !== undefined && <LeaveOutTest area={area} run={area.run} test={inRun} />}
      <TestOutcomes projectId={area.projectId} testId={test.id} currentRunId={area.run?.id ?? null} />
    </>
  )
}

const OutcomeFacts = ({ outcome }: { outcome: Omit<OutcomeInRun, 'run_id' | 'run_name'> }) => (
  <p className={styles.facts}>
    <OutcomeWord status={outcome.outcome} />
    {outcome.is_flaky && <span className={styles.flaky}>Flaky</span>}
    <span>{formatNumberOf(outcome.attempt_count, 'attempt')}</span>
    {outcome.elapsed_ms !== null && <span>{formatMilliseconds(outcome.elapsed_ms)}</span>}
    <Time at={outcome.tested_at} isInText />
  </p>
)

/** Where the test is, in full: rows shorten it. */
function TestLocation({ test }: { test: ProjectTestDetail }) {
  const { folder, parents } = splitPath(test)
  const file = test.file === test.suite ? '' : test.file
  const facts = [
    { name: 'Suite', text: folder + parents.join(' › ') },
    { name: 'File', text: file },
    { name: 'Variant', text: test.variant },
  ].filter(({ text }) => text !== '')
  if (facts.length === 0) return null
  return (
    <dl className={styles.location}>
      {facts.map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
