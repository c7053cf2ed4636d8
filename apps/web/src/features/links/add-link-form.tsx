import { type SubmitEvent, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import type { NewLink } from './link-places.ts'
import { findAddressFault, type LinkKind, linkKindOptions } from './link-words.ts'
import styles from './links.module.css'

interface AddLinkFormProps {
  defaultKind: LinkKind
  onAdd: (link: NewLink) => Promise<void>
  onClose: () => void
}

/** Adds one link. What was typed stays when the server refuses it. */
export function AddLinkForm({ defaultKind, onAdd, onClose }: AddLinkFormProps) {
  const [url, setUrl] = useState('')
  const [label, setLabel] = useState('')
  const [kind, setKind] = useState(defaultKind)
  const [isChecked, setIsChecked] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const failure = error === null ? null : describeFailure(error, { noun: 'result or test case' })
  const fault = findAddressFault(url.trim())

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    setIsChecked(true)
    if (fault !== null || isBusy) return
    setIsBusy(true)
    setError(null)
    try {
      await onAdd({ url: url.trim(), kind, ...(label.trim() === '' ? {} : { label: label.trim() }) })
      onClose()
    } catch (caught) {
      setError(caught)
      setIsBusy(false)
    }
  }
  return (
    <form
      className={styles.form}
      aria-label="New link"
      noValidate
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      {failure !== null && failure.fields.size === 0 && <Banner tone="error">{failure.message}</Banner>}
      <TextField
        label="Address"
        type="url"
        value={url}
        maxLength={2048}
        // The user has just asked for the form.
        autoFocus
        error={failure?.fields.get('url') ?? (isChecked ? fault : null)}
        onChange={({ target }) => setUrl(target.value)}
      />
      <div className={styles.row}>
        <Select label="Kind" value={kind} options={linkKindOptions} onChange={setKind} />
        <TextField
          label="Label (optional)"
          className={styles.grow}
          value={label}
          maxLength={255}
          error={failure?.fields.get('label')}
          onChange={({ target }) => setLabel(target.value)}
        />
      </div>
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          Add link
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
