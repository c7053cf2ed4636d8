import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { LoadedCard } from '../../ui/loaded-card.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { describeCurrent, describePast, type HealthBand, nameSeries } from '../insight/describe-band.ts'
import { getTabPath } from '../insight/insight-paths.ts'
import styles from './overview.module.css'

/** How far the card looks back. */
export const GREEN_DAYS = 7

/** Whether the default branch is green, and since when: a line for each suite, the red ones first. */
export function GreenCard({ projectId, query }: { projectId: string; query: UseQueryResult<HealthBand> }) {
  const [now] = useState(Date.now)
  if (query.data?.band.length === 0) return null
  return (
    <LoadedCard
      title={query.data === undefined ? 'Is it green?' : `Is ${query.data.branch ?? 'it'} green?`}
      query={query}
      rows={1}
      more={
        <Link className={styles.more} to={getTabPath(projectId, 'health')}>
          Health
        </Link>
      }
    >
      {({ band, branch }) => (
        <ul>
          {band
            .toSorted((left, right) => Number(isRed(right)) - Number(isRed(left)))
            .map((row) => (
              <li key={row.series} className={styles.row} style={{ flexWrap: 'wrap' }}>
                {row.current !== null && <StatusGlyph status={isRed(row) ? 'failed' : 'passed'} isNamed={false} />}
                <Link
                  className={styles.name}
                  style={{ flex: '1 0 auto', maxWidth: '100%', whiteSpace: 'normal' }}
                  to={getTabPath(projectId, 'health', row.series === '' ? {} : { series: row.series })}
                >
                  {`${nameSeries(row.series, branch)}: ${describeCurrent(row, now)}`}
                </Link>
                <span className={styles.note} style={{ flex: '0 1 auto', minWidth: 0, whiteSpace: 'normal' }}>
                  {describePast(row, GREEN_DAYS)}
                </span>
              </li>
            ))}
        </ul>
      )}
    </LoadedCard>
  )
}

const isRed = ({ current }: HealthBand['band'][number]): boolean => current?.state === 'red'
