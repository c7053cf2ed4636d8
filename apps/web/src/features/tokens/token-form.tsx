import type { CreateCiTokenBody, NewToken, TokenAccess } from '@caseward/client/endpoints'
import { type ReactNode, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import styles from '../../ui/form-page.module.css'
import { Select } from '../../ui/select.tsx'

const DAY_MS = 24 * 60 * 60 * 1000
const lifetimes = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: '', label: 'Never' },
] as const
type Lifetime = (typeof lifetimes)[number]['value']

/** The mutation that creates a token. */
export interface TokenCreation {
  readonly data: NewToken | undefined
  readonly error: Error | null
  readonly isPending: boolean
  readonly mutate: (body: CreateCiTokenBody) => void
}

interface TokenFormProps {
  readonly create: TokenCreation
  readonly title: string
  /** Which name is a good one. */
  readonly hint: string
  readonly initialDays: Lifetime
  readonly onClose: () => void
  /** More fields of the token, given its access. */
  readonly children?: (access: TokenAccess) => ReactNode
  /** What these fields say. */
  readonly getMore?: (access: TokenAccess) => Partial<CreateCiTokenBody>
}

/** Asks for the fields of a new token. */
export function TokenForm({ create, title, hint, initialDays, onClose, children, getMore }: TokenFormProps) {
  const [name, setName] = useState('')
  const [access, setAccess] = useState<TokenAccess>('write')
  const [days, setDays] = useState<Lifetime>(initialDays)
  const [isChecked, setIsChecked] = useState(false)
  const failure = create.error === null ? null : describeFailure(create.error)
  const submit = () => {
    setIsChecked(true)
    if (name.trim() === '' || create.isPending) return
    const expires_at = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
    create.mutate({ name: name.trim(), access, expires_at, ...getMore?.(access) })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      size="small"
      submitLabel="Create token"
      isBusy={create.isPending}
      className={styles.form}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        value={name}
        maxLength={255}
        hint={hint}
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
      {children?.(access)}
      <Select<Lifetime> label="Expires" value={days} options={lifetimes} onChange={setDays} />
      {failure !== null && failure.fields.size === 0 && <Banner tone="error">{failure.message}</Banner>}
    </FormDialog>
  )
}
