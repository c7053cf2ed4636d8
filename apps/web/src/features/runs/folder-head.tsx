import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronRight from 'lucide-react/icons/chevron-right'

import { Count } from '../../ui/count.tsx'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import styles from './folder-head.module.css'
import type { RunRow } from './run-rows.ts'

/** More names are hidden in the middle. */
const MAX_NAMES = 3

interface FolderHeadProps {
  item: Extract<RunRow, { kind: 'folder' }>
  /** Whether all of its results are selected; null if results cannot be selected. */
  isSelected: boolean | null
}

/** The head of the results of a folder. The row of the table opens and closes it. */
export function FolderHead({ item, isSelected }: FolderHeadProps) {
  const { path, counts, count, isOpen } = item
  const names = path.length > MAX_NAMES ? [...path.slice(0, 1), '…', ...path.slice(2 - MAX_NAMES)] : path
  return (
    <span className={styles.head}>
      {isSelected !== null && (
        <input
          className={styles.checkbox}
          type="checkbox"
          aria-label={`Select all in ${path.length === 0 ? 'No folder' : path.join(' › ')}`}
          tabIndex={-1}
          checked={isSelected}
          readOnly
        />
      )}
      {isOpen ? <ChevronDown aria-label="Open" role="img" /> : <ChevronRight aria-label="Closed" role="img" />}
      <span className={styles.path} title={path.join(' › ')}>
        {path.length === 0 ? 'No folder' : names.join(' › ')}
      </span>
      <span className={styles.count}>
        <Count value={count} />
      </span>
      <StatusBar counts={counts} className={styles.bar} />
    </span>
  )
}
