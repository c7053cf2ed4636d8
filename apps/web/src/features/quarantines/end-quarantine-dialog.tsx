import { type SubmitEvent, useId, useRef, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from '../../ui/form-page.module.css'
import { TextArea } from '../../ui/text-area.tsx'
import { showToast } from '../../ui/toast.ts'
import { useQuarantineActions } from './use-quarantine-actions.ts'

export interface EndQuarantineDialogProps {
  projectId: string
  quarantineId: string
  testName: string
  onClose: (isDone: boolean) => void
}

const MAX_REASON = 2000

/** Ends a quarantine, and says why. */
export function EndQuarantineDialog({ projectId, quarantineId, testName, onClose }: EndQuarantineDialogProps) {
  const actions = useQuarantineActions(projectId)
  const [reason, setReason] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const formId = useId()
  const first = useRef<HTMLTextAreaElement>(null)
  const failure = error === null ? null : describeFailure(error, { noun: 'quarantine' })
  async function end(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setIsBusy(true)
    setError(null)
    try {
      await actions.end(quarantineId, reason.trim() === '' ? {} : { end_reason: reason.trim() })
      showToast({ message: 'Quarantine ended' })
      onClose(true)
    } catch (failed) {
      setError(failed)
      setIsBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      onClose={() => onClose(false)}
      title="End the quarantine"
      description={`Failures of ${testName} block again from the next evaluation on.`}
      initialFocus={first}
      size="small"
      footer={
        <>
          <Button size="form" onClick={() => onClose(false)}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" form={formId} isBusy={isBusy}>
            End the quarantine
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} style={{ maxWidth: 'none' }} onSubmit={(event) => void end(event)}>
        {failure !== null && failure.fields.size === 0 && <Banner tone="error">{failure.message}</Banner>}
        <TextArea
          label="Reason (optional)"
          placeholder="Fixed in SHOP-41"
          inputRef={first}
          value={reason}
          limit={MAX_REASON}
          error={failure?.fields.get('end_reason')}
          onChange={({ target }) => setReason(target.value)}
        />
      </form>
    </Dialog>
  )
}
