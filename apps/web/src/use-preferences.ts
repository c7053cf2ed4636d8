import { useSyncExternalStore } from 'react'

import { createPreferences, type Preferences } from './preferences.ts'

/** The preferences of this browser. */
export const preferences = createPreferences(undefined, window)

/** The themes to choose from. */
export const themes = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies readonly { value: Preferences['theme']; label: string }[]

/** Returns one preference, and renders again when this or another tab changes it. */
export function usePreference<Name extends keyof Preferences>(name: Name): Preferences[Name] {
  return useSyncExternalStore(preferences.subscribe, () => preferences.get()[name])
}

/**
 * Keeps the attributes of the page that the styles read as chosen, also when another tab changes them. Called once, at the
 * start; `theme.js` has applied the theme before the first paint.
 */
export function applyPreferences(): void {
  const apply = () => {
    const { theme, density } = preferences.get()
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset['theme']
    else dataset['theme'] = theme
    dataset['density'] = density
  }
  apply()
  preferences.subscribe(apply)
}
