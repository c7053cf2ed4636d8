import { useEffect, useSyncExternalStore } from 'react'

import { createPreferences, type Preferences } from './preferences.ts'

/** The preferences of this browser. */
export const preferences = createPreferences(undefined, window)

/** Returns the preferences, and renders again when this or another tab changes them. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(preferences.subscribe, preferences.get)
}

/** Applies the theme while it changes; `theme.js` has applied it before the first paint. */
export function useTheme(): void {
  const { theme } = usePreferences()
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }, [theme])
}
