import type { MyProject } from '@caseward/client/endpoints'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { draftItem } from '../../drafts/drafts.ts'
import { useDraft } from '../../drafts/use-draft.ts'
import { useDrafts } from '../../drafts/use-drafts.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import styles from './new-project-dialog.module.css'
import { cleanPrefix, suggestPrefix } from './suggest-prefix.ts'
import { useCreateProject } from './use-create-project.ts'

interface NewProjectDialogProps {
  /** Those that the user has: their prefixes are better not used again. */
  projects: readonly MyProject[]
  /** Whether the import of test cases opens next. */
  isImporting: boolean
  onClose: () => void
}

/** Creates a project and opens it. What was typed survives a reload. */
export function NewProjectDialog({ projects, isImporting, onClose }: NewProjectDialogProps) {
  const navigate = useNavigate()
  const drafts = useDrafts()
  const name = useDraft(drafts, draftItem('new-project', 'name'), '')
  const prefix = useDraft(drafts, draftItem('new-project', 'prefix'), suggestPrefix(name.text))
  const [isChecked, setIsChecked] = useState(false)
  const create = useCreateProject((projectId) => {
    name.forget()
    prefix.forget()
    void navigate(isImporting ? paths.imports(projectId) : paths.cases(projectId))
  })
  const failure = create.error === null ? null : describeFailure(create.error)
  const twin = projects.find((project) => project.prefix === prefix.text)
  const isValid = name.text.trim() !== '' && prefix.text.length >= 2
  const submit = () => {
    setIsChecked(true)
    if (isValid && !create.isPending) create.mutate({ name: name.text.trim(), prefix: prefix.text })
  }
  return (
    <FormDialog
      onClose={onClose}
      title="New project"
      {...(isImporting && {
        description: 'Its test cases are imported next: the export of another tool, or a CSV or Excel file.',
      })}
      size="small"
      submitLabel="Create project"
      isBusy={create.isPending}
      className={styles.form}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        value={name.text}
        maxLength={255}
        required
        error={failure?.fields.get('name') ?? (isChecked && name.text.trim() === '' ? 'Enter a name.' : null)}
        onChange={(event) => name.type(event.target.value)}
      />
      <TextField
        label="Prefix"
        className={styles.prefix}
        value={prefix.text}
        required
        hint="2 to 5 letters before the numbers of test cases, such as WEB-12. It cannot be changed later."
        error={failure?.fields.get('prefix') ?? (isChecked && prefix.text.length < 2 ? 'Enter 2 to 5 letters.' : null)}
        onChange={(event) => prefix.type(cleanPrefix(event.target.value))}
      />
      {twin !== undefined && (
        <div className={styles.warning}>
          <Banner tone="warning">
            {`“${twin.name}” has the prefix ${twin.prefix}, too. Ids such as ${twin.prefix}-12 would be in both projects.`}
          </Banner>
        </div>
      )}
      {failure !== null && failure.fields.size === 0 && <Banner tone="error">{failure.message}</Banner>}
    </FormDialog>
  )
}
