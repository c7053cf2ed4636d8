import { useSyncExternalStore } from 'react'

/** What the user has chosen for this browser. `theme.js` reads the theme before the first paint. */
export interface Preferences {
  theme: 'system' | 'light' | 'dark'
  density: 'compact' | 'comfortable'
  /** Whether single letters are keys (WCAG 2.1.4). */
  singleLetterKeys: boolean
  /** Whether execution measures the time of each test case. */
  timer: boolean
  /** Whether `F` in execution moves the focus to the note. */
  noteAfterFailed: boolean
  /** Widths of panels in pixels by the name of the panel. */
  widths: Record<string, number>
  /** The columns that are hidden, by the name of the table. */
  hiddenColumns: Record<string, readonly string[]>
  /** The folders that are open, by project. */
  openFolders: Record<string, readonly string[]>
}

const defaults: Preferences = {
  theme: 'system',
  density: 'compact',
  singleLetterKeys: true,
  timer: true,
  noteAfterFailed: false,
  widths: {},
  hiddenColumns: {},
  openFolders: {},
}

/** `theme.js` has the same one. */
const KEY = 'caseward:preferences'

let current = read()
const listeners = new Set<() => void>()

function read(): Preferences {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return { ...defaults, ...(stored as Partial<Preferences>) }
  } catch {
    // Storage is blocked, or another program has written to it.
    return defaults
  }
}

/** Changes preferences at once, in every tab. Without storage they last until the page is closed. */
export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
  } catch {
    // Storage is blocked or full.
  }
  announce()
}

export const getPreferences = (): Preferences => current

/** Returns one preference, and renders again when it changes. */
export function usePreference<Name extends keyof Preferences>(name: Name): Preferences[Name] {
  return useSyncExternalStore(subscribe, () => current[name])
}

/** Keeps the attributes of the page that the styles read as chosen, also when another tab changes them. Once, at the start. */
export function applyPreferences(): void {
  const apply = () => {
    const { dataset } = document.documentElement
    if (current.theme === 'system') delete dataset['theme']
    else dataset['theme'] = current.theme
    dataset['density'] = current.density
  }
  apply()
  subscribe(apply)
  addEventListener('storage', ({ key }) => {
    if (key !== KEY) return
    current = read()
    announce()
  })
}

function announce(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
