import { type CreateShareBody, SHARE_PARTS, type SharePart } from '@caseward/client/endpoints'
import { type SubmitEvent, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from '../../ui/form-page.module.css'
import { Select } from '../../ui/select.tsx'
import { partLabels } from './share-words.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const lifetimes = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
] as const
type Lifetime = (typeof lifetimes)[number]['value']

/** What most readers need. Who has tested is nobody else's business, unless somebody decides so. */
const INITIAL_PARTS: readonly SharePart[] = ['notes', 'steps', 'files', 'links']
const ORDER = (Object.keys(partLabels) as SharePart[]).filter((part) => SHARE_PARTS.includes(part))

interface ShareFormProps {
  readonly formId: string
  readonly initialName: string
  readonly error: Error | null
  readonly onSubmit: (body: CreateShareBody) => void
}

/** Asks for the name of a report, what it shows, and until when. */
export function ShareForm({ formId, initialName, error, onSubmit }: ShareFormProps) {
  const [name, setName] = useState(initialName)
  const [days, setDays] = useState<Lifetime>('30')
  const [include, setInclude] = useState<readonly SharePart[]>(INITIAL_PARTS)
  const [isChecked, setIsChecked] = useState(false)
  const failure = error === null ? null : describeFailure(error)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (name.trim() === '') return
    const expires_at = new Date(Date.now() + Number(days) * DAY_MS).toISOString()
    onSubmit({ name: name.trim(), expires_at, include: [...include] })
  }
  return (
    <form id={formId} className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label="Name"
        value={name}
        maxLength={255}
        hint="The heading of the report."
        error={failure?.fields.get('name') ?? (isChecked && name.trim() === '' ? 'Enter a name.' : null)}
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset className={styles.choices}>
        <legend>Shows, besides titles, statuses and times</legend>
        {ORDER.map((part) => (
          <Checkbox
            key={part}
            {...partLabels[part]}
            checked={include.includes(part)}
            onChange={(isIncluded) =>
              setInclude((parts) => (isIncluded ? [...parts, part] : parts.filter((other) => other !== part)))
            }
          />
        ))}
      </fieldset>
      <Select<Lifetime> label="Expires" value={days} options={lifetimes} onChange={setDays} />
      {failure !== null && !failure.fields.has('name') && <Banner tone="error">{failure.message}</Banner>}
    </form>
  )
}
