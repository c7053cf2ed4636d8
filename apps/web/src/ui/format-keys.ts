/** Names of keys as they are printed on keyboards. */
const names: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Delete: 'Del',
  Space: 'Space',
}
const modifiers: Record<'mac' | 'other', Record<string, string>> = {
  mac: { $mod: '⌘', Meta: '⌘', Control: '⌃', Alt: '⌥', Shift: '⇧', Backspace: '⌫' },
  other: { $mod: 'Ctrl', Meta: 'Meta', Control: 'Ctrl', Alt: 'Alt', Shift: 'Shift', Backspace: '⌫' },
}

/** The digit of a key by its place, such as `Digit1`; other names stay. */
const getDigit = (key: string) => /^(?:Digit|Numpad)(\d)$/.exec(key)?.[1] ?? key

/**
 * Formats keys in the notation of tinykeys for a keyboard: `$mod+K` becomes `Ctrl K` or `⌘K`, `G C` becomes `G`, `C`.
 * @returns one text for each key cap
 */
export function formatKeys(keys: string, isMac: boolean): string[] {
  const shown = { ...names, ...modifiers[isMac ? 'mac' : 'other'] }
  return keys
    .split(' ')
    .flatMap((combination) =>
      combination.split(/\b\+/).map((key) => shown[key] ?? (key.length === 1 ? key.toUpperCase() : getDigit(key))),
    )
}
