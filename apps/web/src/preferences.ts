import { type BrowserStorage, browserStorage } from './browser-storage.ts'

/** What a user has chosen in this browser. */
export interface Preferences {
  /** `system` follows the operating system. */
  readonly theme: 'system' | 'light' | 'dark'
  /** Whether keys such as `P` act without a modifier (WCAG 2.1.4). */
  readonly singleLetterKeys: boolean
  /** Whether the time of execution is measured. */
  readonly timer: boolean
  /** Whether `F` in execution moves the focus to the note. */
  readonly noteAfterFailed: boolean
  readonly density: 'compact' | 'comfortable'
  /** Whether the rail shows icons only. */
  readonly railCollapsed: boolean
  /** Hidden columns by table. */
  readonly hiddenColumns: Readonly<Record<string, readonly string[]>>
  /** The keys of the custom fields that have a column, by project. */
  readonly fieldColumns: Readonly<Record<string, readonly string[]>>
  /** Widths of panels and columns in pixels by name. */
  readonly widths: Readonly<Record<string, number>>
  /** The folders that are open, by project. */
  readonly openFolders: Readonly<Record<string, readonly string[]>>
}

const defaults: Preferences = {
  theme: 'system',
  singleLetterKeys: true,
  timer: true,
  noteAfterFailed: false,
  density: 'compact',
  railCollapsed: false,
  hiddenColumns: {},
  fieldColumns: {},
  widths: {},
  openFolders: {},
}

/** `theme.js` reads it before the first paint. */
export const PREFERENCES_KEY = 'caseward:preferences'

export interface PreferencesStore {
  get(): Preferences
  /** Changes some preferences, in all tabs. If the storage is full or blocked, they hold until the tab is closed. */
  set(changes: Partial<Preferences>): void
  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void
}

/**
 * Creates the store of preferences.
 * @param events dispatches `storage` when another tab has changed something
 */
export function createPreferences(
  storage: BrowserStorage = browserStorage,
  events?: Pick<EventTarget, 'addEventListener'>,
): PreferencesStore {
  const listeners = new Set<() => void>()
  let preferences = parsePreferences(storage.read(PREFERENCES_KEY))
  const notify = () => listeners.forEach((listener) => listener())
  events?.addEventListener('storage', (event) => {
    const { key } = event as Event & { key: string | null }
    if (key !== null && key !== PREFERENCES_KEY) return
    preferences = parsePreferences(storage.read(PREFERENCES_KEY))
    notify()
  })
  return {
    get: () => preferences,
    set(changes) {
      // Another tab may have changed others in this moment.
      const stored = storage.read(PREFERENCES_KEY)
      preferences = { ...(stored === undefined ? preferences : parsePreferences(stored)), ...changes }
      storage.write(PREFERENCES_KEY, preferences)
      notify()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Reads what an older or newer version of the app has stored: every field that is not usable gets its default. */
function parsePreferences(value: unknown): Preferences {
  const stored = isRecord(value) ? value : {}
  const flag = (name: 'singleLetterKeys' | 'timer' | 'noteAfterFailed' | 'railCollapsed') =>
    typeof stored[name] === 'boolean' ? stored[name] : defaults[name]
  return {
    theme: oneOf(['system', 'light', 'dark'], stored['theme'], defaults.theme),
    density: oneOf(['compact', 'comfortable'], stored['density'], defaults.density),
    singleLetterKeys: flag('singleLetterKeys'),
    timer: flag('timer'),
    noteAfterFailed: flag('noteAfterFailed'),
    railCollapsed: flag('railCollapsed'),
    hiddenColumns: pickEntries(stored['hiddenColumns'], isStringList),
    fieldColumns: pickEntries(stored['fieldColumns'], isStringList),
    widths: pickEntries(stored['widths'], isSize),
    openFolders: pickEntries(stored['openFolders'], isStringList),
  }
}

function oneOf<const V extends string>(values: readonly V[], value: unknown, fallback: V): V {
  return values.find((candidate) => candidate === value) ?? fallback
}

function pickEntries<T>(value: unknown, isValid: (item: unknown) => item is T): Record<string, T> {
  const entries = isRecord(value) ? Object.entries(value) : []
  return Object.fromEntries(entries.filter((entry): entry is [string, T] => isValid(entry[1])))
}

const isStringList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
const isSize = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
