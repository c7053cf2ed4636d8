import { useEffect, useRef } from 'react'

import { createKeyDispatcher, type KeyHandlers } from '../../../key-dispatcher.ts'
import type { KeyId } from '../../../keys.ts'
import { preferences } from '../../../use-preferences.ts'

/** Registers keys of the viewer, which act in its dialog and on its page. Which ones follows the names in `handlers`. */
export function useViewerKeys(handlers: KeyHandlers): void {
  const current = useRef(handlers)
  useEffect(() => {
    current.current = handlers
  })
  const ids = Object.keys(handlers).toSorted().join(' ')
  useEffect(() => {
    if (ids === '') return undefined
    const dispatcher = createKeyDispatcher(() => preferences.get().singleLetterKeys, true)
    const entries = ids.split(' ').map((id) => [id, (event: KeyboardEvent) => current.current[id as KeyId]?.(event)])
    dispatcher.register(Object.fromEntries(entries) as KeyHandlers)
    // Dialogs keep the arrow keys from the document.
    document.addEventListener('keydown', dispatcher.handle, { capture: true })
    return () => document.removeEventListener('keydown', dispatcher.handle, { capture: true })
  }, [ids])
}
