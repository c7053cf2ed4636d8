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
    if (ids === '') return undefined
    const unregister = dispatcher.register(Object.fromEntries(entries) as KeyHandlers)
    const registered = new Set(ids.split(' '))
    pages.add(registered)
    return () => {
      unregister()
      pages.delete(registered)
    }
  }, [ids])
}

/** The keys that are registered, by the parts of the page that handle them. */
const pages = new Set<ReadonlySet<string>>()

/** Whether a key does something on the page as it is now. */
export const isKeyInUse = (id: KeyId): boolean => [...pages].some((ids) => ids.has(id))
