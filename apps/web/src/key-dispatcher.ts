import { matchKeyBindingPress, parseKeybinding } from 'tinykeys'

import { isCharacterBinding, type KeyDefinition, type KeyId, keys } from './keys.ts'

/** What a key does; it is called instead of the browser's own action. */
export type KeyHandlers = { readonly [K in KeyId]?: (event: KeyboardEvent) => void }

export interface KeyDispatcher {
  /**
   * Registers the keys of a page or part of it. Of two handlers of a key, the later one acts.
   * @returns a function that removes them
   */
  register(handlers: KeyHandlers): () => void
  /** Handles a `keydown` event of the document. */
  handle(event: KeyboardEvent): void
}

interface Binding {
  readonly definition: KeyDefinition
  readonly presses: ReturnType<typeof parseKeybinding>
  readonly isCharacter: boolean
  readonly handler: (event: KeyboardEvent) => void
}

/** The longest time between two keys of a sequence. */
const SEQUENCE_TIMEOUT_MS = 1000

/**
 * Creates what calls the handlers of keys. While a sequence such as `G C` is typed, its second key does nothing else. In
 * fields, dialogs, menus and while text is composed (IME), keys do not act.
 * @param areCharacterKeysOn whether the user allows keys such as `P` without a modifier
 * @param actsInDialogs for the keys of a dialog itself
 */
export function createKeyDispatcher(areCharacterKeysOn: () => boolean, actsInDialogs = false): KeyDispatcher {
  const registrations: Binding[][] = []
  let begun: { bindings: readonly Binding[]; at: number } | null = null

  function findHandled(event: KeyboardEvent): Binding | undefined {
    const isOn = ({ isCharacter }: Binding) => !isCharacter || areCharacterKeysOn()
    const candidates = registrations
      .flat()
      .filter((binding) => isOn(binding) && canAct(binding.definition, event, actsInDialogs))
    const second = begun !== null && event.timeStamp - begun.at <= SEQUENCE_TIMEOUT_MS ? begun.bindings : null
    begun = null
    if (second !== null) return candidates.findLast((binding) => second.includes(binding) && matches(event, binding, 1))
    const sequences = candidates.filter(({ presses }) => presses.length > 1)
    const started = sequences.filter((binding) => matches(event, binding, 0))
    if (started.length > 0) {
      begun = { bindings: started, at: event.timeStamp }
      return undefined
    }
    return candidates.findLast((binding) => binding.presses.length === 1 && matches(event, binding, 0))
  }

  return {
    register(handlers) {
      const bindings = toBindings(handlers)
      registrations.push(bindings)
      return () => {
        const index = registrations.indexOf(bindings)
        if (index !== -1) registrations.splice(index, 1)
      }
    },
    handle(event) {
      // A modifier alone is neither the second key of a sequence nor a key.
      if (modifiers.has(event.key) || event.defaultPrevented || event.isComposing) return
      const binding = findHandled(event)
      if (binding === undefined) return
      event.preventDefault()
      binding.handler(event)
    },
  }
}

const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock'])

function toBindings(handlers: KeyHandlers): Binding[] {
  return (Object.entries(handlers) as [KeyId, (event: KeyboardEvent) => void][]).flatMap(([id, handler]) => {
    const definition: KeyDefinition = keys[id]
    return definition.bindings.map((binding) => ({
      definition,
      presses: parseKeybinding(binding),
      isCharacter: isCharacterBinding(binding),
      handler,
    }))
  })
}

function matches(event: KeyboardEvent, { presses }: Binding, index: number): boolean {
  const press = presses[index]
  return press !== undefined && matchKeyBindingPress(event, press)
}

const FIELDS = 'input:not([type=checkbox],[type=radio],[type=button],[type=submit]),textarea,select,[contenteditable]'
/** In an open list of choices, letters find entries. The list of execution keeps the focus itself. */
const DIALOGS = '[role=dialog],[role=alertdialog]'
const OWN_KEYS = '[role=menu],[role=menubar],[role=option],[role=combobox]'
/** These react to Enter and Space themselves. */
const PRESSABLE = 'button,a[href],summary,[role=button],[role=tab],[role=checkbox],input'

function canAct(definition: KeyDefinition, event: KeyboardEvent, actsInDialogs: boolean): boolean {
  if (event.repeat && !definition.repeats) return false
  const target = event.target as Partial<Element> | null
  const isIn = (selector: string) => (target?.closest?.(selector) ?? null) !== null
  if (
    isIn(OWN_KEYS) ||
    (isIn(DIALOGS) && !actsInDialogs) ||
    (isIn(FIELDS) && definition.actsInFields !== true) ||
    (isIn('[role=tree]') && !passesTree(event, isIn))
  )
    return false
  // Arrow keys choose another one.
  if (event.key.startsWith('Arrow') && isIn('[type=radio]')) return false
  return !((event.key === 'Enter' || event.key === ' ') && isIn(PRESSABLE))
}

/** A tree is walked with arrow keys, and letters find its entries, except after one was chosen. */
function passesTree(event: KeyboardEvent, isIn: (selector: string) => boolean): boolean {
  if (event.getModifierState('Control') || event.getModifierState('Meta')) return true
  return event.key.length === 1 && event.key !== ' ' && isIn('[data-page-has-letters]')
}
