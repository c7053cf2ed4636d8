import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'

interface DeleteCasesDialogProps {
  ids: readonly string[]
  /** The results that keep only title and note; null if they could not be counted. */
  resultCount: number | null
  onDelete: () => void
  /** Missing if they are archived already. */
  onArchive?: () => void
  onClose: () => void
}

/** Asks whether test cases are to be deleted, and offers what keeps everything. */
export function DeleteCasesDialog({ ids, resultCount, onDelete, onArchive, onClose }: DeleteCasesDialogProps) {
  const isOne = ids.length === 1
  const subject = isOne ? String(ids[0]) : formatNumberOf(ids.length, 'test case')
  const results =
    resultCount === null
      ? 'Results in runs keep'
      : `${formatNumberOf(resultCount, 'result')} in runs ${resultCount === 1 ? 'keeps' : 'keep'}`
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${subject}?`}
      confirmLabel="Delete"
      onConfirm={() => {
        onClose()
        onDelete()
      }}
      otherAction={
        onArchive !== undefined && (
          <Button
            size="form"
            onClick={() => {
              onClose()
              onArchive()
            }}
          >
            Archive instead
          </Button>
        )
      }
    >
      <p>
        {results} only title and note. Versions, comments and files are deleted. You can undo it for 8 seconds while
        this page is open.
      </p>
      {onArchive !== undefined && (
        <p>Archived test cases keep everything. They leave the lists and new runs, and can be restored.</p>
      )}
    </ConfirmDialog>
  )
}
