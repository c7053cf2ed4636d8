import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'

import { useKeys } from '../use-keys.ts'
import { bottomPart } from './bottom-part.ts'
import styles from './bulk-bar.module.css'
import { formatWholeNumber } from './format-count.ts'
import { IconButton } from './icon-button.tsx'

interface BulkBarProps {
  count: number
  /** What can be done with the selected rows. */
  children: ReactNode
  onClear: () => void
  /** Whether the page decides what Esc closes first. */
  isEscapeHandled?: boolean
}

/** What can be done with the selected rows of a table. Below the table, and above the bar of a phone. */
export function BulkBar({ count, children, onClear, isEscapeHandled = false }: BulkBarProps) {
  useKeys(isEscapeHandled ? {} : { close: onClear })
  return (
    <div ref={bottomPart} className={styles.bar} role="toolbar" aria-label="Selected rows">
      <IconButton label="Clear the selection" shortcut="Escape" icon={<X />} onClick={onClear} />
      <span className={styles.count} role="status">
        {formatWholeNumber(count)} selected
      </span>
      <div className={styles.actions}>{children}</div>
    </div>
  )
}
