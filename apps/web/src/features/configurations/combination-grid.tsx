import type { ResultRow, ResultStatus } from '@caseward/client/endpoints'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { statusNames } from '../../ui/status/statuses.ts'
import { TextArea } from '../../ui/text-area.tsx'
import { keys } from '../../keys.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { useNarrow } from '../../use-narrow.ts'
import { usePreference } from '../../use-preferences.ts'
import { useKeys } from '../../use-keys.ts'
import { TwoResults } from '../execution/result-conflict.tsx'
import type { Execution } from '../execution/use-execution.ts'
import { resolveAssignee } from '../runs/search-results.ts'
import { useTypedNote } from '../execution/use-note.ts'
import type { ShownCombination } from './set-combination.ts'
import { useCombinations } from './use-combinations.ts'

/** In place of a combination: all of them. */
const ALL = 0

/** What the open test case is tested with. The keys and buttons of statuses set the one that is chosen, and go on to the next. */
export function CombinationGrid({ execution, row }: { execution: Execution; row: ResultRow }) {
  const { query, conflicts, set } = useCombinations(execution, row)
  return (
    <LoadedPart query={query} noun="combinations">
      {(combinations) => (
        <section aria-label="Combinations" style={{ display: 'grid', gap: 8 }}>
          <Loaded execution={execution} row={row} combinations={combinations} onSet={set} />
          {conflicts.map((entry) => (
            <TwoResults key={entry.id} data={execution.data} entry={entry} />
          ))}
        </section>
      )}
    </LoadedPart>
  )
}

interface LoadedProps {
  execution: Execution
  row: ResultRow
  combinations: readonly ShownCombination[]
  onSet: (combination: ShownCombination, status: ResultStatus, note?: string | null) => void
}

