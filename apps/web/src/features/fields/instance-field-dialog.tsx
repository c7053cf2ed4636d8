import type { Field } from '@caseward/client/endpoints'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import styles from '../../ui/form-page.module.css'
import { RequiredOn } from './field-dialog-parts.tsx'
import type { ProjectFieldActions } from './use-field-actions.ts'

interface InstanceFieldDialogProps {
  field: Field
  actions: ProjectFieldActions
  onClose: () => void
}

/** What a project decides about a field of the instance: whether it needs a value. */
export function InstanceFieldDialog({ field, actions, onClose }: InstanceFieldDialogProps) {
  const [isRequired, setIsRequired] = useState(field.is_required)
  const [requiredOn, setRequiredOn] = useState(field.required_on)
  const isOfResults = field.subject === 'result'
  const save = useMutation({
    mutationFn: () =>
      actions.setUse(field.id, {
        is_used: true,
        ...(isOfResults ? { required_on: requiredOn } : { is_required: isRequired }),
      }),
    onSuccess: onClose,
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`“${field.name}” in this project`}
      description="The administrators of this instance define it for all projects. You decide whether it needs a value here."
      size="small"
      submitLabel="Save"
      isBusy={save.isPending}
      className={styles.settings}
      onSubmit={() => save.mutate()}
    >
      {save.error !== null && <Banner tone="error">{describeFailure(save.error, { noun: 'field' }).message}</Banner>}
      {isOfResults ? (
        <RequiredOn chosen={requiredOn} onChange={(statuses) => setRequiredOn([...statuses])} />
      ) : (
        <Checkbox
          label="Required"
          hint={`For new ${field.subject === 'run' ? 'runs' : 'test cases'}; those of automation are created all the same.`}
          checked={isRequired}
          onChange={setIsRequired}
        />
      )}
    </FormDialog>
  )
}
