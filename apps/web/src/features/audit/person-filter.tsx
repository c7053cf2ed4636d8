import { keepPreviousData, useQuery } from '@tanstack/react-query'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { type KeyboardEvent, type RefObject, useId, useState } from 'react'

import { queries } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Field } from '../../ui/field.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useSettled } from '../../use-settled.ts'
import { foundUsersQuery } from './audit-queries.ts'
import styles from './audit.module.css'
import { type AuditPerson, findPeople } from './find-people.ts'

interface PersonFilterProps {
  projectId: string | null
  /** Those who made the entries in the list: CI tokens, and people who have left, are nowhere else. */
  actors: readonly AuditPerson[]
  /** Null for everybody. */
  value: string | null
  onChange: (id: string | null) => void
  button: RefObject<HTMLButtonElement | null>
}

/** Chooses whose changes are shown. */
export function PersonFilter({ value, onChange, button, ...props }: PersonFilterProps) {
  const [isOpen, setIsOpen] = useState(false)
  /** Of an instance, not all users are known: whoever was chosen may have no entry. */
  const [chosen, setChosen] = useState<AuditPerson | null>(null)
  const people = useQuery({ ...queries.people(props.projectId ?? ''), enabled: props.projectId !== null })
  const known = [...props.actors, ...(people.data ?? []), ...(chosen === null ? [] : [chosen])]
  const name = known.find(({ id }) => id === value)?.name
  const label = value === null ? 'Everybody' : (name ?? 'One user')
  return (
    <Popover
      label="User"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button ref={button} className={styles.person} aria-label={`User: ${label}`} title={label}>
          <span className={styles.personName}>{label}</span>
          <ChevronDown />
        </Button>
      }
    >
      <PersonPicker
        {...props}
        value={value}
        onChoose={(person) => {
          setIsOpen(false)
          setChosen(person)
          onChange(person?.id ?? null)
        }}
      />
    </Popover>
  )
}

interface PersonPickerProps extends Pick<PersonFilterProps, 'projectId' | 'actors' | 'value'> {
  /** Called with null for everybody. */
  onChoose: (person: AuditPerson | null) => void
}

const EVERYBODY: AuditPerson = { id: '', name: 'Everybody', email: null }

/** Typing a part of the name or address finds people, the arrow keys move in the list, Enter chooses. */
function PersonPicker({ projectId, actors, value, onChoose }: PersonPickerProps) {
  const [text, setText] = useState('')
  const [current, setCurrent] = useState(0)
  const id = useId()
  const found = usePeople(projectId, actors, text)
  const options = text.trim() === '' ? [EVERYBODY, ...found] : found
  const optionId = (index: number) => `${id}-${index}`
  const choose = (person: AuditPerson) => onChoose(person === EVERYBODY ? null : person)

  function handleKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = options[current]
    if (event.key === 'Enter' && chosen !== undefined) choose(chosen)
    if (step === undefined) return
    event.preventDefault()
    const next = Math.min(Math.max(current + step, 0), options.length - 1)
    setCurrent(next)
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div className={styles.picker}>
      <Field label="Find a user" isLabelHidden>
        {(control) => (
          <input
            {...control}
            type="text"
            role="combobox"
            autoComplete="off"
            maxLength={255}
            placeholder="Name or email address"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={options.length === 0 ? undefined : optionId(current)}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setCurrent(0)
            }}
            onKeyDown={handleKey}
          />
        )}
      </Field>
      {/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role -- the list of a combobox */}
      <ul id={`${id}-list`} className={styles.people} role="listbox" aria-label="Users">
        {options.map((person, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the focus and the keys
          <li
            key={person.id}
            id={optionId(index)}
            className={classNames(styles.option, index === current && styles.current)}
            role="option"
            aria-selected={person.id === (value ?? '')}
            title={[person.name, person.email].filter(Boolean).join(', ')}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(person)}
          >
            <span className={styles.optionName}>{person.name}</span>
            <span className={styles.optionEmail}>{person.email}</span>
          </li>
        ))}
      </ul>
      {/* oxlint-enable jsx-a11y/no-noninteractive-element-to-interactive-role */}
      {options.length === 0 && <p className={styles.none}>Nobody matches.</p>}
    </div>
  )
}

/** The people of a project, or the users of the instance, and who made the entries in the list. */
function usePeople(projectId: string | null, actors: readonly AuditPerson[], text: string): AuditPerson[] {
  const q = useSettled(text.trim())
  const users = useQuery({ ...foundUsersQuery(q), enabled: projectId === null, placeholderData: keepPreviousData })
  const people = useQuery({ ...queries.people(projectId ?? ''), enabled: projectId !== null })
  const others = projectId === null ? users.data : people.data?.map(({ id, name }) => ({ id, name, email: null }))
  return findPeople([...(others ?? []), ...actors], text)
}
