import type { TestCase } from '@caseward/client/endpoints'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { api } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { request } from '../../request-failed.ts'
import { Banner } from '../../ui/banner.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import formStyles from '../../ui/form-page.module.css'
import { Select } from '../../ui/select.tsx'
import { createSharedStep } from './shared-step-endpoints.ts'
import { useRefreshSharedSteps } from './shared-step-queries.ts'

interface MakeSharedDialogProps {
  projectId: string
  testCase: TestCase
  onClose: () => void
}

/** Asks which steps of a test case become a shared step. */
export function MakeSharedDialog({
  projectId,
  testCase: { id, steps, step_groups: groups },
  onClose,
}: MakeSharedDialogProps) {
  const isShared = (position: number) =>
    groups?.some(({ first, count }) => position >= first && position < first + count) === true
  const own = steps.filter(({ position }) => !isShared(position))
  const [title, setTitle] = useState('')
  const [first, setFirst] = useState(String(own[0]?.position ?? 1))
  const [last, setLast] = useState(String(own.at(-1)?.position ?? 1))
  const refresh = useRefreshSharedSteps(projectId)
  const count = Number(last) - Number(first) + 1
  const make = useMutation({
    mutationFn: () =>
      request(api, createSharedStep, {
        params: { project_id: projectId },
        body: { title, from: { test_case_id: id, first: Number(first), count } },
      }),
    onSuccess() {
      refresh()
      onClose()
    },
  })
  const failure = make.isError ? describeFailure(make.error) : null
  const isComplete = title.trim() !== '' && count > 0 && own.length > 0
  function submit(): void {
    if (isComplete) make.mutate()
  }
  const options = own.map(({ position, action }) => ({
    value: String(position),
    label: `${position}. ${action.slice(0, 60)}`,
  }))
  return (
    <FormDialog
      onClose={onClose}
      title="Make steps shared"
      submitLabel="Make shared"
      isBusy={make.isPending}
      isDisabled={!isComplete}
      className={formStyles.form}
      onSubmit={submit}
    >
      {failure !== null && !failure.fields.has('title') && <Banner tone="error">{failure.message}</Banner>}
      <p className={formStyles.muted}>Other test cases can use these steps, which then change in one place.</p>
      <TextField
        label="Title"
        required
        maxLength={255}
        autoComplete="off"
        value={title}
        hint="Such as Sign in."
        error={failure?.fields.get('title') ?? null}
        onChange={({ target }) => setTitle(target.value)}
      />
      <Select label="From step" value={first} options={options} onChange={setFirst} />
      <Select
        label="To step"
        value={last}
        options={options}
        error={count > 0 ? null : 'The last step is before the first.'}
        onChange={setLast}
      />
    </FormDialog>
  )
}
