import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'

import styles from './bulk-bar.module.css'
import { formatWholeNumber } from './format-count.ts'
import { IconButton } from './icon-button.tsx'

interface BulkBarProps {
  count: number
  /** What can be done with the selected rows. */
  children: ReactNode
  onClear: () => void
}

/** What can be done with the selected rows of a table. Below the table, and above the bar of a phone. */
export const BulkBar = ({ count, children, onClear }: BulkBarProps) => (
  <div className={styles.bar} role="toolbar" aria-label="Selected rows">
    <IconButton label="Clear the selection" shortcut="Escape" icon={<X />} onClick={onClear} />
    <span className={styles.count} role="status">
      {formatWholeNumber(count)} selected
    </span>
    <div className={styles.actions}>{children}</div>
  </div>
)
