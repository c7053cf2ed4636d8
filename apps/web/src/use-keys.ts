import { useEffect, useRef } from 'react'

import { createKeyDispatcher, type KeyHandlers } from './key-dispatcher.ts'
import type { KeyId } from './keys.ts'
import { preferences } from './use-preferences.ts'

const dispatcher = createKeyDispatcher(() => preferences.get().singleLetterKeys)
document.addEventListener('keydown', dispatcher.handle)

/**
 * Registers keys while the component is mounted. Which keys are registered follows the names in `handlers`; their functions
 * may change with every render.
 */
export function useKeys(handlers: KeyHandlers): void {
  const current = useRef(handlers)
  useEffect(() => {
    current.current = handlers
  })
  const ids = Object.keys(handlers).toSorted().join(' ')
  useEffect(() => {
    const entries = ids.split(' ').map((id) => [id, (event: KeyboardEvent) => current.current[id as KeyId]?.(event)])
    return ids === '' ? undefined : dispatcher.register(Object.fromEntries(entries) as KeyHandlers)
  }, [ids])
}
