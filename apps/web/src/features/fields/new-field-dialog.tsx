import { useProject } from '../../use-project.ts'
import { FieldDialog } from './field-dialog.tsx'
import type { OptionDraft } from './field-draft.ts'
import { useFieldActions } from './use-field-actions.ts'
import { useFields } from './use-fields.ts'

interface NewFieldDialogProps {
  projectId: string
  /** The heading of the column. */
  name: string
  /** Its first cells. */
  values: readonly string[]
  onAdded: (key: string) => void
  onClose: () => void
}

/** Adds a field for a column of a file, with the values of its first rows as options. */
export function NewFieldDialog({ projectId, name, values, onAdded, onClose }: NewFieldDialogProps) {
  const { project } = useProject(projectId)
  const { all } = useFields(projectId)
  const actions = useFieldActions(projectId)
  if (project === undefined) return null
  const labels = [...new Set(values.flatMap((cell) => cell.split(';')).map((text) => text.trim()))].filter(isLabel)
  const options = labels.map((label, id): OptionDraft => ({ id, key: null, label, is_retired: false }))
  return (
    <FieldDialog
      project={project}
      field={null}
      fields={all}
      actions={actions}
      initial={{ name: name.trim(), options }}
      onSaved={({ key }) => onAdded(key)}
      onClose={onClose}
    />
  )
}

const isLabel = (text: string) => text !== '' && text.length <= 100
