import type { RunConfiguration } from '@caseward/client/endpoints'

import { StatusBar } from '../../ui/status/status-bar.tsx'
import { describeCounts } from '../../ui/status/statuses.ts'

/** How far a run is with each of its configurations. */
export function RunConfigurationBars({ configurations }: { configurations: readonly RunConfiguration[] }) {
  return (
    <ul
      aria-label="Configurations"
      // Many configurations scroll, so that the results stay in sight.
      style={{
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))',
        gap: '4px 16px',
        maxHeight: 132,
        overflow: 'auto',
      }}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={configurations.length > 12 ? 0 : undefined}
    >
      {configurations.map(({ place, name, stats }) => (
        <li
          key={place}
          title={`${name}: ${describeCounts(stats)}`}
          style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) 96px', gap: 8, alignItems: 'center' }}
        >
          <span style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', font: 'var(--text-13)' }}>
            {name}
          </span>
          <StatusBar counts={stats} />
        </li>
      ))}
    </ul>
  )
}
