import { useState } from 'react'

import { Banner } from '../../ui/banner.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import styles from './second-factors.module.css'

interface FactorNameDialogProps {
  title: string
  description: string
  /** The name until the user types one. */
  suggestion: string
  isBusy: boolean
  /** Why the name was refused. */
  nameError: string | undefined
  /** Why it failed otherwise. */
  error: string | undefined
  /** The user corrects the name. */
  onType: () => void
  onSubmit: (name: string) => void
  onClose: () => void
}

/** Asks for the name of a new second factor. */
export function FactorNameDialog(props: FactorNameDialogProps) {
  const { title, description, suggestion, isBusy, nameError, error, onType, onSubmit, onClose } = props
  const [typed, setTyped] = useState<string | null>(null)
  const [isMissing, setIsMissing] = useState(false)
  const name = (typed ?? suggestion).trim()
  const submit = () => {
    setIsMissing(name === '')
    if (name !== '' && !isBusy) onSubmit(name)
  }
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      description={description}
      size="small"
      submitLabel="Continue"
      isBusy={isBusy}
      className={styles.step}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        hint="By which you recognize it, for example the device."
        value={typed ?? suggestion}
        maxLength={255}
        error={isMissing ? 'Enter a name.' : nameError}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          if (!isBusy) onType()
          setIsMissing(false)
          setTyped(event.target.value)
        }}
      />
      {error !== undefined && nameError === undefined && <Banner tone="error">{error}</Banner>}
    </FormDialog>
  )
}
