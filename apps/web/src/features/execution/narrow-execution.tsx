import ChevronLeft from 'lucide-react/icons/chevron-left'
import List from 'lucide-react/icons/list'
import NotebookPen from 'lucide-react/icons/notebook-pen'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { bottomPart } from '../../ui/bottom-part.ts'
import { Button } from '../../ui/button.tsx'
import { formatWholeNumber } from '../../ui/format-count.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { ExecutionCase } from './execution-case.tsx'
import { ExecutionNotices } from './execution-notices.tsx'
import { BULK_NOTE } from './notes.ts'
import { SHOWS_RESULTS } from '../runs/run-start.ts'
import styles from './narrow-execution.module.css'
import { NoteField } from './note-field.tsx'
import { ResultButtons } from './result-buttons.tsx'
import { ResultConflict } from './result-conflict.tsx'
import { Combinations, Comments, EarlierResults, Fields, Files, Links, ResultFacts } from './result-panel.tsx'
import { SaveLine } from './save-line.tsx'
import { TimerLine } from './timer-line.tsx'
import type { Execution } from './use-execution.ts'
import { useTypedNote } from './use-note.ts'

interface NarrowExecutionProps {
  execution: Execution
  list: ReactNode
  isListOpen: boolean
  onToggleList: (isOpen: boolean) => void
}

/** Execution on a phone: the test case, or the list; what sets a result sticks to the bottom. */
export function NarrowExecution({ execution, list, isListOpen, onToggleList }: NarrowExecutionProps) {
  const { runId, data, current, position, shown } = execution
  const place = `${position === 0 ? '–' : formatWholeNumber(position)} of ${formatWholeNumber(shown.length)}`
  return (
    <>
      <div className={styles.header}>
        <Link
          className={styles.back}
          to={paths.run(runId)}
          state={SHOWS_RESULTS}
          aria-label={`Back to ${data.run.data?.name ?? 'the run'}`}
        >
          <ChevronLeft />
        </Link>
        <Button
          variant="quiet"
          className={styles.place}
          icon={<List />}
          aria-expanded={isListOpen}
          onClick={() => onToggleList(!isListOpen)}
        >
          {place}
        </Button>
        <StatusBar counts={data.counts} size="page" className={styles.bar} />
      </div>
      <ExecutionNotices execution={execution} />
      {isListOpen ? (
        <div className={styles.list}>
          <VisuallyHidden>
            <h1>Test cases of {data.run.data?.name}</h1>
          </VisuallyHidden>
          {list}
        </div>
      ) : (
        <>
          <ExecutionCase execution={execution} footer={<CaseFooter execution={execution} />} />
          {current !== null && <BottomPart execution={execution} />}
        </>
      )}
    </>
  )
}

const CaseFooter = ({ execution }: { execution: Execution }) => (
  <>
    <Combinations execution={execution} />
    <Fields execution={execution} />
    <Files execution={execution} />
    <Comments execution={execution} />
  </>
)

function BottomPart({ execution }: { execution: Execution }) {
  const { current, selection, timer, canExecute, isNoteOpen, notes, explained } = execution
  const isBulk = selection.selected.length > 0
  const typed = useTypedNote(notes, isBulk || current === null ? BULK_NOTE : current.id)
  const hasNote = typed !== null || (current !== null && current.note_line !== null)
  return (
    <div ref={bottomPart} className={styles.bottom}>
      {isNoteOpen && (
        <section className={styles.sheet} aria-label="Write the note">
          <div className={styles.sheetHead}>
            <IconButton label="Close the note" shortcut="Escape" icon={<X />} onClick={execution.closeNote} />
          </div>
          <NoteField execution={execution} isSheet />
          <Links execution={execution} />
          <ResultFacts execution={execution} />
          <EarlierResults execution={execution} />
        </section>
      )}
      {!isBulk && <ResultConflict execution={execution} />}
      {canExecute && <ResultButtons execution={execution} />}
      <div className={styles.line}>
        <Button
          variant="quiet"
          icon={<NotebookPen />}
          aria-expanded={isNoteOpen}
          onClick={isNoteOpen ? execution.closeNote : execution.openNote}
        >
          {explained !== null ? `Note of ${explained.test_case_id ?? 'the last one'}` : hasNote ? 'Note ·' : 'Note'}
        </Button>
        {timer !== null && current !== null && <TimerLine timer={timer} resultId={current.id} />}
        <SaveLine execution={execution} />
        {canExecute && current?.status !== 'not_tested' && !isBulk && (
          <Button variant="quiet" onClick={() => execution.set('not_tested', true)}>
            Clear
          </Button>
        )}
      </div>
    </div>
  )
}
