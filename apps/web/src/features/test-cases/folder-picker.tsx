import type { Folder } from '@caseward/client/endpoints'
import { type KeyboardEvent, type RefObject, useId, useMemo, useState } from 'react'

import { toSearchWords } from '../../row-index/search-text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Field } from '../../ui/field.tsx'
import styles from './folder-picker.module.css'
import { orderFolders } from './group-by-folder.ts'

interface FolderPickerProps {
  folders: readonly Folder[]
  /** What stands for no folder: “No folder” for test cases, “Top level” for folders. */
  noneLabel: string
  /** Null for none. */
  value: string | null
  onChange: (folderId: string | null) => void
  input?: RefObject<HTMLInputElement | null>
}

interface Choice {
  readonly id: string | null
  readonly name: string
  readonly path: string
  readonly depth: number
}

/** Further folders are found by typing. */
const MAX_SHOWN = 200

/** A choice of a folder: typing filters the list, the arrow keys move in it. */
export function FolderPicker({ folders, noneLabel, value, onChange, input }: FolderPickerProps) {
  const [search, setSearch] = useState('')
  const id = useId()
  const choices = useMemo(() => {
    const none: Choice = { id: null, name: noneLabel, path: noneLabel, depth: 0 }
    const others = orderFolders(folders).map(({ folder, path }) => ({
      id: folder.id,
      name: folder.name,
      path: path.join(' › '),
      depth: path.length - 1,
    }))
    return [none, ...others]
  }, [folders, noneLabel])
  const words = toSearchWords(search)
  const isSearching = words.length > 0
  const shown = choices
    .filter(({ path }) => words.every((word) => path.toLowerCase().includes(word)))
    .slice(0, MAX_SHOWN)
  const current = shown.findIndex((choice) => choice.id === value)
  const optionId = (index: number) => `${id}-${index}`

  function type(text: string): void {
    setSearch(text)
    const typed = toSearchWords(text)
    const first = choices.find(({ path }) => typed.every((word) => path.toLowerCase().includes(word)))
    if (typed.length > 0 && first !== undefined) onChange(first.id)
  }
  function handleKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.min(Math.max(current + step, 0), shown.length - 1)
    const choice = shown[next]
    if (choice === undefined) return
    onChange(choice.id)
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div className={styles.picker}>
      <Field label="Folder" isLabelHidden>
        {(control) => (
          <input
            {...control}
            ref={input}
            type="text"
            role="combobox"
            autoComplete="off"
            placeholder="Find a folder"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={current === -1 ? undefined : optionId(current)}
            value={search}
            onChange={(event) => type(event.target.value)}
            onKeyDown={handleKey}
          />
        )}
      </Field>
      {/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role -- the list of a combobox */}
      <ul id={`${id}-list`} className={styles.list} role="listbox" aria-label="Folders">
        {shown.map((choice, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the focus and the keys
          <li
            key={choice.id ?? ''}
            id={optionId(index)}
            className={classNames(styles.option, choice.id === value && styles.current)}
            role="option"
            aria-selected={choice.id === value}
            title={choice.path}
            style={isSearching ? {} : { paddingInlineStart: 8 + Math.min(choice.depth, 6) * 14 }}
            onClick={() => onChange(choice.id)}
          >
            {isSearching ? choice.path : choice.name}
          </li>
        ))}
      </ul>
      {/* oxlint-enable jsx-a11y/no-noninteractive-element-to-interactive-role */}
      {shown.length === 0 && <p className={styles.none}>No folder matches.</p>}
    </div>
  )
}
