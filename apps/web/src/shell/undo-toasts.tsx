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
    if (shown === null) return
    return showToast({ message: shown.words, onUndo: () => void undo(shown.id) })
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
