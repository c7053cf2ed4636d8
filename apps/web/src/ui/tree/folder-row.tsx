import type { ItemInstance } from '@headless-tree/core'
import ChevronRight from 'lucide-react/icons/chevron-right'

import { classNames } from '../class-names.ts'
import { Count } from '../count.tsx'
import styles from './folder-tree.module.css'
import type { TreeFolder } from './folders.ts'

/** Deeper folders are not indented further: their path is in the header of the page. */
const MAX_INDENT = 6
const INDENT_PX = 14

interface FolderRowProps {
  item: ItemInstance<TreeFolder>
  isSelected: boolean
}

/** One folder of the tree. */
export function FolderRow({ item, isSelected }: FolderRowProps) {
  const { name, count } = item.getItemData()
  const paddingInlineStart = 4 + Math.min(item.getItemMeta().level, MAX_INDENT) * INDENT_PX
  if (item.isRenaming()) {
    return (
      <div className={styles.row} style={{ paddingInlineStart }}>
        <span className={styles.arrow} />
        <input
          {...item.getRenameInputProps()}
          className={styles.input}
          aria-label={`New name of ${name}`}
          maxLength={255}
        />
      </div>
    )
  }
  function open(): void {
    item.setFocused()
    item.primaryAction()
    // The arrow closes a folder: whoever looks at its test cases wants to see its folders as well.
    if (item.isFolder() && !item.isExpanded()) item.expand()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- a treeitem
    <div
      {...item.getProps()}
      className={classNames(styles.row, isSelected && styles.selected, item.isDragTarget() && styles.target)}
      style={{ paddingInlineStart }}
      aria-selected={isSelected}
      // Its name is its text, with the count.
      aria-label={undefined}
      title={name}
      onClick={open}
      onFocus={() => {
        // Screen readers can move the focus without a key.
        if (!item.isFocused()) item.setFocused()
      }}
      onKeyDownCapture={(event) => {
        // While a folder is dragged, Enter drops it.
        const isDragging = (item.getTree().getState().dnd ?? null) !== null
        if (event.key === 'Enter' && !isDragging) open()
      }}
    >
      <span
        className={classNames(styles.arrow, item.isExpanded() && styles.open)}
        aria-hidden="true"
        onClick={(event) => {
          // The arrow opens the folder without showing its test cases.
          event.stopPropagation()
          if (item.isExpanded()) item.collapse()
          else item.expand()
        }}
      >
        {item.isFolder() && <ChevronRight />}
      </span>
      <span className={styles.name}>{name} </span>
      {count !== undefined && (
        <span className={styles.count}>
          <Count value={count} />
        </span>
      )}
    </div>
  )
}
