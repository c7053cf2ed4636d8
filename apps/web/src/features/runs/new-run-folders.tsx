import ChevronRight from 'lucide-react/icons/chevron-right'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'

import { NO_FOLDER } from '../../search-schemas.ts'
import { classNames } from '../../ui/class-names.ts'
import { Count } from '../../ui/count.tsx'
import { countByFolder, orderFolders } from '../test-cases/group-by-folder.ts'
import { useOpenFolders } from '../test-cases/use-open-folders.ts'
import { type CheckState, checkFolder, getCheckStates } from './new-run-folder-checks.ts'
import styles from './new-run-folders.module.css'
import type { NewRun } from './use-new-run.ts'

/** Deeper folders are not indented further. */
const MAX_INDENT = 6
const INDENT_PX = 18

interface FolderItem {
  readonly id: string
  readonly name: string
  readonly path: string
  /** From 0. */
  readonly level: number
  readonly hasChildren: boolean
  readonly count: number
  readonly state: CheckState
}

/**
 * Chooses folders in a tree with checkboxes. Arrow keys move, close and open; Space and Enter check. While all test cases are
 * chosen, all folders are checked, and unchecking one leaves the others.
 */
export function NewRunFolders({ newRun, projectId }: { newRun: NewRun; projectId: string }) {
  const { choice, change, folders, ordered } = newRun
  const isAll = choice.source === 'all'
  const checkedIds = useMemo(
    () => (isAll ? [...folders.map(({ id }) => id), NO_FOLDER] : choice.folderIds),
    [isAll, folders, choice.folderIds],
  )
  const [openIds, setOpenIds] = useOpenFolders(projectId, folders, null)
  const [activeId, setActiveId] = useState<string | null>(null)
  const tree = useRef<HTMLDivElement>(null)
  const counts = useMemo(() => countByFolder(ordered, folders), [ordered, folders])
  const items = useMemo((): readonly FolderItem[] => {
    const states = getCheckStates(checkedIds, folders)
    const parents = new Set(folders.map(({ parent_id }) => parent_id))
    const open = new Set(openIds)
    const closed = new Set<string>()
    const shown = orderFolders(folders).flatMap(({ folder, path }): FolderItem[] => {
      const isHidden = folder.parent_id !== null && closed.has(folder.parent_id)
      if (isHidden || !open.has(folder.id)) closed.add(folder.id)
      if (isHidden) return []
      const count = counts.get(folder.id)?.total ?? 0
      const state = states.get(folder.id) ?? false
      const hasChildren = parents.has(folder.id)
      return [
        { id: folder.id, name: folder.name, path: path.join(' › '), level: path.length - 1, hasChildren, count, state },
      ]
    })
    const count = counts.get(null)?.own ?? 0
    if (count === 0) return shown
    const state = checkedIds.includes(NO_FOLDER)
    return [
      ...shown,
      { id: NO_FOLDER, name: 'No folder', path: 'No folder', level: 0, hasChildren: false, count, state },
    ]
  }, [checkedIds, folders, openIds, counts])
  const active = Math.max(
    items.findIndex(({ id }) => id === activeId),
    0,
  )

  function toggle({ id, state }: FolderItem): void {
    const isChecked = state !== true
    const others = checkedIds.filter((other) => other !== NO_FOLDER)
    const withoutFolder = isChecked ? [...others, NO_FOLDER] : others
    const folderIds = id === NO_FOLDER ? withoutFolder : checkFolder(checkedIds, id, isChecked, folders)
    change({ source: 'folders', folderIds })
  }
  const setOpen = (id: string, isOpen: boolean) =>
    setOpenIds(isOpen ? [...openIds, id] : openIds.filter((other) => other !== id))
  function focus(index: number): void {
    const item = items[Math.min(Math.max(index, 0), items.length - 1)]
    if (item === undefined) return
    setActiveId(item.id)
    tree.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(item.id)}"]`)?.focus()
  }
  function handleKey(event: KeyboardEvent): void {
    const item = items[active]
    if (item === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const isOpen = openIds.includes(item.id)
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focus(active + 1),
      ArrowUp: () => focus(active - 1),
      Home: () => focus(0),
      End: () => focus(items.length - 1),
      ArrowRight: () => (item.hasChildren && !isOpen ? setOpen(item.id, true) : item.hasChildren && focus(active + 1)),
      ArrowLeft: () =>
        item.hasChildren && isOpen
          ? setOpen(item.id, false)
          : focus(items.findLastIndex(({ level }, index) => index < active && level < item.level)),
      ' ': () => toggle(item),
      Enter: () => toggle(item),
    }
    const act = actions[event.key]
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  if (items.length === 0) return <p className={styles.none}>The project has no folders.</p>
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its items have the focus, one at a time
    <div ref={tree} className={styles.tree} role="tree" aria-label="Folders" onKeyDown={handleKey}>
      {items.map((item, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree has the keys
        <div
          key={item.id}
          className={styles.item}
          role="treeitem"
          data-id={item.id}
          tabIndex={index === active ? 0 : -1}
          aria-level={item.level + 1}
          aria-checked={item.state}
          aria-expanded={item.hasChildren ? openIds.includes(item.id) : undefined}
          title={item.path}
          style={{ paddingInlineStart: 4 + Math.min(item.level, MAX_INDENT) * INDENT_PX }}
          onFocus={() => setActiveId(item.id)}
          onClick={() => toggle(item)}
        >
          <span
            className={classNames(styles.arrow, openIds.includes(item.id) && styles.open)}
            aria-hidden="true"
            onClick={(event) => {
              if (!item.hasChildren) return
              event.stopPropagation()
              setOpen(item.id, !openIds.includes(item.id))
            }}
          >
            {item.hasChildren && <ChevronRight />}
          </span>
          <span className={styles.box} aria-hidden="true" />
          <span className={styles.name}>{item.name} </span>
          <span className={styles.count}>
            <Count value={item.count} />
          </span>
        </div>
      ))}
    </div>
  )
}