function Loaded({ execution, row, combinations, onSet }: LoadedProps) {
  const { canExecute, takeStatuses, setChosenStatus, setChosenPlace, goToNext, notes } = execution
  const { myId } = execution.data
  // Where only test cases of one person are shown, only their combinations follow one another.
  const own = findOwn(combinations, resolveAssignee(execution.view.assigned, myId))
  const [place, setPlace] = useState(() => chooseFirst(combinations, own, execution.place))
  const chosen = combinations.find((one) => one.place === place)
  // What is typed is kept in this browser until it is saved.
  const noteId = `${row.id}/${place}`
  const note = useTypedNote(notes, noteId)
  function save(combination: ShownCombination, status: ResultStatus): void {
    onSet(combination, status, note === null ? undefined : note.trim() === '' ? null : note)
    notes.forget(noteId)
  }
  useEffect(() => {
    takeStatuses((status, stays) => {
      if (chosen === undefined) return true
      save(chosen, status)
      if (stays || status === 'not_tested') return false
      const next = findUntested(own, chosen.place)
      if (next === undefined) goToNext()
      else setPlace(next.place)
      return false
    })
  })
  // The next test case is not set before its own combinations are loaded.
  useEffect(() => {
    return () => {
      takeStatuses(null)
      setChosenStatus(null)
      setChosenPlace(null)
    }
  }, [takeStatuses, setChosenStatus, setChosenPlace])
  const chosenStatus = chosen?.status ?? null
  useEffect(() => setChosenStatus(chosenStatus), [chosenStatus, setChosenStatus])
  const chosenPlace = chosen?.place ?? null
  useEffect(() => setChosenPlace(chosenPlace), [chosenPlace, setChosenPlace])
  useKeys(canExecute ? { allCombinations: () => setPlace(ALL) } : {})
  const isNoteUnknown = chosen !== undefined && chosen.note === undefined && chosen.status !== 'not_tested'
  return (
    <>
      <List combinations={combinations} myId={myId} place={place} onChoose={setPlace} hasAll={canExecute} />
      {chosen !== undefined && canExecute && (
        <div style={{ display: 'grid', gap: 4 }}>
          <TextArea
            label={`Note of ${chosen.name}`}
            value={note ?? chosen.note ?? ''}
            minRows={1}
            maxRows={6}
            // What is typed would replace a note that nobody has seen.
            readOnly={isNoteUnknown}
            placeholder={isNoteUnknown ? 'The note is not loaded yet' : undefined}
            onChange={({ target }) => notes.type(noteId, target.value, chosen.note ?? '')}
          />
          {note !== null && (
            <span>
              <Button onClick={() => save(chosen, chosen.status)}>Save the note</Button>
            </span>
          )}
        </div>
      )}
      {typeof chosen?.note === 'string' && !canExecute && (
        <p style={{ font: 'var(--text-13)', overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{chosen.note}</p>
      )}
    </>
  )
}

/** Those that are assigned to a person; all if none is, because then the result as a whole can be. */
function findOwn(combinations: readonly ShownCombination[], assignee: string | null): readonly ShownCombination[] {
  const own = combinations.filter(({ assigned_to: id }) => id === assignee)
  return assignee === null || own.length === 0 ? combinations : own
}

/** The one that the URL names, or else the first of the person's that is not tested. */
function chooseFirst(
  combinations: readonly ShownCombination[],
  own: readonly ShownCombination[],
  named: number | null,
): number {
  const wanted = combinations.find(({ place }) => place === named)
  return (wanted ?? findUntested(own, null) ?? own[0])?.place ?? ALL
}

/** The next combination that is not tested, after a place and then from the first one on. */
function findUntested(combinations: readonly ShownCombination[], after: number | null): ShownCombination | undefined {
  const untested = combinations.filter(({ place, status }) => status === 'not_tested' && place !== after)
  return untested.find(({ place }) => after === null || place > after) ?? untested[0]
}

interface ListProps {
  combinations: readonly ShownCombination[]
  myId: string | undefined
  place: number
  onChoose: (place: number) => void
  /** Whether all can be set together. */
  hasAll: boolean
}

/** A list of which one entry is chosen: the arrow keys move. */
function List({ combinations, myId, place, onChoose, hasAll }: ListProps) {
  const id = useId()
  const isNarrow = useNarrow()
  const areKeysOn = usePreference('singleLetterKeys')
  const list = useRef<HTMLDivElement>(null)
  const places = [...combinations.map((one) => one.place), ...(hasAll ? [ALL] : [])]
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [place])
  function move(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }
    const index = places.indexOf(place)
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? places.length - 1 : index + (steps[event.key] ?? 0)
    if (next === index || places[next] === undefined) return
    // Otherwise the page would go to another step.
    event.preventDefault()
    event.stopPropagation()
    onChoose(places[next])
  }
  return (
    <div
      ref={list}
      role="listbox"
      aria-label="Combinations"
      aria-activedescendant={`${id}-${place}`}
      tabIndex={0}
      onKeyDown={move}
      style={{
        maxHeight: 240,
        overflow: 'auto',
        border: '1px solid var(--line)',
        borderRadius: 'var(--radius-control)',
        font: 'var(--text-13)',
      }}
    >
      {combinations.map((one) => (
        <Entry
          key={one.place}
          id={`${id}-${one.place}`}
          isChosen={one.place === place}
          onChoose={() => onChoose(one.place)}
        >
          <StatusGlyph status={one.status} />
          <span style={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{one.name}</span>
          {one.assigned_to !== null && one.assigned_to === myId && <span>Yours</span>}
          <span style={{ color: 'var(--muted)' }}>{statusNames[one.status]}</span>
        </Entry>
      ))}
      {hasAll && combinations.length > 1 && (
        <Entry id={`${id}-${ALL}`} isChosen={place === ALL} onChoose={() => onChoose(ALL)}>
          <span style={{ flex: 1 }}>All {combinations.length} together</span>
          {areKeysOn && !isNarrow && <Kbd keys={keys.allCombinations.bindings[0]} />}
        </Entry>
      )}
    </div>
  )
}

function Entry({
  id,
  isChosen,
  onChoose,
  children,
}: {
  id: string
  isChosen: boolean
  onChoose: () => void
  children: React.ReactNode
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the focus and the keys: in an option, letters would not set a status
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      onClick={onChoose}
      style={{
        display: 'flex',
        gap: 8,
        alignItems: 'center',
        minHeight: 32,
        padding: '4px 8px',
        cursor: 'default',
        background: isChosen ? 'var(--selected)' : 'none',
        // Not by color alone.
        boxShadow: isChosen ? 'inset 3px 0 0 var(--accent)' : 'none',
      }}
    >
      {children}
    </div>
  )
}
