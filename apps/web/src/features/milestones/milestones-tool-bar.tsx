import type { RefObject } from 'react'

import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { milestoneStatusNames } from './milestone-words.ts'
import type { MilestonesView } from './milestone-words.ts'
import styles from './milestones.module.css'

interface MilestonesToolBarProps {
  view: MilestonesView
  filter: RefObject<HTMLSelectElement | null>
  /** Whether there is room for a timeline. */
  hasTimeline: boolean
  onChange: (changes: Partial<MilestonesView>) => void
}

const options = [
  { value: 'active', label: milestoneStatusNames.active },
  { value: 'completed', label: milestoneStatusNames.completed },
  { value: 'archived', label: milestoneStatusNames.archived },
  { value: 'all', label: 'All milestones' },
] as const

const views = [
  { value: 'list', label: 'List' },
  { value: 'timeline', label: 'Timeline' },
] as const

/** The filter of the milestones, and how they are shown. */
export const MilestonesToolBar = ({ view, filter, hasTimeline, onChange }: MilestonesToolBarProps) => (
  <search className={styles.toolBar}>
    <Select
      ref={filter}
      label="Status"
      isLabelHidden
      className={styles.filter}
      value={view.status}
      options={options}
      onChange={(status) => onChange({ status })}
    />
    {hasTimeline && (
      <div className={styles.views}>
        <Segmented label="View" value={view.view} options={views} onChange={(value) => onChange({ view: value })} />
      </div>
    )}
  </search>
)
