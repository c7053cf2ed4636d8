import { describe, expect, it } from 'vitest'

import { holdTyping } from './hold-typing.ts'

/** A `keydown` event; Node.js has no KeyboardEvent. */
function createKey(key: string, ctrlKey = false) {
  const event = Object.assign(new Event('keydown', { cancelable: true }), {
    key,
    ctrlKey,
    metaKey: false,
    altKey: false,
  })
  return event as unknown as KeyboardEvent
}

function start() {
  const target = new EventTarget()
  const page: string[] = []
  let cancelCount = 0
  const held = holdTyping(() => (cancelCount += 1), target)
  target.addEventListener('keydown', (event) => page.push((event as KeyboardEvent).key))
  const type = (...keys: string[]) => keys.forEach((key) => target.dispatchEvent(createKey(key)))
  return { target, held, page, type, getCancelCount: () => cancelCount }
}

describe('holdTyping', () => {
  it('keeps keys from the page, and gives the text to the first who takes it', () => {
    const { held, page, type } = start()
    type('p', 'f', 'Shift', 'Enter', 'Backspace', 'ä')
    expect([held.release(), held.release()]).toEqual(['pä', ''])
    expect(page).toEqual([])
    type('b')
    expect(page).toEqual(['b'])
  })

  it('ends with Esc', () => {
    const { held, page, type, getCancelCount } = start()
    type('p', 'Escape', 'f')
    expect([getCancelCount(), page, held.release()]).toEqual([1, ['f'], ''])
  })

  it('leaves keys of the browser to the browser, but not to the page', () => {
    const { target, page } = start()
    expect(target.dispatchEvent(createKey('r', true))).toBe(true)
    expect(target.dispatchEvent(createKey('k', true))).toBe(false)
    expect(page).toEqual([])
  })
})
