import type { RefObject } from 'react'

import { Select } from '../../ui/select.tsx'
import { milestoneStatusNames } from './milestone-words.ts'
import type { MilestonesView } from './milestone-words.ts'
import styles from './milestones.module.css'

interface MilestonesToolBarProps {
  status: MilestonesView['status']
  filter: RefObject<HTMLSelectElement | null>
  onChange: (status: MilestonesView['status']) => void
}

const options = [
  { value: 'active', label: milestoneStatusNames.active },
  { value: 'completed', label: milestoneStatusNames.completed },
  { value: 'archived', label: milestoneStatusNames.archived },
  { value: 'all', label: 'All milestones' },
] as const

/** The filter of the list of milestones. */
export const MilestonesToolBar = ({ status, filter, onChange }: MilestonesToolBarProps) => (
  <search className={styles.toolBar}>
    <Select
      ref={filter}
      label="Status"
      isLabelHidden
      className={styles.filter}
      value={status}
      options={options}
      onChange={onChange}
    />
  </search>
)
