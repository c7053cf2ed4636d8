/** What a key does in a table. */
export type TableAction =
  | { kind: 'move'; to: number; isExtending: boolean }
  | { kind: 'toggle' }
  | { kind: 'select-all' }
  | { kind: 'clear' }
  | { kind: 'open'; inNewTab: boolean }

interface KeyContext {
  /** The index of the current row. */
  active: number
  count: number
  /** The number of rows that fit into the window. */
  pageSize: number
  hasSelection: boolean
  areLettersOn: boolean
}

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Returns what a key does, or null if the table does not handle it. */
export function getTableAction(event: Key, context: KeyContext): TableAction | null {
  if (event.altKey) return null
  const isCommand = event.ctrlKey || event.metaKey
  if (isCommand) return getCommand(event.key)
  const isLetter = event.key.length === 1
  if (isLetter && !context.areLettersOn) return null
  const target = getTarget(isLetter ? event.key.toLowerCase() : event.key, context)
  if (target !== null) {
    const to = Math.min(Math.max(target, 0), context.count - 1)
    return { kind: 'move', to, isExtending: event.shiftKey }
  }
  if (event.shiftKey) return null
  switch (event.key) {
    case 'Enter':
    case 'o':
      return { kind: 'open', inNewTab: false }
    case 'x':
      return { kind: 'toggle' }
    case 'Escape':
      return context.hasSelection ? { kind: 'clear' } : null
    default:
      return null
  }
}

function getCommand(key: string): TableAction | null {
  if (key === 'Enter') return { kind: 'open', inNewTab: true }
  return key.toLowerCase() === 'a' ? { kind: 'select-all' } : null
}

function getTarget(key: string, { active, count, pageSize }: KeyContext): number | null {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return active + 1
    case 'ArrowUp':
    case 'k':
      return active - 1
    case 'PageDown':
      return active + pageSize
    case 'PageUp':
      return active - pageSize
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
