import { useId, useRef, useState } from 'react'

import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CasePicker } from '../tests/case-picker.tsx'
import { MergeEffects } from './merge-effects.tsx'
import { useMerge } from './use-merge.ts'

export interface MergeDialogProps {
  projectId: string
  /** The test case that becomes part of another one. */
  caseId: string
  onClose: () => void
}

/** Asks for the test case that another one becomes part of. */
export function MergeDialog({ projectId, caseId, onClose }: MergeDialogProps) {
  const [intoId, setIntoId] = useState<string | null>(null)
  const { isBusy, failure, merge } = useMerge(projectId)
  const input = useRef<HTMLInputElement>(null)
  const formId = useId()
  const target = intoId === caseId ? null : intoId

  async function submit(): Promise<void> {
    if (target !== null && !isBusy && (await merge(caseId, target))) onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Merge ${caseId} into another test case`}
      description={<MergeEffects fromId={caseId} intoId={target ?? 'the other one'} />}
      initialFocus={input}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" form={formId} isBusy={isBusy} disabled={target === null}>
            {target === null ? 'Merge' : `Merge into ${target}`}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        style={{ display: 'grid', gap: 16, minWidth: 0 }}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {failure !== null && (
          <Banner tone="error">
            <strong>Not merged.</strong> {failure}
          </Banner>
        )}
        <CasePicker projectId={projectId} value={target} onChange={setIntoId} input={input} />
      </form>
    </Dialog>
  )
}
