import type { Folder } from '@caseward/client/endpoints'
import { useRef, useState } from 'react'

import { FormDialog } from '../../ui/form-dialog.tsx'
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
  const move = () => {
    onClose()
    onMove(folderId, folders.find(({ id }) => id === folderId)?.name ?? noneLabel.toLowerCase())
  }
  return (
    <FormDialog onClose={onClose} title={`Move ${subject}`} initialFocus={input} submitLabel="Move" onSubmit={move}>
      <FolderPicker {...{ folders, noneLabel, input }} value={folderId} onChange={setFolderId} />
    </FormDialog>
  )
}
