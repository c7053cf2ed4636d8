import type { Me } from '@caseward/client/endpoints'
import { type SubmitEvent, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from '../../ui/form-page.module.css'
import { SaveMessage } from '../../ui/save-message.tsx'
import { useUpdateMe } from './use-update-me.ts'

/** The user's name. */
export function ProfileSection({ me }: { me: Me }) {
  const [typed, setTyped] = useState<string | null>(null)
  const update = useUpdateMe()
  const name = typed ?? me.name
  const fieldError = update.error === null ? undefined : describeFailure(update.error).fields.get('name')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (name.trim() !== '') update.mutate({ name: name.trim() }, { onSuccess: () => setTyped(null) })
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="Name"
        value={name}
        maxLength={255}
        autoComplete="name"
        error={name.trim() === '' ? 'Enter a name.' : fieldError}
        onChange={(event) => {
          update.reset()
          setTyped(event.target.value)
        }}
      />
      <div className={styles.buttons}>
        <Button type="submit" size="form" variant="primary" isBusy={update.isPending}>
          Save
        </Button>
        <SaveMessage mutation={update} success="Saved" />
      </div>
    </form>
  )
}
