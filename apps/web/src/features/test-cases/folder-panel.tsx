import type { Folder } from '@caseward/client/endpoints'
import Ellipsis from 'lucide-react/icons/ellipsis'
import FolderPlus from 'lucide-react/icons/folder-plus'
import { type DragEvent, useMemo, useState } from 'react'

import { NO_FOLDER } from '../../search-schemas.ts'
import { classNames } from '../../ui/class-names.ts'
import { Count } from '../../ui/count.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { FolderTree, type FolderTarget } from '../../ui/tree/folder-tree.tsx'
import { CASES_FORMAT, readDroppedCases } from './dropped-cases.ts'
import type { FolderMenuProps } from './folder-menu.tsx'
import styles from './folder-panel.module.css'
import { type FolderCount, orderFolders } from './group-by-folder.ts'
import { useOpenFolders } from './use-open-folders.ts'

interface FolderPanelProps {
  projectId: string
  folders: readonly Folder[]
  counts: ReadonlyMap<string | null, FolderCount>
  /** The number of all test cases. */
  total: number
  /** A folder, `none`, or null for all. */
  selected: string | null
  onSelect: (folder: string | null) => void
  mayEdit: boolean
  /** Whether the place of the folders has their title already. */
  isTitleHidden?: boolean
  onCreate: (parentId: string | null) => void
  onRename: (folder: Folder, name: string) => void
  onAskName: (folder: Folder) => void
  onAskPlace: (folder: Folder) => void
  onMove: (folder: Folder, target: FolderTarget) => void
  onDelete: (folder: Folder) => void
  /** Test cases that were dragged here. */
  onDropCases: (ids: readonly string[], folderId: string | null) => void
}

/** Until its code is loaded, there is its button alone. */
const FolderMenu = lazyPart(async () => (await import('./folder-menu.tsx')).FolderMenu, {
  button: ({ trigger }: FolderMenuProps) => trigger,
})

/** The folders of a project with their numbers of test cases. */
export function FolderPanel(props: FolderPanelProps) {
  const { projectId, folders, counts, total, selected, onSelect, mayEdit, isTitleHidden = false } = props
  const [openIds, setOpenIds] = useOpenFolders(projectId, folders, selected)
  const tree = useMemo(
    () =>
      orderFolders(folders).map(({ folder }) => ({
        id: folder.id,
        name: folder.name,
        parentId: folder.parent_id,
        count: counts.get(folder.id)?.total ?? 0,
      })),
    [folders, counts],
  )
  const byId = useMemo(() => new Map(folders.map((folder) => [folder.id, folder])), [folders])
  const current = selected === null ? undefined : byId.get(selected)
  const withFolder = (act: (folder: Folder) => void) => (id: string) => {
    const folder = byId.get(id)
    if (folder !== undefined) act(folder)
  }
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        {isTitleHidden ? <span className={styles.title} /> : <h2 className={styles.title}>Folders</h2>}
        {mayEdit && (
          <>
            {current !== undefined && (
              <FolderMenu
                folder={current}
                trigger={<IconButton label={`Actions of ${current.name}`} icon={<Ellipsis />} />}
                onCreate={props.onCreate}
                onAskName={props.onAskName}
                onAskPlace={props.onAskPlace}
                onDelete={props.onDelete}
              />
            )}
            <IconButton
              label="New folder"
              shortcut="Shift+N"
              icon={<FolderPlus />}
              onClick={() => props.onCreate(current?.id ?? null)}
            />
          </>
        )}
      </div>
      <div className={styles.scroller}>
        <Place label="All test cases" count={total} isCurrent={selected === null} onSelect={() => onSelect(null)} />
        <FolderTree
          label="Folders"
          folders={tree}
          selectedId={current?.id ?? null}
          onSelect={onSelect}
          openIds={openIds}
          onOpenChange={setOpenIds}
          {...(mayEdit
            ? {
                onRename: (id, name) => withFolder((folder) => props.onRename(folder, name))(id),
                onMove: (ids, target) => ids.forEach(withFolder((folder) => props.onMove(folder, target))),
                onDelete: withFolder(props.onDelete),
                onCreate: props.onCreate,
                canDropForeign: hasCases,
                onDropForeign: (transfer, id) =>
                  props.onDropCases(readDroppedCases(transfer), byId.has(id) ? id : null),
              }
            : {})}
        />
        {(counts.get(null)?.own ?? 0) > 0 && (
          <Place
            label="No folder"
            count={counts.get(null)?.own ?? 0}
            isCurrent={selected === NO_FOLDER}
            onSelect={() => onSelect(NO_FOLDER)}
            onDrop={mayEdit ? (ids) => props.onDropCases(ids, null) : undefined}
          />
        )}
      </div>
    </div>
  )
}

const hasCases = (transfer: DataTransfer) => transfer.types.includes(CASES_FORMAT)

interface PlaceProps {
  label: string
  count: number
  isCurrent: boolean
  onSelect: () => void
  onDrop?: ((ids: readonly string[]) => void) | undefined
}

/** What is beside the tree: everything, and what is in no folder. */
function Place({ label, count, isCurrent, onSelect, onDrop }: PlaceProps) {
  const [isTarget, setIsTarget] = useState(false)
  const over = (event: DragEvent) => {
    if (!hasCases(event.dataTransfer)) return
    event.preventDefault()
    setIsTarget(true)
  }
  return (
    <button
      type="button"
      className={classNames(styles.place, isCurrent && styles.current, isTarget && styles.target)}
      aria-current={isCurrent || undefined}
      onClick={onSelect}
      {...(onDrop === undefined
        ? {}
        : {
            onDragOver: over,
            onDragLeave: () => setIsTarget(false),
            onDrop: (event: DragEvent) => {
              setIsTarget(false)
              event.preventDefault()
              onDrop(readDroppedCases(event.dataTransfer))
            },
          })}
    >
      <span className={styles.name}>{label}</span>
      <span className={styles.count}>
        <Count value={count} />
      </span>
    </button>
  )
}
