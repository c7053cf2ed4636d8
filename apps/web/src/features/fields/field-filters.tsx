import type { Field } from '@caseward/client/endpoints'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'

import { toSearchWords } from '../../row-index/search-text.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Popover } from '../../ui/popover.tsx'
import styles from '../test-cases/cases.module.css'
import { usePeople } from '../test-cases/use-people.ts'
import { describeFieldFilter } from './describe-field-filter.ts'
import { FieldFilterEditor } from './field-filter-editor.tsx'
import { formatFieldFilter, getFilteredKeys, parseFieldFilters } from './field-filter.ts'
import { isListed } from './field-words.ts'
import type { ProjectFields } from './use-fields.ts'

interface FieldFiltersProps {
  projectId: string
  fields: ProjectFields
  /** As addresses have them. */
  filters: readonly string[]
  onChange: (filters: readonly string[]) => void
}

/** A button for each custom field that filters, and one for another. */
export function FieldFilters({ projectId, fields, filters, onChange }: FieldFiltersProps) {
  const keys = getFilteredKeys(filters)
  const filtered = keys.flatMap((key) => fields.byKey.get(key) ?? [])
  const unknown = keys.filter((key) => !fields.byKey.has(key))
  const { getPerson } = usePeople(
    projectId,
    filtered.some(({ type }) => type === 'user'),
  )
  const parsed = parseFieldFilters(filters)
  const replace = (key: string, own: readonly string[]) =>
    onChange([...parsed.filter((filter) => filter.key !== key).map(formatFieldFilter), ...own])
  return (
    <>
      {filtered.map((field) => (
        <FilterButton
          key={field.key}
          words={describeFieldFilter(
            field,
            parsed.filter(({ key }) => key === field.key),
            getPerson,
          )}
          {...{ projectId, field, filters, replace }}
        />
      ))}
      {unknown.map((key) => (
        <Button
          key={key}
          title="This field was deleted, so that it filters nothing. Press to remove it."
          onClick={() => replace(key, [])}
        >
          {`${key}: removed`}
        </Button>
      ))}
      <MoreFilters
        {...{ projectId, filters, replace }}
        fields={fields.active.filter((field) => isListed(field) && !keys.includes(field.key))}
      />
    </>
  )
}

interface EditorProps {
  projectId: string
  filters: readonly string[]
  replace: (key: string, own: readonly string[]) => void
}

function FilterButton({ projectId, field, words, filters, replace }: EditorProps & { field: Field; words: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover label={field.name} isOpen={isOpen} onOpenChange={setIsOpen} trigger={<Button>{words}</Button>}>
      <FieldFilterEditor {...{ projectId, field, filters }} onChange={(own) => replace(field.key, own)} />
      <div style={{ marginBlockStart: 8 }}>
        <Button variant="quiet" onClick={() => replace(field.key, [])}>
          Remove the filter
        </Button>
      </div>
    </Popover>
  )
}

/** From so many fields on, they can be searched. */
const SEARCHED_FROM = 11

/** First the field, then its values. The filter gets its own button when the window closes. */
function MoreFilters({ projectId, fields, filters, replace }: EditorProps & { fields: readonly Field[] }) {
  const [isOpen, setIsOpen] = useState(false)
  const [chosen, setChosen] = useState<Field | null>(null)
  const [search, setSearch] = useState('')
  const [own, setOwn] = useState<readonly string[]>([])
  const words = toSearchWords(search)
  const shown = fields.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
  if (fields.length === 0 && !isOpen) return null
  function toggle(isOpening: boolean): void {
    setIsOpen(isOpening)
    if (!isOpening && chosen !== null) replace(chosen.key, own)
    setChosen(null)
    setOwn([])
    setSearch('')
  }
  return (
    <Popover
      label="Filter by a field"
      isOpen={isOpen}
      onOpenChange={toggle}
      trigger={<Button icon={<Plus />}>Filter</Button>}
    >
      {chosen === null ? (
        <>
          {fields.length >= SEARCHED_FROM && (
            <TextField
              label="Find a field"
              isLabelHidden
              type="search"
              placeholder="Find a field"
              value={search}
              onChange={({ target }) => setSearch(target.value)}
            />
          )}
          <ul className={styles.tagList} style={{ marginBlockStart: 0 }}>
            {shown.map((field) => (
              <li key={field.key} className={styles.tagItem}>
                <Button variant="quiet" style={{ justifyContent: 'start' }} onClick={() => setChosen(field)}>
                  <span style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{field.name}</span>
                </Button>
              </li>
            ))}
          </ul>
          {shown.length === 0 && <p className={styles.hint}>No field matches.</p>}
        </>
      ) : (
        <>
          <Button variant="quiet" icon={<ChevronLeft />} onClick={() => setChosen(null)}>
            {chosen.name}
          </Button>
          <FieldFilterEditor projectId={projectId} field={chosen} filters={[...filters, ...own]} onChange={setOwn} />
          <div style={{ marginBlockStart: 8 }}>
            <Button variant="primary" onClick={() => toggle(false)}>
              Show the matches
            </Button>
          </div>
        </>
      )}
    </Popover>
  )
}
