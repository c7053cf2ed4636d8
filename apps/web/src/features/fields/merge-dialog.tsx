import type { Field } from '@caseward/client/endpoints'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import styles from '../../ui/form-page.module.css'
import { Select } from '../../ui/select.tsx'
import type { ProjectFieldActions } from './use-field-actions.ts'

interface MergeDialogProps {
  field: Field
  actions: ProjectFieldActions
  onClose: () => void
}

/** Makes one option of two: test cases get the other one. */
export function MergeDialog({ field, actions, onClose }: MergeDialogProps) {
  const usable = (field.options ?? []).filter(({ is_retired: isRetired }) => !isRetired)
  const options = usable.map(({ key, label }) => ({ value: key, label }))
  const [from, setFrom] = useState(options[1]?.value ?? '')
  const [into, setInto] = useState(options[0]?.value ?? '')
  const merge = useMutation({ mutationFn: () => actions.mergeOptions(field, from, into), onSuccess: onClose })
  const isSame = from === into
  return (
    <FormDialog
      onClose={onClose}
      title={`Merge options of “${field.name}”`}
      description="Test cases that have the first get the second, each as a change of its own. The first is retired."
      size="small"
      submitLabel="Merge"
      isBusy={merge.isPending}
      isDisabled={isSame}
      className={styles.form}
      onSubmit={() => merge.mutate()}
    >
      {merge.error !== null && <Banner tone="error">{describeFailure(merge.error).message}</Banner>}
      <Select label="This option" value={from} options={options} onChange={setFrom} />
      <Select
        label="Becomes"
        value={into}
        options={options}
        error={isSame ? 'Choose another option.' : null}
        onChange={setInto}
      />
    </FormDialog>
  )
}
