import Download from 'lucide-react/icons/download'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { type KeyboardEvent, useRef, useState } from 'react'

import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Time } from '../../ui/time.tsx'
import { downloadFile } from './download-file.ts'
import { FileIcon } from './file-icon.tsx'
import { describePart, formatBytes, kindNames, stateWords } from './file-words.ts'
import styles from './files.module.css'
import { RenameField } from './rename-field.tsx'
import { isOpenable, type ShownFile } from './shown-file.ts'
import type { FileActions } from './use-file-actions.ts'

interface FileTileProps {
  file: ShownFile
  actions: FileActions
  onOpen: () => void
  /** Called when the code of the viewer will probably be needed. */
  onApproach: () => void
}

/** One attachment: its picture or what it is, and its name. */
export function FileTile({ file, actions, onOpen, onApproach }: FileTileProps) {
  const [isRenaming, setIsRenaming] = useState(false)
  const tile = useRef<HTMLLIElement>(null)
  const mayChange = actions.mayChange(file)
  const canOpen = isOpenable(file)

  function endRenaming(name: string | null): void {
    setIsRenaming(false)
    if (name !== null) void actions.rename(file, name)
    tile.current?.querySelector('button')?.focus()
  }
  function handleKey(event: KeyboardEvent): void {
    if (!mayChange || isRenaming || !(event.target instanceof HTMLButtonElement)) return
    if (event.key === 'F2') setIsRenaming(true)
    else if (event.key === 'Delete') actions.remove(file)
    else return
    event.preventDefault()
    // The keys of the page would rename or delete a test case.
    event.stopPropagation()
  }
  return (
    // The keys belong to its buttons.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      ref={tile}
      className={classNames(styles.tile, file.state !== 'complete' && styles.missing)}
      onKeyDown={handleKey}
    >
      {canOpen ? (
        <button
          type="button"
          className={styles.face}
          onClick={onOpen}
          onPointerEnter={onApproach}
          onFocus={onApproach}
          aria-label={`Open ${file.name}`}
        >
          {file.kind === 'image' ? (
            <img
              className={styles.picture}
              src={file.url}
              alt=""
              loading="lazy"
              decoding="async"
              width={file.width ?? undefined}
              height={file.height ?? undefined}
            />
          ) : (
            <FileIcon kind={file.kind} />
          )}
        </button>
      ) : (
        <div className={styles.face}>
          <FileState file={file} />
        </div>
      )}
      <div className={styles.caption}>
        {isRenaming ? (
          <RenameField name={file.name} onEnd={endRenaming} />
        ) : (
          <span className={styles.name} title={file.name}>
            {file.name}
          </span>
        )}
        {(mayChange || canOpen) && !isRenaming && (
          <Menu
            align="end"
            trigger={<IconButton className={styles.more} label={`More about ${file.name}`} icon={<Ellipsis />} />}
          >
            {canOpen && (
              <MenuItem icon={<Download />} onSelect={() => downloadFile(file)}>
                Download
              </MenuItem>
            )}
            {mayChange && (
              <MenuItem
                icon={<Pencil />}
                shortcut="F2"
                onSelect={() => requestAnimationFrame(() => setIsRenaming(true))}
              >
                Rename
              </MenuItem>
            )}
            {mayChange && (
              <MenuItem icon={<Trash2 />} shortcut="Delete" isDanger onSelect={() => actions.remove(file)}>
                Delete
              </MenuItem>
            )}
          </Menu>
        )}
      </div>
      <span className={styles.meta}>{describeFile(file)}</span>
    </li>
  )
}

function FileState({ file: { state, created_at: at } }: { file: ShownFile }) {
  if (state === 'complete') return <span>{kindNames.other}</span>
  return (
    <span className={styles.state}>
      {stateWords[state]}
      {state === 'waiting' && (
        <>
          {' since '}
          <Time at={at} isInText />
        </>
      )}
    </span>
  )
}

const describeFile = (file: ShownFile): string =>
  [describePart(file), file.byte_count === null ? null : formatBytes(file.byte_count)]
    .filter((part) => part !== null)
    .join(' · ')
