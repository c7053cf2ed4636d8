import type { Person, ResultRow, RunConfiguration } from '@caseward/client/endpoints'
import { useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { SearchField } from '../../ui/search-field.tsx'
import type { RunData } from '../runs/use-run-data.ts'
import styles from './assign-dialog.module.css'
import { shareInTurn } from './share-in-turn.ts'
import { useAssign } from './use-assign.ts'

interface AssignDialogProps {
  data: RunData
  rows: readonly ResultRow[]
  /** @param isDone whether the results are assigned */
  onClose: (isDone: boolean) => void
}

/** From here on, people are searched. */
const SEARCHED_FROM = 10

/** Chooses who tests some results: one person, several in turn, or nobody. */
export function AssignDialog({ data, rows, onClose }: AssignDialogProps) {
  const assign = useAssign(data.run.data?.id ?? '')
  const people = listAssignable(data.people ?? [], data.myId)
  const [chosen, setChosen] = useState<readonly string[]>(() => getCommonAssignee(rows, people))
  const [q, setQ] = useState('')
  const configurations = data.run.data?.configurations ?? []
  const [places, setPlaces] = useState<readonly number[]>([])
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const shown = people.filter(({ name }) => name.toLowerCase().includes(q.trim().toLowerCase()))
  const shares = shareInTurn(rows.length, chosen.length)

  async function apply(): Promise<void> {
    setIsBusy(true)
    setError(null)
    try {
      await assign(rows, chosen, chosen.map(data.getPerson), places)
      onClose(true)
    } catch (failure) {
      setError(failure)
      setIsBusy(false)
    }
  }
  return (
    <FormDialog
      onClose={() => onClose(false)}
      title={rows.length === 1 ? 'Assign the test case' : `Assign ${formatNumberOf(rows.length, 'test case')}`}
      description={
        rows.length === 1 && configurations.length === 0
          ? rows[0]?.test_case_title
          : 'Several people share them in turn, in the order of the run.'
      }
      size="small"
      submitLabel={chosen.length === 0 ? 'Assign to nobody' : 'Assign'}
      isBusy={isBusy}
      className={styles.form}
      onSubmit={() => void apply()}
    >
      {error !== null && <Banner tone="error">{describeFailure(error, { noun: 'run' }).message}</Banner>}
      {configurations.length > 0 && <Places configurations={configurations} chosen={places} onChange={setPlaces} />}
      {people.length >= SEARCHED_FROM && <SearchField label="Search people" value={q} onChange={setQ} />}
      <ul className={styles.people} aria-label="People">
        {shown.map(({ id, name }) => (
          <li key={id} className={styles.person}>
            <Checkbox
              label={id === data.myId ? `${name} (you)` : name}
              checked={chosen.includes(id)}
              onChange={(isOn) => setChosen(isOn ? [...chosen, id] : chosen.filter((other) => other !== id))}
            />
            {rows.length > 1 && places.length === 0 && chosen.includes(id) && (
              <span className={styles.share}>{shares[chosen.indexOf(id)]}</span>
            )}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className={styles.share}>Nobody has this name.</p>}
    </FormDialog>
  )
}

interface PlacesProps {
  configurations: readonly RunConfiguration[]
  /** None for the test cases themselves. */
  chosen: readonly number[]
  onChange: (places: readonly number[]) => void
}

/** Chooses which combinations of the test cases are assigned, instead of the test cases. */
const Places = ({ configurations, chosen, onChange }: PlacesProps) => (
  <fieldset style={{ minWidth: 0, margin: 0, padding: 0, border: 0 }}>
    <legend className={styles.share} style={{ padding: 0 }}>
      {chosen.length === 0
        ? 'Assigns the test cases. Choose configurations to assign only what is tested with them.'
        : 'Assigns what is tested with:'}
    </legend>
    <div style={{ display: 'grid', maxHeight: 148, overflow: 'auto' }}>
      {configurations.map(({ place, name }) => (
        <Checkbox
          key={place}
          label={name}
          checked={chosen.includes(place)}
          onChange={(isOn) => onChange(isOn ? [...chosen, place] : chosen.filter((other) => other !== place))}
        />
      ))}
    </div>
  </fieldset>
)

/** Those who may set results: the user first, the others by name. */
const listAssignable = (people: readonly Person[], myId: string | undefined) =>
  people
    .filter(({ role }) => role === 'admin' || role === 'member')
    .toSorted((a, b) => Number(b.id === myId) - Number(a.id === myId) || a.name.localeCompare(b.name, 'en'))

/** The person to whom all of the results are assigned. */
function getCommonAssignee(rows: readonly ResultRow[], people: readonly Person[]): string[] {
  const id = rows[0]?.assigned_to ?? null
  const isCommon = rows.every(({ assigned_to }) => assigned_to === id) && people.some((person) => person.id === id)
  return id !== null && isCommon ? [id] : []
}
