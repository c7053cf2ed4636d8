import type { TestCaseRow } from '@caseward/client/endpoints'
import { formatEstimate } from '@caseward/case-files/estimate-text'
import { useState } from 'react'

import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from './cases.module.css'
import { EstimateField } from './estimate-field.tsx'
import { OwnerField } from './owner-field.tsx'
import type { CaseChange } from './use-case-actions.ts'
import { usePeople } from './use-people.ts'

export interface CaseFieldDialogProps {
  projectId: string
  field: 'owner' | 'estimate'
  rows: readonly TestCaseRow[]
  onChange: (change: CaseChange, words: string) => void
  onClose: () => void
}

/** Sets the owner or the estimate of several test cases. */
export function CaseFieldDialog({ projectId, field, rows, onChange, onClose }: CaseFieldDialogProps) {
  const { getPerson } = usePeople(projectId)
  const [owner, setOwner] = useState(() => getCommon(rows, ({ owner_id }) => owner_id ?? null))
  const [estimate, setEstimate] = useState(() => getCommon(rows, (row) => row.estimate ?? null))
  const [first] = rows
  const subject = rows.length === 1 && first !== undefined ? first.id : formatNumberOf(rows.length, 'test case')
  const name = field === 'owner' ? 'Owner' : 'Estimate'
  const value = field === 'owner' ? owner && getPerson(owner) : formatEstimate(estimate)
  function apply(): void {
    onClose()
    const set = field === 'owner' ? { owner_id: owner } : { estimate }
    onChange({ set }, value ? `${name} of ${subject} set to ${value}` : `${name} of ${subject} removed`)
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`${name} of ${subject}`}
      size="small"
      submitLabel="Apply"
      className={styles.form}
      onSubmit={apply}
    >
      {field === 'owner' ? (
        <OwnerField projectId={projectId} owner={owner} onChange={setOwner} />
      ) : (
        <EstimateField estimate={estimate} onChange={setEstimate} />
      )}
    </FormDialog>
  )
}

/** The value that all rows have; null if they differ. */
function getCommon<Value>(rows: readonly TestCaseRow[], getValue: (row: TestCaseRow) => Value): Value | null {
  const values = new Set(rows.map(getValue))
  const [value = null] = values
  return values.size === 1 ? value : null
}
