import { useSyncExternalStore } from 'react'

/** Makes something that is true or false for all of the app. */
function createFlag() {
  let isSet = false
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    set(value: boolean): void {
      if (value === isSet) return
      isSet = value
      for (const listener of listeners) listener()
    },
    use: (): boolean => useSyncExternalStore(subscribe, () => isSet),
  }
}

/** Whether the server has refused a request because the session ended, and nobody has signed in again. */
export const { set: setSessionEnded, use: useSessionEnded } = createFlag()

/** Whether the server refuses requests until the user has set up a second factor. */
export const { set: setSetupRequired, use: useSetupRequired } = createFlag()
