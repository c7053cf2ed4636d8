import type { Folder } from '@caseward/client/endpoints'
import { useId, useRef, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FolderPicker } from './folder-picker.tsx'

interface MoveDialogProps {
  /** What is moved: “3 test cases”, “Payment”. */
  subject: string
  folders: readonly Folder[]
  noneLabel: string
  /** Where it is now; null for none. */
  initialId: string | null
  onMove: (folderId: string | null, name: string) => void
  onClose: () => void
}

/** Chooses the folder into which something is moved. */
export function MoveDialog({ subject, folders, noneLabel, initialId, onMove, onClose }: MoveDialogProps) {
  const [folderId, setFolderId] = useState(initialId)
  const input = useRef<HTMLInputElement>(null)
  const formId = useId()
  const move = () => {
    onClose()
    onMove(folderId, folders.find(({ id }) => id === folderId)?.name ?? noneLabel.toLowerCase())
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Move ${subject}`}
      initialFocus={input}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" form={formId}>
            Move
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault()
          move()
        }}
      >
        <FolderPicker {...{ folders, noneLabel, input }} value={folderId} onChange={setFolderId} />
      </form>
    </Dialog>
  )
}
