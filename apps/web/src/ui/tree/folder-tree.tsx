import {
  dragAndDropFeature,
  type DragTarget,
  hotkeysCoreFeature,
  type ItemInstance,
  keyboardDragAndDropFeature,
  renamingFeature,
  syncDataLoaderFeature,
} from '@headless-tree/core'
import { AssistiveTreeDescription, useTree } from '@headless-tree/react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'

import { FolderRow } from './folder-row.tsx'
import styles from './folder-tree.module.css'
import { findByPrefix, groupByParent, ROOT_ID, type TreeFolder } from './folders.ts'

/** Typing goes on with the same word for so long. */
const WORD_MS = 700

/** Where folders are dropped. */
export interface FolderTarget {
  /** Null for the top. */
  parentId: string | null
  /** The place among the folders of the parent; null for the end. */
  index: number | null
}

interface FolderTreeProps {
  label: string
  folders: readonly TreeFolder[]
  /** The folder whose test cases are shown. */
  selectedId: string | null
  onSelect: (id: string) => void
  openIds: readonly string[]
  onOpenChange: (ids: string[]) => void
  /** Missing if the user may not change folders. */
  onRename?: (id: string, name: string) => void
  onMove?: (ids: string[], target: FolderTarget) => void
  /** `Delete` on a folder. */
  onDelete?: (id: string) => void
  /** `Shift+N` on a folder, which gets a new one inside. */
  onCreate?: (parentId: string) => void
  /** Test cases that were dragged from the table. Missing if the user may not move them. */
  onDropForeign?: (transfer: DataTransfer, folderId: string) => void
  canDropForeign?: (transfer: DataTransfer) => boolean
}

/** The tree of folders: arrow keys, type-ahead, `F2` to rename, dragging with the pointer or with `Ctrl+Shift+D`. */
export function FolderTree(props: FolderTreeProps) {
  const { label, folders, selectedId, onSelect, openIds, onOpenChange, onRename, onMove, onDropForeign } = props
  const byId = useMemo(() => new Map(folders.map((folder) => [folder.id, folder])), [folders])
  const children = useMemo(() => groupByParent(folders), [folders])
  // The tree renders again when the list is another one, also if it contains the same ids.
  const openKey = openIds.join('\n')
  const expandedItems = useMemo(() => openKey.split('\n').filter(Boolean), [openKey])
  const typed = useRef({ text: '', at: 0 })
  // Letters find folders until one is chosen. Then they are the page's: `C` creates a test case in it.
  const [hasChosen, setHasChosen] = useState(false)

  const tree = useTree<TreeFolder>({
    rootItemId: ROOT_ID,
    getItemName: (item) => item.getItemData().name,
    isItemFolder: (item) => children.has(item.getId()),
    dataLoader: {
      getItem: (id) => byId.get(id) ?? { id, name: '', parentId: null },
      getChildren: (id) => children.get(id) ?? [],
    },
    state: { expandedItems },
    setExpandedItems: (update) => onOpenChange(typeof update === 'function' ? update(expandedItems) : update),
    onPrimaryAction(item) {
      onSelect(item.getId())
      setHasChosen(true)
    },
    canRename: () => onRename !== undefined,
    onRename: (item, name) => {
      if (name.trim() !== '' && name.trim() !== item.getItemName()) onRename?.(item.getId(), name.trim())
    },
    canReorder: true,
    canDrag: () => onMove !== undefined,
    canDrop: (items, target) => onMove !== undefined && !items.some((item) => isWithin(target.item, item)),
    onDrop: (items, target) =>
      onMove?.(
        items.map((item) => item.getId()),
        toTarget(target),
      ),
    canDragForeignDragObjectOver: (transfer) => props.canDropForeign?.(transfer) ?? false,
    canDropForeignDragObject: (transfer) => props.canDropForeign?.(transfer) ?? false,
    onDropForeignDragObject: (transfer, target) => onDropForeign?.(transfer, target.item.getId()),
    openOnDropDelay: 600,
    indent: 1,
    features: [
      syncDataLoaderFeature,
      hotkeysCoreFeature,
      dragAndDropFeature,
      keyboardDragAndDropFeature,
      renamingFeature,
    ],
  })
  useEffect(() => tree.rebuildTree(), [tree, children])

  /** Handles the keys that the tree itself does not know. */
  function handleKey(event: KeyboardEvent): void {
    const focused = tree.getItems().find((item) => item.isFocused())
    if (tree.isRenamingItem() || focused === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (/^(?:Arrow|Home$|End$)/.test(event.key)) setHasChosen(false)
    const act =
      event.key === 'Delete' ? props.onDelete : event.shiftKey && event.key === 'N' ? props.onCreate : undefined
    if (act === undefined) return typeAhead(event)
    event.preventDefault()
    event.stopPropagation()
    act(focused.getId())
  }

  /** Moves the focus to the next folder whose name begins with what is typed. */
  function typeAhead(event: KeyboardEvent): void {
    if (event.key.length !== 1 || event.key === ' ' || hasChosen) return
    // The keys of the page must not act as well.
    event.stopPropagation()
    const isSameWord = event.timeStamp - typed.current.at < WORD_MS
    typed.current = { text: (isSameWord ? typed.current.text : '') + event.key, at: event.timeStamp }
    const items = tree.getItems()
    const current = items.findIndex((item) => item.isFocused())
    const found = items[findByPrefix(items.map(getName), current, typed.current.text)]
    found?.setFocused()
    tree.updateDomFocus()
  }

  return (
    <>
      {/* Beside the tree: an element inside of it would be read as an item. */}
      <AssistiveTreeDescription tree={tree} className={styles.description} />
      <div
        {...tree.getContainerProps(label)}
        className={styles.tree}
        data-page-has-letters={hasChosen || undefined}
        onKeyDownCapture={handleKey}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) setHasChosen(false)
        }}
      >
        {tree.getItems().map((item) => (
          <FolderRow key={item.getId()} item={item} isSelected={item.getId() === selectedId} />
        ))}
        <div className={styles.dragLine} style={tree.getDragLineStyle()} aria-hidden="true" />
      </div>
    </>
  )
}

const isWithin = (item: ItemInstance<TreeFolder>, other: ItemInstance<TreeFolder>) =>
  item.equals(other) || item.isDescendentOf(other.getId())

const getName = (item: ItemInstance<TreeFolder>) => item.getItemName()

function toTarget(target: DragTarget<TreeFolder>): FolderTarget {
  const id = target.item.getId()
  return { parentId: id === ROOT_ID ? null : id, index: 'childIndex' in target ? target.insertionIndex : null }
}
