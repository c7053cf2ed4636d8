import { type SubmitEvent, useEffect, useRef, useState } from 'react'

import { draftItem } from '../../drafts/drafts.ts'
import { useDraft } from '../../drafts/use-draft.ts'
import { useDrafts } from '../../drafts/use-drafts.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import type { LinkPlace, NewLink } from './link-places.ts'
import { findAddressFault, linkKindOptions } from './link-words.ts'
import styles from './links.module.css'

interface AddLinkFormProps {
  place: LinkPlace
  onAdd: (link: NewLink) => Promise<void>
  onClose: () => void
  /** Whether the user has just asked for the form; a draft opens it, too. */
  takesFocus: boolean
}

/** The draft of an address: the form is open as long as there is one. */
export const useAddressDraft = ({ id }: LinkPlace) => useDraft(useDrafts(), draftItem('link', id, 'url'), '')

/** Adds one link. What was typed stays when the server refuses it, after a reload, and in a window of another width. */
export function AddLinkForm({ place, onAdd, onClose, takesFocus }: AddLinkFormProps) {
  const url = useAddressDraft(place)
  const label = useDraft(useDrafts(), draftItem('link', place.id, 'label'), '')
  const [kind, setKind] = useState(place.defaultKind)
  const [isChecked, setIsChecked] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const failure = error === null ? null : describeFailure(error, { noun: 'result or test case' })
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])
  const fault = findAddressFault(url.text.trim())

  function close(): void {
    url.forget()
    label.forget()
    onClose()
  }
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    setIsChecked(true)
    if (fault !== null || isBusy) return
    setIsBusy(true)
    setError(null)
    try {
      const ownLabel = label.text.trim()
      await onAdd({ url: url.text.trim(), kind, ...(ownLabel === '' ? {} : { label: ownLabel }) })
      close()
    } catch (caught) {
      setError(caught)
      setIsBusy(false)
    }
  }
  return (
    <form className={styles.form} aria-label="New link" noValidate onSubmit={(event) => void submit(event)}>
      {failure !== null && failure.fields.size === 0 && <Banner tone="error">{failure.message}</Banner>}
      <TextField
        label="Address"
        type="url"
        value={url.text}
        maxLength={2048}
        ref={field}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          close()
        }}
        error={failure?.fields.get('url') ?? (isChecked ? fault : null)}
        onChange={({ target }) => url.type(target.value)}
      />
      <div className={styles.row}>
        <Select label="Kind" value={kind} options={linkKindOptions} onChange={setKind} />
        <TextField
          label="Label (optional)"
          className={styles.grow}
          value={label.text}
          maxLength={255}
          error={failure?.fields.get('label')}
          onChange={({ target }) => label.type(target.value)}
        />
      </div>
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          Add link
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  )
}
