import type { FailureGroupDetail } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'

import { DayChart } from '../../charts/day-chart.tsx'
import { listLastDays } from '../../charts/days.ts'
import { keys } from '../../keys.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { Time } from '../../ui/time.tsx'
import { describeCounts } from '../failures/verdict-words.ts'
import { useNewIssue } from '../issues/use-new-issue.tsx'
import { TestPath } from '../tests/test-path.tsx'
import { getTabPath } from './insight-paths.ts'
import { GroupIssues, nameGroup } from './group-parts.tsx'
import { groupQuery } from './insight-queries.ts'
import type { InsightView } from './use-insight-view.ts'

/** One cause: its message and place, its days, its tests, and its newest failure. */
export function FailureGroupPage({ view, signature }: { view: InsightView; signature: string }) {
  const { projectId, filter, search } = view
  const group = useQuery(groupQuery(projectId, signature, filter))
  const { branch, series, days } = search
  return (
    <>
      <p>
        <Link
          style={{ display: 'inline-block', lineHeight: '24px' }}
          to={getTabPath(projectId, 'failures', { branch, series, days })}
        >
          All causes
        </Link>
      </p>
      <LoadedPart query={group} noun="cause">
        {(loaded) => <Group view={view} group={loaded} />}
      </LoadedPart>
    </>
  )
}

/** The server returns so many. */
const MAX_TESTS = 100

function Group({ view: { projectId, filter }, group }: { view: InsightView; group: FailureGroupDetail }) {
  const [now] = useState(() => new Date())
  const days = useMemo(() => listLastDays(filter.days, now), [filter.days, now])
  const values = useMemo(() => new Map(group.days.map(({ day, tests }) => [day, tests])), [group.days])
  const { sample, tests, verdicts, kind, frame, message, signature } = group
  const subject = { signature, test: null }
  const { newIssues, dialog } = useNewIssue(projectId, null, subject)
  const facts = [
    { name: 'Kind', text: kind },
    { name: 'Message', text: message },
    { name: 'Place', text: frame },
  ].filter(({ text }) => text !== '')
  return (
    <article style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 20 }}>
      <div style={{ display: 'grid', gap: 4, minWidth: 0 }}>
        <h2 style={{ margin: 0, overflowWrap: 'anywhere' }}>{nameGroup(group)}</h2>
        <p className={styles.muted} style={{ maxWidth: 'none' }}>
          {group.run_count === 0
            ? `Not seen in the last ${filter.days} days in the runs that are chosen. First `
            : `${formatNumberOf(group.test_count, 'test')} · ${formatNumberOf(group.run_count, 'run')} · first `}
          <Time at={group.first_seen} isInText />
          {group.run_count > 0 && (
            <>
              {' · last '}
              <Time at={group.last_seen} isInText />
            </>
          )}
          <GroupIssues issues={group.issues} />
        </p>
        {describeCounts(verdicts) !== '' && (
          <p className={styles.muted}>What its failures meant: {describeCounts(verdicts)}</p>
        )}
        <div className={styles.buttons} style={{ marginBlockStart: 4 }}>
          <Button shortcut={keys.newIssue.bindings[0]} onClick={() => newIssues.open(subject)}>
            New issue
          </Button>
        </div>
        {dialog}
      </div>
      {facts.length > 0 && (
        <dl className={styles.facts} style={{ margin: 0 }}>
          {facts.map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd style={{ margin: 0 }}>
                <code style={{ overflowWrap: 'anywhere' }}>{text}</code>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <DayChart
        title="Failing tests by day"
        days={days}
        series={[{ name: 'Tests', values, look: 'columns' }]}
        formatValue={(value) => value.toLocaleString('en')}
      />
      {sample !== null && <Sample sample={sample} test={tests.find(({ id }) => id === sample.test_id)} />}
      {tests.length > 0 && (
        <section style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 8 }}>
          <h3 style={{ margin: 0 }}>
            {group.test_count > tests.length ? `${MAX_TESTS} of ${formatNumberOf(group.test_count, 'test')}` : 'Tests'}
          </h3>
          <ul className={styles.list} style={{ margin: 0, padding: 0, listStyle: 'none' }}>
            {tests.map((test) => (
              <li key={test.id} className={styles.item} style={{ minHeight: 36, paddingBlock: 4 }}>
                <Link
                  to={paths.tests(projectId, { test: test.id })}
                  style={{ display: 'flex', flex: '1 1 auto', minWidth: 0 }}
                >
                  <TestPath test={test} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  )
}

interface SampleProps {
  sample: NonNullable<FailureGroupDetail['sample']>
  test: FailureGroupDetail['tests'][number] | undefined
}

/** The newest failure as it was reported. */
const Sample = ({ sample, test }: SampleProps) => (
  <section style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 8 }}>
    <h3 style={{ margin: 0 }}>Newest failure</h3>
    <p>
      <Link to={paths.runTests(sample.run_id, { test: sample.test_id })} style={{ lineHeight: '24px' }}>
        {test === undefined ? 'The test in its run' : `${test.name}, in its run`}
      </Link>
    </p>
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
    <pre role="region" aria-label="Newest failure" tabIndex={0} style={preStyle}>
      {[sample.message, sample.details].filter((text) => text.trim() !== '').join('\n\n') || 'Without a message'}
    </pre>
  </section>
)

const preStyle = {
  margin: 0,
  maxHeight: 420,
  padding: '10px 12px',
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius-control)',
  overflow: 'auto',
  background: 'var(--card)',
  font: 'var(--text-12)',
  fontFamily: 'var(--mono)',
} as const
