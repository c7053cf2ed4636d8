import { type KeyboardEvent, useEffect, useRef } from 'react'

import { keys } from '../../keys.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { LongText } from '../runs/long-text.tsx'
import { BULK_NOTE } from './notes.ts'
import styles from './note-field.module.css'
import type { Execution } from './use-execution.ts'
import { useTypedNote } from './use-note.ts'

/** The server truncates longer notes. */
const MAX_LENGTH = 65_535

/** The note of the open result, or one for all selected results. What is typed is kept in this browser until it is saved. */
export function NoteField({ execution, isSheet = false }: { execution: Execution; isSheet?: boolean }) {
  const { current, selection, notes, details, canExecute, noteFocus } = execution
  const container = useRef<HTMLDivElement>(null)
  const isBulk = selection.selected.length > 0
  const id = isBulk || current === null ? BULK_NOTE : current.id
  const typed = useTypedNote(notes, id)
  // A sheet opens to be typed into.
  const handledFocus = useRef(isSheet ? -1 : noteFocus)
  useEffect(() => {
    if (noteFocus === handledFocus.current) return
    handledFocus.current = noteFocus
    container.current?.querySelector('textarea')?.focus()
  }, [noteFocus])
  if (current === null) return null
  const saved = isBulk ? '' : details.getNote(current)
  if (!canExecute) return <ReadOnlyNote typed={typed} saved={saved ?? ''} />

  function handleKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === 'Escape') {
      event.stopPropagation()
      event.currentTarget.blur()
      execution.closeNote()
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      event.currentTarget.blur()
      execution.saveNote()
    }
  }
  return (
    <div ref={container} className={styles.note}>
      <TextArea
        label={isBulk ? 'Note for all selected' : 'Note'}
        value={typed ?? saved ?? ''}
        minRows={4}
        maxRows={16}
        limit={MAX_LENGTH}
        // Until the saved note has arrived, what is typed could replace it.
        readOnly={saved === undefined && typed === null}
        aria-keyshortcuts="N"
        placeholder={saved === undefined ? 'Loading…' : getPlaceholder(isBulk ? null : execution.explained)}
        onChange={({ target }) => notes.type(id, target.value, saved ?? '')}
        onKeyDown={handleKey}
      />
      {typed !== null && !isBulk && (
        <div className={styles.actions}>
          <span className={styles.hint}>Kept in this browser, saved with the result</span>
          <Button variant="quiet" onClick={() => notes.forget(id)}>
            Discard
          </Button>
          {current.status !== 'not_tested' && (
            <Button shortcut={keys.saveNote.bindings[0]} onClick={execution.saveNote}>
              Save note
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

const getPlaceholder = (explained: Execution['explained']) =>
  explained === null
    ? 'What happened (optional)'
    : `N writes the note of ${explained.test_case_id ?? explained.test_case_title}, which you have just set`

/** What cannot be changed; a draft is still there to be copied. */
function ReadOnlyNote({ typed, saved }: { typed: string | null; saved: string }) {
  if (typed === null && saved === '') return null
  return (
    <section className={styles.readOnly} aria-label="Note">
      {saved !== '' && <LongText text={saved} render={(text) => <Markdown text={text} />} />}
      {typed !== null && (
        <div className={styles.draft}>
          <p className={styles.hint}>Your note, not saved</p>
          <p className={styles.draftText}>{typed}</p>
          <CopyButton text={typed} label="Copy note" />
        </div>
      )}
    </section>
  )
}
