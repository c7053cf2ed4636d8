import { useEffect } from 'react'

import { describeFailure } from '../problems.ts'
import { showToast } from '../ui/toast.ts'
import { undoStack, useUndoToast } from '../undo/use-undo.ts'
import { useKeys } from '../use-keys.ts'

/** Shows what was done and can be undone, and registers the key for it. Once in the app. */
export function UndoToasts() {
  const shown = useUndoToast()
  useKeys({ undo: () => void undo() })
  useEffect(() => {
    if (shown === null) return undefined
    // The toast knows when its time is over: it stops while somebody looks at it.
    const onClose = () => undoStack.hide(shown.id)
    return showToast({ message: shown.words, onUndo: () => void undo(shown.id), onClose })
  }, [shown])
  return null
}

async function undo(id?: number): Promise<void> {
  try {
    await undoStack.undo(id)
  } catch (error) {
    showToast({ message: `Not undone: ${describeFailure(error).message}` })
  }
}
