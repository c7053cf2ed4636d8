import type { Run } from '@caseward/client/endpoints'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'

import { formatExactTime } from '../../times.ts'
import { FiguresTable } from '../../ui/chart/figures-table.tsx'
import { formatCount, formatShare } from '../../ui/format-count.ts'
import { countTested } from '../runs/count-statuses.ts'
import { getBarCounts } from '../runs/run-bar-counts.ts'
import { formatPassRate, getPassRate } from '../runs/run-counts.ts'
import { getRunStart } from '../runs/run-start.ts'
import { LoadedCard } from '../../ui/loaded-card.tsx'
import styles from './overview.module.css'

/** Of the drawing; it is stretched to the width of the card. */
const WIDTH = 300
const HEIGHT = 100

/** The pass rates of the last runs in which something was tested. Each leads to its run. */
export function PassRate({ query }: { query: UseQueryResult<{ data: Run[] }> }) {
  return (
    <LoadedCard title="Pass rate" query={query} rows={6}>
      {({ data }) => <Rates runs={data.filter((run) => countTested(getBarCounts(run)) > 0).toReversed()} />}
    </LoadedCard>
  )
}

/** All of the runs together, so that a run of two results does not weigh as much as one of two thousand. */
function Rates({ runs }: { runs: readonly Run[] }) {
  const last = runs.at(-1)
  if (last === undefined) {
    return (
      <div className={styles.none}>
        <p>Here you will see how the pass rate changes from run to run.</p>
      </div>
    )
  }
  const name = (
    <Link className={styles.lastRun} to={getRunStart(last)} title={last.name}>
      {last.name}
    </Link>
  )
  const [share = '', ...others] = formatPassRate(runs).split(/(?=, )/)
  return (
    <div className={styles.trend}>
      <p className={styles.rate}>
        <strong>{share}</strong>
        {others.length > 0 && <span className={styles.failure}>{others.join('')}</span>}{' '}
        {runs.length === 1 ? <>in {name}</> : `of what was tested in the last ${runs.length} runs`}
      </p>
      {runs.length > 1 && (
        <p className={styles.rate}>
          {formatShare(getPassRate(last), 100)} of {formatCount(countTested(getBarCounts(last)))} in the last one,{' '}
          {name}
        </p>
      )}
      {runs.length > 1 && <Chart runs={runs} last={last} />}
    </div>
  )
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const formatDay = (run: Run) => dayFormat.format(new Date(run.created_at))

function Chart({ runs, last }: { runs: readonly Run[]; last: Run }) {
  const step = WIDTH / runs.length
  const points = runs.map((run, index) => `${round((index + 0.5) * step)} ${round(HEIGHT - getPassRate(run))}`)
  return (
    <>
      <div className={styles.chart} aria-hidden="true">
        <span className={styles.top}>100</span>
        <span className={styles.middle}>50</span>
        <span className={styles.zero}>0</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
          <path className={styles.grid} d={`M0 0.5H${WIDTH}M0 50H${WIDTH}M0 99.5H${WIDTH}`} />
          <path className={styles.line} d={`M${points.join('L')}`} />
        </svg>
        <div className={styles.places}>
          {runs.map((run) => (
            <Link
              key={run.id}
              to={getRunStart(run)}
              tabIndex={-1}
              title={`${run.name}: ${formatPassRate([run])}, ${formatExactTime(run.created_at)}`}
              style={{ '--rate': `${getPassRate(run)}%` } as React.CSSProperties}
            />
          ))}
        </div>
      </div>
      <div className={styles.dates} aria-hidden="true">
        <span>{formatDay(runs[0] ?? last)}</span>
        <span>{formatDay(last)}</span>
      </div>
      <FiguresTable
        caption={`Pass rate of the last ${runs.length} runs, the oldest first`}
        heads={['Run', 'Pass rate']}
        rows={runs.map((run) => [run.name, formatPassRate([run])])}
      />
    </>
  )
}

const round = (value: number) => Math.round(value * 10) / 10
