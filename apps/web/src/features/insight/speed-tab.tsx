import type { SlowTest, SpeedKind } from '@caseward/client/endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { formatFullDay, toLocalDay } from '../../charts/days.ts'
import { Dumbbells } from '../../charts/dumbbells.tsx'
import { paths } from '../../paths.ts'
import { formatMilliseconds } from '../../times.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumberOf, formatShare } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { formatTest } from '../tests/split-path.ts'
import { slowTestsQuery } from './insight-queries.ts'
import type { InsightTabProps } from './use-insight-view.ts'

const KINDS = [
  { value: 'slow', label: 'Slowest' },
  { value: 'slower', label: 'Slower' },
  { value: 'faster', label: 'Faster' },
] as const satisfies readonly { value: SpeedKind; label: string }[]

const titles: Readonly<Record<SpeedKind, string>> = {
  slow: 'The slowest tests',
  slower: 'Tests that became slower',
  faster: 'Tests that became faster',
}
const nothing: Readonly<Record<SpeedKind, string>> = {
  slow: 'No time is known',
  slower: 'No test became slower',
  faster: 'No test became faster',
}
const CHANGE_HINT =
  'At least 1.5 times and 500 ms between the median of the newest 5 runs and that of the up to 15 before count as a change.'
const hints: Readonly<Record<SpeedKind, string>> = {
  slow: 'Times come from reports of CI on this branch.',
  slower: CHANGE_HINT,
  faster: CHANGE_HINT,
}
/** Runs that a change of speed needs: 5 newer ones, and 3 before. */
const COMPARED = 8
/** Rows of the chart; the list has all. */
const CHARTED = 20

/** How long tests take in the newest runs of a suite, and which have changed. */
export function SpeedTab({ view }: InsightTabProps) {
  const { projectId, filter, search, change } = view
  const { speed } = search
  const { branch, series } = filter
  const slow = useQuery({
    ...slowTestsQuery(projectId, {
      kind: speed,
      ...(branch === undefined ? {} : { branch }),
      ...(series === undefined ? {} : { series }),
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-label={titles[speed]} style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 16 }}>
      <div className={styles.bar}>
        <Segmented
          label="Speed"
          value={speed}
          options={KINDS}
          onChange={(value) => change({ speed: value }, 'replace')}
        />
      </div>
      <LoadedPart query={slow} noun="speed">
        {({ data, meta }) =>
          data.length === 0 ? (
            <NoTests speed={speed} runs={meta.runs} since={meta.since} />
          ) : (
            <>
              <p className={styles.muted}>
                {`${formatNumberOf(meta.total, 'test')}, by the newest ${formatNumberOf(meta.runs, 'run')}${meta.series === null || meta.series === '' ? '' : ` of ${meta.series}`}${meta.branch === null ? '' : ` on ${meta.branch}`}.${meta.is_cut ? ' Older runs are left out: they have too many tests.' : ''}`}
              </p>
              <Dumbbells
                title={titles[speed]}
                rowName="Test"
                rows={data.slice(0, CHARTED).map((item) => ({
                  id: item.test.id,
                  name: formatTest(item.test),
                  shortName: item.test.name,
                  before: toMeasured(item.before_ms),
                  now: toMeasured(item.now_ms ?? item.median_ms) ?? 1,
                }))}
                formatValue={(value) => formatMilliseconds(value)}
              />
              <ul className={styles.list} style={{ margin: 0, padding: 0, listStyle: 'none' }}>
                {data.map((item) => (
                  <li key={item.test.id} className={styles.item}>
                    <div className={styles.text}>
                      <Link
                        className={styles.name}
                        to={paths.tests(projectId, { test: item.test.id })}
                        style={{ overflowWrap: 'anywhere' }}
                      >
                        {formatTest(item.test)}
                      </Link>
                      <p className={styles.muted} style={{ maxWidth: 'none' }}>
                        {describeTest(item)}
                      </p>
                    </div>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </LoadedPart>
    </section>
  )
}

/** A logarithmic axis has no zero. */
const toMeasured = (ms: number | null): number | null => (ms === null ? null : Math.max(ms, 1))

function describeTest({
  median_ms: median,
  p95_ms: p95,
  share,
  before_ms: before,
  now_ms: now,
  runs,
}: SlowTest): string {
  return [
    `median ${formatMilliseconds(median)}`,
    `95 % below ${formatMilliseconds(p95)}`,
    ...(before === null || now === null
      ? []
      : [`before ${formatMilliseconds(before)}, now ${formatMilliseconds(now)}`]),
    `${formatShare(share, 1)} of all time`,
    formatNumberOf(runs, 'run'),
  ].join(' · ')
}

interface NoTestsProps {
  speed: SpeedKind
  runs: number
  /** When the oldest of these runs was created. */
  since: string | null
}

/** Too few runs say nothing about what became slower or faster. */
function NoTests({ speed, runs, since }: NoTestsProps) {
  const isTooEarly = speed !== 'slow' && runs < COMPARED
  return (
    <EmptyState drawing="runs" title={isTooEarly ? 'Too early to tell' : nothing[speed]} help={null}>
      {isTooEarly && since !== null
        ? `It takes ${COMPARED} runs. There ${runs === 1 ? 'is 1' : `are ${runs}`} since ${formatFullDay(toLocalDay(new Date(since)))}.`
        : hints[speed]}
    </EmptyState>
  )
}
