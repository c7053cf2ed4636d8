import type { ComponentType } from 'react'

import { lazySection } from '../../ui/lazy-section.tsx'
import type { InsightTabProps } from './use-insight-view.ts'

interface RunFiltersOfTab {
  /** What no branch in the URL means. */
  readonly noBranch: string
  /** Whether days are counted. */
  readonly hasDays: boolean
}

interface InsightTab {
  /** In the URL. */
  readonly id: string
  readonly label: string
  /** Which runs the tab counts, if it counts runs. */
  readonly runFilters: RunFiltersOfTab | null
  readonly Content: ComponentType<InsightTabProps>
}

const define = (
  id: string,
  label: string,
  runFilters: RunFiltersOfTab | null,
  load: () => Promise<ComponentType<InsightTabProps>>,
): InsightTab => ({ id, label, runFilters, Content: lazySection(load) })

const DEFAULT_BRANCH = 'Default branch'

/** The tabs of Insight in their order; the first one opens. */
export const insightTabs: readonly [InsightTab, ...InsightTab[]] = [
  define(
    'health',
    'Health',
    { noBranch: DEFAULT_BRANCH, hasDays: true },
    async () => (await import('./health-tab.tsx')).HealthTab,
  ),
  define(
    'failures',
    'Failures',
    { noBranch: 'All branches', hasDays: true },
    async () => (await import('./failures-tab.tsx')).FailuresTab,
  ),
  define('flaky', 'Flaky', null, async () => (await import('./flaky-tab.tsx')).FlakyTab),
  define('quarantine', 'Quarantine', null, async () => (await import('./quarantine-tab.tsx')).QuarantineTab),
  define(
    'speed',
    'Speed',
    { noBranch: DEFAULT_BRANCH, hasDays: false },
    async () => (await import('./speed-tab.tsx')).SpeedTab,
  ),
  define('drift', 'Drift', null, async () => (await import('./drift-tab.tsx')).DriftTab),
]
