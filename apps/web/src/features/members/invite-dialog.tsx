import { useRef, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './members.module.css'
import { type Role, roleOptions, roleWords } from './role-words.ts'
import type { MemberActions, SentLink } from './use-member-actions.ts'

interface InviteDialogProps {
  actions: MemberActions
  onClose: () => void
  /** Called with an invitation whose link has to be passed on. */
  onLink: (link: SentLink) => void
}

/** Invites somebody by email. */
export function InviteDialog({ actions, onClose, onLink }: InviteDialogProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [isChecked, setIsChecked] = useState(false)
  const failure = error === null ? null : describeFailure(error, { noun: 'invitation' })
  const isEmpty = email.trim() === ''

  async function submit(): Promise<void> {
    setIsChecked(true)
    if (isEmpty || isBusy) return
    setIsBusy(true)
    try {
      const sent = await actions.invite(email.trim(), role)
      if (sent.url === null) onClose()
      else onLink(sent)
    } catch (caught) {
      setError(caught)
      setIsBusy(false)
    }
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Invite someone"
      size="small"
      submitLabel="Invite"
      isBusy={isBusy}
      className={styles.form}
      onSubmit={() => void submit()}
    >
      <TextField
        label="Email address"
        type="email"
        autoComplete="off"
        value={email}
        maxLength={320}
        error={failure?.fields.get('email') ?? (isChecked && isEmpty ? 'Enter an email address.' : null)}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Select<Role> label="Role" value={role} options={roleOptions} hint={roleWords[role]} onChange={setRole} />
      {failure !== null && failure.fields.size === 0 && <Banner tone="error">{failure.message}</Banner>}
    </FormDialog>
  )
}

/** Shows the link of an invitation, because there is no mail server that could send it. */
export function LinkDialog({ link, onClose }: { link: SentLink; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Invitation for ${link.email}`}
      description="This server sends no emails: pass the link on yourself. It can be used once, within seven days, and is shown only now."
      size="small"
      initialFocus={field}
      footer={
        <>
          <CopyButton size="form" text={link.url ?? ''} />
          <Button size="form" variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <Field label="Link" isLabelHidden>
        {(control) => (
          <input
            {...control}
            ref={field}
            className={styles.link}
            value={link.url ?? ''}
            readOnly
            spellCheck={false}
            onFocus={(event) => event.target.select()}
          />
        )}
      </Field>
    </Dialog>
  )
}
