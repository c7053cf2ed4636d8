import type { NewToken, TokenAccess } from '@caseward/client/endpoints'
import { type SubmitEvent, useId, useRef, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './account.module.css'
import { useCreateToken } from './use-tokens.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const lifetimes = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: '', label: 'Never' },
] as const
type Lifetime = (typeof lifetimes)[number]['value']

/** Creates a token, then shows its secret once. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateToken()
  return create.data === undefined ? (
    <TokenForm create={create} onClose={onClose} />
  ) : (
    <Secret token={create.data} onClose={onClose} />
  )
}

function TokenForm({ create, onClose }: { create: ReturnType<typeof useCreateToken>; onClose: () => void }) {
  const [name, setName] = useState('')
  const [access, setAccess] = useState<TokenAccess>('write')
  const [days, setDays] = useState<Lifetime>('90')
  const [isChecked, setIsChecked] = useState(false)
  const formId = useId()
  const failure = create.error === null ? null : describeFailure(create.error)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (name.trim() === '' || create.isPending) return
    const expires_at = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
    create.mutate({ name: name.trim(), access, expires_at })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New token"
      size="small"
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} size="form" variant="primary" isBusy={create.isPending}>
            Create token
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit} noValidate>
        <TextField
          label="Name"
          value={name}
          maxLength={255}
          hint="For example, the program that uses it."
          error={failure?.fields.get('name') ?? (isChecked && name.trim() === '' ? 'Enter a name.' : null)}
          onChange={(event) => setName(event.target.value)}
        />
        <Select<TokenAccess>
          label="Access"
          value={access}
          options={[
            { value: 'write', label: 'Read and write' },
            { value: 'read', label: 'Read only' },
          ]}
          onChange={setAccess}
        />
        <Select<Lifetime> label="Expires" value={days} options={lifetimes} onChange={setDays} />
        {failure !== null && failure.fields.size === 0 && <Banner tone="error">{failure.message}</Banner>}
      </form>
    </Dialog>
  )
}

function Secret({ token, onClose }: { token: NewToken; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Token “${token.name}”`}
      description="Copy it now: it is shown only once."
      size="small"
      initialFocus={field}
      footer={
        <>
          <CopyButton size="form" text={token.token} />
          <Button size="form" variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <Field label="Token" isLabelHidden>
        {(control) => (
          <input
            {...control}
            ref={field}
            className={styles.secret}
            value={token.token}
            readOnly
            spellCheck={false}
            onFocus={(event) => event.target.select()}
          />
        )}
      </Field>
    </Dialog>
  )
}
