import type { CreateMilestoneBody, UpdateMilestoneBody } from '@caseward/client/endpoints'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { draftItem } from '../../drafts/drafts.ts'
import { useDraft } from '../../drafts/use-draft.ts'
import { useDrafts } from '../../drafts/use-drafts.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import type { FullMilestone } from './milestone-queries.ts'
import { getDay, toTime } from './milestone-words.ts'
import styles from './milestones.module.css'
import { useMilestoneActions } from './use-milestone-actions.ts'

interface MilestoneDialogProps {
  projectId: string
  /** The milestone to edit; null for a new one. */
  milestone: FullMilestone | null
  /** The parent of a new sub-milestone. */
  parent: FullMilestone | null
  /** Whether its dates can follow from sub-milestones. */
  hasSubs: boolean
  onClose: () => void
}

/** Creates or edits a milestone. What was typed survives a reload. */
export function MilestoneDialog({ projectId, milestone, parent, hasSubs, onClose }: MilestoneDialogProps) {
  const actions = useMilestoneActions(projectId)
  const fields = useMilestoneFields(projectId, milestone, parent)
  const { name, description, start, due, mode, setMode } = fields
  const [isChecked, setIsChecked] = useState(false)
  const save = useMutation({
    mutationFn: () =>
      milestone === null
        ? actions.create(buildNew(fields, parent))
        : actions.update(milestone.id, buildUpdate(fields, milestone, hasSubs)),
    onSuccess: () => close(true),
  })
  const failure = save.error === null ? null : describeFailure(save.error, { noun: 'milestone' })
  const isOrderWrong = start.text !== '' && due.text !== '' && due.text < start.text
  const areDerived = hasSubs && mode === 'auto'
  const isValid = name.text.trim() !== '' && (areDerived || !isOrderWrong)

  function close(isDone: boolean): void {
    // What was typed for a new milestone is kept; changes that were not saved are given up.
    if (isDone || milestone !== null) for (const field of [name, description, start, due]) field.forget()
    onClose()
  }
  function submit(): void {
    setIsChecked(true)
    if (isValid && !save.isPending) save.mutate()
  }
  const nameError = isChecked && name.text.trim() === '' ? 'Enter a name.' : null
  const dueError = isChecked && isOrderWrong ? 'The due date is before the start date.' : null
  const shownFields = ['name', 'description', 'start_date', 'due_date']
  const isShownAtField = shownFields.some((field) => failure?.fields.has(field) === true)
  return (
    <FormDialog
      onClose={() => close(false)}
      title={milestone !== null ? 'Edit milestone' : parent === null ? 'New milestone' : 'New sub-milestone'}
      {...(parent === null ? {} : { description: `In “${parent.name}”, whose status and progress follow from it.` })}
      size="small"
      submitLabel={milestone === null ? 'Create milestone' : 'Save'}
      isBusy={save.isPending}
      className={styles.form}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        value={name.text}
        maxLength={255}
        required
        error={failure?.fields.get('name') ?? nameError}
        onChange={(event) => name.type(event.target.value)}
      />
      <TextArea
        label="Description"
        value={description.text}
        maxRows={8}
        error={failure?.fields.get('description')}
        onChange={(event) => description.type(event.target.value)}
      />
      {hasSubs && (
        <Select
          label="Dates"
          value={mode}
          options={[
            { value: 'auto', label: 'From its sub-milestones' },
            { value: 'manual', label: 'Own dates' },
          ]}
          onChange={setMode}
        />
      )}
      {areDerived ? (
        <p className={styles.muted}>It starts with its first sub-milestone, and is due with its last one.</p>
      ) : (
        <div className={styles.dates}>
          <TextField
            label="Start"
            type="date"
            value={start.text}
            error={failure?.fields.get('start_date')}
            onChange={(event) => start.type(event.target.value)}
          />
          <TextField
            label="Due"
            type="date"
            value={due.text}
            hint="Until the end of the day, UTC"
            error={failure?.fields.get('due_date') ?? dueError}
            onChange={(event) => due.type(event.target.value)}
          />
        </div>
      )}
      {failure !== null && !isShownAtField && <Banner tone="error">{failure.message}</Banner>}
    </FormDialog>
  )
}

function useMilestoneFields(projectId: string, milestone: FullMilestone | null, parent: FullMilestone | null) {
  const drafts = useDrafts()
  const item = (field: string) => draftItem('milestone', milestone?.id ?? `new-${parent?.id ?? projectId}`, field)
  const [mode, setMode] = useState(milestone?.date_mode ?? 'auto')
  return {
    name: useDraft(drafts, item('name'), milestone?.name ?? ''),
    description: useDraft(drafts, item('description'), milestone?.description ?? ''),
    start: useDraft(drafts, item('start'), getDay(milestone?.start_date ?? null)),
    due: useDraft(drafts, item('due'), getDay(milestone?.due_date ?? null)),
    mode,
    setMode,
  }
}

type MilestoneFields = ReturnType<typeof useMilestoneFields>

const buildNew = (
  { name, description, start, due }: MilestoneFields,
  parent: FullMilestone | null,
): CreateMilestoneBody => ({
  name: name.text.trim(),
  description: description.text,
  start_date: toTime(start.text, 'start'),
  due_date: toTime(due.text, 'due'),
  parent_id: parent?.id ?? null,
})

/** Dates that were not changed are not sent: they may have a time that the field does not show. */
function buildUpdate(
  { name, description, start, due, mode }: MilestoneFields,
  milestone: FullMilestone,
  hasSubs: boolean,
): UpdateMilestoneBody {
  const texts = { name: name.text.trim(), description: description.text }
  if (hasSubs && mode === 'auto') return { ...texts, date_mode: 'auto' }
  return {
    ...texts,
    ...(hasSubs ? { date_mode: 'manual' as const } : {}),
    ...(start.text === getDay(milestone.start_date) ? {} : { start_date: toTime(start.text, 'start') }),
    ...(due.text === getDay(milestone.due_date) ? {} : { due_date: toTime(due.text, 'due') }),
  }
}
