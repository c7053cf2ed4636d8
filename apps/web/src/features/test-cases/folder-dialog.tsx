import { useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

interface FolderDialogProps {
  title: string
  /** Empty for a new folder. */
  initialName: string
  /** Where the folder is, if that is worth a line. */
  description?: string | undefined
  submitLabel: string
  /** @throws what the dialog shows */
  onSubmit: (name: string) => Promise<void>
  onClose: () => void
}

/** Asks for the name of a folder. */
export function FolderDialog({ title, initialName, description, submitLabel, onSubmit, onClose }: FolderDialogProps) {
  const [name, setName] = useState(initialName)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  async function submit(): Promise<void> {
    if (name.trim() === '') return setError('A folder needs a name.')
    setIsBusy(true)
    try {
      await onSubmit(name.trim())
      onClose()
    } catch (failure) {
      const { message, fields } = describeFailure(failure, { noun: 'folder' })
      setError(fields.get('name') ?? fields.get('parent_id') ?? message)
      setIsBusy(false)
    }
  }
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      description={description}
      size="small"
      submitLabel={submitLabel}
      isBusy={isBusy}
      onSubmit={() => void submit()}
    >
      <TextField
        label="Name"
        value={name}
        error={error}
        limit={255}
        maxLength={255}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setName(event.target.value)
          setError(null)
        }}
      />
    </FormDialog>
  )
}
