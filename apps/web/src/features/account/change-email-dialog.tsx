import { requestEmailChange } from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'

import { api } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'

/** Asks for a new email address, to which the service sends a link. */
export function ChangeEmailDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const formId = useId()
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: async () => (await request(api, requestEmailChange, { body: { email: typed.trim() } })).data.data,
    onSuccess(data) {
      queryClient.setQueryData(queryKeys.email(), data)
      onClose()
    },
  })
  const failure = change.error === null ? null : describeFailure(change.error)
  const fieldError = failure?.fields.get('email')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setIsMissing(typed.trim() === '')
    if (typed.trim() !== '') change.mutate()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Change email address"
      description={`Your address is ${email}. It changes when you open the link that we send to the new one, within an hour. The former address gets a notice.`}
      size="small"
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} size="form" variant="primary" isBusy={change.isPending}>
            Send link
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <TextField
          label="New email address"
          type="email"
          autoComplete="email"
          value={typed}
          maxLength={320}
          error={isMissing ? 'Enter an email address.' : fieldError}
          onChange={(event) => {
            change.reset()
            setIsMissing(false)
            setTyped(event.target.value)
          }}
        />
      </form>
      {failure !== null && fieldError === undefined && <Banner tone="error">{failure.message}</Banner>}
    </Dialog>
  )
}
