import { useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './members.module.css'
import { type Role, roleOptions, roleWords } from './role-words.ts'
import type { GroupRoleActions } from './use-group-roles.ts'

interface AddGroupDialogProps {
  /** The groups that have a role already. */
  groups: readonly string[]
  actions: GroupRoleActions
  onClose: () => void
}

/** Gives a group of the sign-in provider a role in the project. */
export function AddGroupDialog({ groups, actions, onClose }: AddGroupDialogProps) {
  const [group, setGroup] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [isChecked, setIsChecked] = useState(false)
  const failure = error === null ? null : describeFailure(error, { noun: 'group' })
  const fault = findFault(group.trim(), groups)

  async function submit(): Promise<void> {
    setIsChecked(true)
    if (fault !== null || isBusy) return
    setIsBusy(true)
    try {
      await actions.add(group.trim(), role)
      onClose()
    } catch (caught) {
      setError(caught)
      setIsBusy(false)
    }
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Add a group"
      size="small"
      submitLabel="Add group"
      isBusy={isBusy}
      className={styles.form}
      onSubmit={() => void submit()}
    >
      <TextField
        label="Group"
        value={group}
        maxLength={255}
        spellCheck={false}
        error={isChecked ? fault : null}
        hint="Its name or id, exactly as the sign-in provider returns it."
        onChange={(event) => setGroup(event.target.value)}
      />
      <Select<Role> label="Role" value={role} options={roleOptions} hint={roleWords[role]} onChange={setRole} />
      {failure !== null && <Banner tone="error">{[failure.message, ...failure.fields.values()].join(' ')}</Banner>}
    </FormDialog>
  )
}

function findFault(group: string, groups: readonly string[]): string | null {
  if (group === '') return 'Enter the name or id of a group.'
  return groups.includes(group) ? 'This group has a role already.' : null
}
