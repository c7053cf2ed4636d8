import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'

import { describeFailure } from '../../problems.ts'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import type { PaletteEntry } from './palette-entries.ts'
import styles from './palette.module.css'
import { usePaletteEntries } from './use-palette-entries.ts'

interface PaletteProps {
  /** Returns what was typed before the field had the focus. */
  takeTyped: () => string
  onClose: () => void
  onOpenKeyGuide: () => void
}

/** Finds pages, actions, and everything that the service has: by typing, arrow keys and Enter. */
export function Palette({ takeTyped, onClose, onOpenKeyGuide }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const id = useId()
  const { entries, error, isWaiting } = usePaletteEntries(typed, onOpenKeyGuide)
  const current = Math.min(chosen, entries.length - 1)
  const optionId = (index: number) => `${id}-${index}`

  function open({ path, run }: PaletteEntry, isNewTab: boolean): void {
    if (path !== undefined && isNewTab) return void window.open(path)
    onClose()
    run?.()
    if (path?.startsWith('/docs')) window.location.assign(path)
    else if (path !== undefined) void navigate(path)
  }
  function handleKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const entry = entries[current]
    if (step !== undefined) {
      event.preventDefault()
      const next = (current + step + entries.length) % Math.max(entries.length, 1)
      setChosen(next)
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && entry !== undefined) {
      event.preventDefault()
      open(entry, event.ctrlKey || event.metaKey)
    }
  }
  return (
    <Dialog isOpen onClose={onClose} title="Search" size="large" initialFocus={input}>
      <div className={styles.palette}>
        <Field label="Search everything" isLabelHidden>
          {(control) => (
            <input
              {...control}
              ref={input}
              type="text"
              role="combobox"
              autoComplete="off"
              maxLength={255}
              placeholder="Test cases, runs, projects, pages"
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-activedescendant={entries.length === 0 ? undefined : optionId(current)}
              value={typed}
              onFocus={() => setTyped(typed + takeTyped())}
              onChange={(event) => {
                setTyped(event.target.value)
                setChosen(0)
              }}
              onKeyDown={handleKey}
            />
          )}
        </Field>
        {/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role -- the list of a combobox */}
        <ul id={`${id}-list`} className={styles.list} role="listbox" aria-label="Hits">
          {entries.map((entry, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the focus and the keys
            <li
              key={entry.id}
              id={optionId(index)}
              className={classNames(styles.option, index === current && styles.current)}
              role="option"
              aria-selected={index === current}
              title={entry.title}
              onMouseDown={(event) => event.preventDefault()}
              onClick={(event) => open(entry, event.ctrlKey || event.metaKey)}
            >
              <span className={styles.group}>{entry.group === entries[index - 1]?.group ? '' : entry.group}</span>
              <span className={styles.title}>{entry.title}</span>
              {entry.detail !== undefined && <span className={styles.detail}>{entry.detail}</span>}
              {entry.shortcut !== undefined && <Kbd keys={entry.shortcut} />}
            </li>
          ))}
        </ul>
        {/* oxlint-enable jsx-a11y/no-noninteractive-element-to-interactive-role */}
        <p className={styles.state} role="status">
          {error !== null && describeFailure(error).message}
          {error === null && !isWaiting && entries.length === 0 && 'Nothing matches.'}
        </p>
      </div>
    </Dialog>
  )
}
