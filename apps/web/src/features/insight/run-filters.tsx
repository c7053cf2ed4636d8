import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { INSIGHT_DAYS } from './insight-paths.ts'
import { type InsightView, NO_SERIES } from './use-insight-view.ts'

/** Which runs are counted. A project with one suite sees none. */
export function RunFilters({
  view: { search, change, branches, series },
  noBranch,
  hasDays,
}: {
  view: InsightView
  /** What no branch in the URL means. */
  noBranch: string
  /** Whether days are counted. */
  hasDays: boolean
}) {
  return (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: '8px 12px', alignItems: 'center' }}>
      <Select
        label="Branch"
        isLabelHidden
        value={search.branch ?? ''}
        options={[{ value: '', label: noBranch }, ...branches.map((value) => ({ value, label: value }))]}
        onChange={(value) => change({ branch: value === '' ? null : value }, 'replace')}
      />
      {(series.length > 0 || search.series !== null) && (
        <Select
          label="Suite"
          isLabelHidden
          value={search.series ?? ''}
          options={[
            { value: '', label: 'All suites' },
            ...series.map((value) => ({ value, label: value })),
            { value: NO_SERIES, label: 'Without a suite' },
          ]}
          onChange={(value) => change({ series: value === '' ? null : value }, 'replace')}
        />
      )}
      {hasDays && (
        <Segmented
          label="Period"
          value={search.days}
          options={INSIGHT_DAYS.map((value) => ({ value, label: `${value} days` }))}
          onChange={(days) => change({ days }, 'replace')}
        />
      )}
    </div>
  )
}
