import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Plus from 'lucide-react/icons/plus'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import X from 'lucide-react/icons/x'
import { type ClipboardEvent, type KeyboardEvent, useId, useRef } from 'react'
import { flushSync } from 'react-dom'

import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import formStyles from '../../ui/form-page.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import type { OptionDraft } from './field-draft.ts'

interface OptionsEditorProps {
  options: readonly OptionDraft[]
  error: string | undefined
  onChange: (options: readonly OptionDraft[]) => void
}

const MAX_OPTIONS = 200
const MAX_LABEL_LENGTH = 100

/** The options of a field, one line each. Enter adds the next, and several lines can be pasted. */
export function OptionsEditor({ options, error, onChange }: OptionsEditorProps) {
  const legend = useId()
  const list = useRef<HTMLOListElement>(null)
  /** The line has the focus before the next key, which belongs to it. */
  function changeTo(next: readonly OptionDraft[], focused: number): void {
    flushSync(() => onChange(next))
    list.current?.querySelectorAll('input')[focused]?.focus()
  }
  const nextId = Math.max(-1, ...options.map(({ id }) => id)) + 1
  const toNew = (label: string, offset = 0): OptionDraft => ({
    id: nextId + offset,
    key: null,
    label,
    is_retired: false,
  })
  const change = (index: number, changes: Partial<OptionDraft>) =>
    onChange(options.map((option, place) => (place === index ? { ...option, ...changes } : option)))
  function insert(index: number, labels: readonly string[]): void {
    const room = MAX_OPTIONS - options.length
    if (room <= 0) return
    const added = labels.slice(0, room).map((label, offset) => toNew(label.slice(0, MAX_LABEL_LENGTH), offset))
    changeTo(options.toSpliced(index, 0, ...added), index + added.length - 1)
  }
  function move(index: number, to: number): void {
    const option = options[index]
    if (option === undefined || to < 0 || to >= options.length) return
    changeTo(options.toSpliced(index, 1).toSpliced(to, 0, option), to)
  }
  function remove(index: number): void {
    changeTo(options.toSpliced(index, 1), Math.max(index - 1, 0))
  }
  function handleKey(event: KeyboardEvent, index: number): void {
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault()
      move(index, event.key === 'ArrowUp' ? index - 1 : index + 1)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      insert(index + 1, [''])
    } else if (event.key === 'Backspace' && options[index]?.label === '' && options[index].key === null) {
      event.preventDefault()
      remove(index)
    }
  }
  function handlePaste(event: ClipboardEvent, index: number): void {
    const lines = event.clipboardData
      .getData('text/plain')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    if (lines.length < 2) return
    event.preventDefault()
    const isEmpty = options[index]?.label === '' && options[index].key === null
    if (!isEmpty) return insert(index + 1, lines)
    const room = MAX_OPTIONS - options.length + 1
    onChange(options.toSpliced(index, 1, ...lines.slice(0, room).map((line, offset) => toNew(line, offset))))
  }
  return (
    <fieldset className={formStyles.choices} aria-describedby={error === undefined ? undefined : legend}>
      <legend>Options</legend>
      {options.length > 0 && (
        <ol ref={list} className={formStyles.choices} style={{ maxHeight: 320, overflowY: 'auto', padding: 2 }}>
          {options.map((option, index) => (
            <li key={option.id} className={formStyles.buttons} style={{ flexWrap: 'nowrap', gap: 4 }}>
              <TextField
                label={`Option ${index + 1}`}
                isLabelHidden
                className={formStyles.text}
                value={option.label}
                maxLength={MAX_LABEL_LENGTH}
                disabled={option.is_retired}
                placeholder="Label"
                onChange={({ target }) => change(index, { label: target.value })}
                onKeyDown={(event) => handleKey(event, index)}
                onPaste={(event) => handlePaste(event, index)}
              />
              {option.is_retired && <span className={formStyles.muted}>Retired</span>}
              <IconButton
                label={`Move option ${index + 1} up`}
                icon={<ArrowUp />}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <IconButton
                label={`Move option ${index + 1} down`}
                icon={<ArrowDown />}
                disabled={index === options.length - 1}
                onClick={() => move(index, index + 1)}
              />
              {option.is_retired ? (
                <IconButton
                  label={`Restore option ${index + 1}`}
                  icon={<RotateCcw />}
                  onClick={() => change(index, { is_retired: false })}
                />
              ) : (
                <IconButton
                  label={option.key === null ? `Remove option ${index + 1}` : `Retire option ${index + 1}`}
                  icon={<X />}
                  onClick={() => (option.key === null ? remove(index) : change(index, { is_retired: true }))}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {error !== undefined && (
        <p id={legend} className={formStyles.failed}>
          {error}
        </p>
      )}
      <span>
        <Button icon={<Plus />} disabled={options.length >= MAX_OPTIONS} onClick={() => insert(options.length, [''])}>
          Add an option
        </Button>
      </span>
      {options.length >= MAX_OPTIONS && <p className={formStyles.muted}>A field has at most {MAX_OPTIONS} options.</p>}
    </fieldset>
  )
}
