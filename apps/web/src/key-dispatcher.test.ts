import { describe, expect, it } from 'vitest'

import { createKeyDispatcher, type KeyHandlers } from './key-dispatcher.ts'

interface Press {
  readonly shift?: boolean
  readonly ctrl?: boolean
  /** Selectors, separated by spaces, that match the focused element or one around it. */
  readonly inside?: string
  readonly repeat?: boolean
  readonly isComposing?: boolean
  readonly at?: number
}

/** A `keydown` event as tinykeys reads it; Node.js has no KeyboardEvent. */
function press(
  key: string,
  { shift = false, ctrl = false, inside = '', repeat = false, isComposing = false, at = 0 }: Press = {},
) {
  let isPrevented = false
  const event = {
    key,
    code: '',
    repeat,
    isComposing,
    timeStamp: at,
    target: {
      closest: (selector: string) => (selector.split(',').some((part) => inside.split(' ').includes(part)) ? {} : null),
    },
    getModifierState: (name: string) => (name === 'Shift' && shift) || (name === 'Control' && ctrl),
    get defaultPrevented() {
      return isPrevented
    },
    preventDefault: () => {
      isPrevented = true
    },
  }
  return event as unknown as KeyboardEvent
}

function createPage(ids: readonly (keyof KeyHandlers)[], areCharacterKeysOn = () => true) {
  const calls: string[] = []
  const dispatcher = createKeyDispatcher(areCharacterKeysOn)
  const toHandlers = (names: readonly (keyof KeyHandlers)[]) =>
    Object.fromEntries(names.map((id) => [id, () => calls.push(id)])) as KeyHandlers
  const unregister = dispatcher.register(toHandlers(ids))
  return {
    calls,
    unregister,
    register: (names: readonly (keyof KeyHandlers)[]) => dispatcher.register(toHandlers(names)),
    type(...events: KeyboardEvent[]) {
      events.forEach((event) => dispatcher.handle(event))
      return calls
    },
  }
}

describe('key dispatcher', () => {
  it('calls the handler of a key instead of the browser', () => {
    const page = createPage(['passed', 'passedAndStay'])
    const event = press('p')
    expect(page.type(event)).toEqual(['passed'])
    expect(event.defaultPrevented).toBe(true)
    expect(page.type(press('P', { shift: true }))).toEqual(['passed', 'passedAndStay'])
  })

  it('leaves other keys to the browser', () => {
    const page = createPage(['passed'])
    const event = press('q')
    page.type(event, press('p', { ctrl: true }))
    expect(event.defaultPrevented).toBe(false)
    expect(page.calls).toEqual([])
  })

  it('does not act on the second key of a sequence', () => {
    const page = createPage(['goToCases', 'create', 'goToRuns', 'retest'])
    expect(page.type(press('g'), press('c', { at: 100 }))).toEqual(['goToCases'])
    expect(page.type(press('g', { at: 200 }), press('Shift', { at: 210 }), press('r', { at: 300 }))).toEqual([
      'goToCases',
      'goToRuns',
    ])
  })

  it('ends a sequence with a key that does not continue it, or after a second', () => {
    const page = createPage(['goToCases', 'create', 'passed'])
    expect(page.type(press('g'), press('p', { at: 100 }))).toEqual([])
    expect(page.type(press('p', { at: 200 }))).toEqual(['passed'])
    expect(page.type(press('g', { at: 300 }), press('c', { at: 1400 }))).toEqual(['passed', 'create'])
  })

  it.each(['textarea', 'select', '[contenteditable]', '[role=dialog]', '[role=menu]', '[role=option]'])(
    'does not act in %s',
    (inside) => {
      const page = createPage(['passed', 'undo'])
      expect(page.type(press('p', { inside }), press('z', { ctrl: true, inside }))).toEqual([])
    },
  )

  it('leaves letters and arrow keys to a tree, but letters only until an entry is chosen', () => {
    const page = createPage(['create', 'next', 'undo'])
    const inside = '[role=tree]'
    expect(page.type(press('c', { inside }), press('ArrowDown', { inside }))).toEqual([])
    expect(page.type(press('z', { ctrl: true, inside }))).toEqual(['undo'])
    const chosen = `${inside} [data-page-has-letters]`
    expect(page.type(press('ArrowDown', { inside: chosen }), press('c', { inside: chosen }))).toEqual([
      'undo',
      'create',
    ])
  })

  it('leaves Enter to a button that has the focus', () => {
    const page = createPage(['open'])
    expect(page.type(press('Enter', { inside: 'button' }))).toEqual([])
    expect(page.type(press('Enter'))).toEqual(['open'])
  })

  it('acts once while a key is held down, except to move', () => {
    const page = createPage(['passed', 'next'])
    page.type(press('p'), press('p', { repeat: true }), press('j'), press('j', { repeat: true }))
    expect(page.calls).toEqual(['passed', 'next', 'next'])
  })

  it('does not act while text is composed', () => {
    expect(createPage(['passed']).type(press('p', { isComposing: true }))).toEqual([])
  })

  it('keeps keys with a modifier when single letters are switched off', () => {
    let isOn = false
    const page = createPage(['passed', 'undo', 'goToCases', 'open'], () => isOn)
    page.type(press('p'), press('z', { ctrl: true }), press('g'), press('c'), press('Enter'))
    expect(page.calls).toEqual(['undo', 'open'])
    isOn = true
    expect(page.type(press('p'))).toEqual(['undo', 'open', 'passed'])
  })

  it('prefers the part of the page that was opened last, until it is closed', () => {
    const page = createPage(['create'])
    const close = page.register(['goToCases', 'failed'])
    page.type(press('f'))
    close()
    page.type(press('f'), press('c'))
    page.unregister()
    expect(page.type(press('c'))).toEqual(['failed', 'create'])
  })
})
