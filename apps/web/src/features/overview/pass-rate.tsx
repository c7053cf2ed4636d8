import type { Run } from '@caseward/client/endpoints'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { formatExactTime } from '../../times.ts'
import { FiguresTable } from '../../ui/chart/figures-table.tsx'
import { countTested } from '../runs/count-statuses.ts'
import { LoadedCard } from '../../ui/loaded-card.tsx'
import styles from './overview.module.css'

/** Of the drawing; it is stretched to the width of the card. */
const WIDTH = 300
const HEIGHT = 100

/** The pass rates of the last runs in which something was tested. Each leads to its run. */
export function PassRate({ query }: { query: UseQueryResult<{ data: Run[] }> }) {
  return (
    <LoadedCard title="Pass rate" query={query} rows={6}>
      {({ data }) => <Chart runs={data.filter(({ stats }) => countTested(stats) > 0).toReversed()} />}
    </LoadedCard>
  )
}

function Chart({ runs }: { runs: readonly Run[] }) {
  const last = runs.at(-1)
  if (last === undefined) {
    return (
      <div className={styles.none}>
        <p>Here you will see how the pass rate changes from run to run.</p>
      </div>
    )
  }
  const step = WIDTH / runs.length
  const points = runs.map(({ pass_rate: rate }, index) => `${round((index + 0.5) * step)} ${HEIGHT - rate}`)
  return (
    <div className={styles.trend}>
      <p className={styles.rate}>
        <strong>{formatRate(last.pass_rate)}</strong>{' '}
        {runs.length === 1 ? 'in one run' : `in the last of ${runs.length} runs`}
      </p>
      <div className={styles.chart} aria-hidden="true">
        <span className={styles.top}>100</span>
        <span className={styles.middle}>50</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
          <path className={styles.grid} d={`M0 0.5H${WIDTH}M0 50H${WIDTH}M0 99.5H${WIDTH}`} />
          <path className={styles.line} d={`M${points.join('L')}`} />
        </svg>
        <div className={styles.places}>
          {runs.map(({ id, name, pass_rate: rate, created_at: at }) => (
            <Link
              key={id}
              to={paths.run(id)}
              tabIndex={-1}
              title={`${name}: ${formatRate(rate)}, ${formatExactTime(at)}`}
              style={{ '--rate': `${rate}%` } as React.CSSProperties}
            />
          ))}
        </div>
      </div>
      <FiguresTable
        caption={`Pass rate of the last ${runs.length} runs, the oldest first`}
        heads={['Run', 'Pass rate']}
        rows={runs.map(({ name, pass_rate: rate }) => [name, formatRate(rate)])}
      />
    </div>
  )
}

const formatRate = (rate: number) => `${Math.round(rate)} %`
const round = (value: number) => Math.round(value * 10) / 10
