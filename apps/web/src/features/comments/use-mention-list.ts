import type { Person } from '@caseward/client/endpoints'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'

import { cleanName, findMentionQuery, findSuggestions, type MentionQuery } from './mention-text.ts'

export interface MentionList {
  readonly people: readonly Person[]
  /** The one that Enter chooses. */
  readonly activeIndex: number
  readonly choose: (person: Person) => void
  /** Looks for a name before the caret. */
  readonly look: (text: string, caret: number) => void
  readonly close: () => void
  /** Handles the keys of an open list. Returns whether it has. */
  readonly handleKey: (event: KeyboardEvent) => boolean
}

/** The members whose names fit what is typed after an `@`. */
export function useMentionList(
  members: readonly Person[],
  field: RefObject<HTMLTextAreaElement | null>,
  onChoose: (person: Person, typed: { before: string; after: string }) => void,
): MentionList {
  const [query, setQuery] = useState<MentionQuery | null>(null)
  const [index, setIndex] = useState(0)
  const people = query === null ? [] : findSuggestions(members, query.text)
  const activeIndex = Math.min(index, people.length - 1)
  const close = () => setQuery(null)

  function look(text: string, caret: number): void {
    const found = findMentionQuery(text, caret)
    if (found?.text !== query?.text) setIndex(0)
    setQuery(found)
  }
  function choose(person: Person): void {
    const area = field.current
    if (query === null || area === null) return
    const before = area.value.slice(0, query.start)
    const after = area.value.slice(query.start + 1 + query.text.length)
    // The caret is right before the next key: in a later frame, that key would stand behind the caret.
    flushSync(() => {
      onChoose(person, { before, after })
      close()
    })
    const caret = before.length + cleanName(person.name).length + 2
    area.focus()
    area.setSelectionRange(caret, caret)
  }
  function handleKey(event: KeyboardEvent): boolean {
    if (people.length === 0) return false
    if (event.key === 'ArrowDown') setIndex((activeIndex + 1) % people.length)
    else if (event.key === 'ArrowUp') setIndex((activeIndex - 1 + people.length) % people.length)
    else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab') {
      const person = people[activeIndex]
      if (person !== undefined) choose(person)
    } else if (event.key === 'Escape') close()
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return { people, activeIndex, choose, look, close, handleKey }
}
