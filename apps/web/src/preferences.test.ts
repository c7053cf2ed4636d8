import { describe, expect, it } from 'vitest'

import { createBrowserStorage } from './browser-storage.ts'
import { MemoryStorage } from './memory-storage.test.helper.ts'
import { createPreferences, PREFERENCES_KEY } from './preferences.ts'

function createTab(storage: MemoryStorage, events = new EventTarget()) {
  return {
    store: createPreferences(
      createBrowserStorage(() => storage),
      events,
    ),
    events,
  }
}

describe('preferences', () => {
  it('survive a reload, in the form that theme.js reads', () => {
    const storage = new MemoryStorage()
    createTab(storage).store.set({ theme: 'dark', widths: { tree: 300 } })
    expect(createTab(storage).store.get()).toMatchObject({ theme: 'dark', widths: { tree: 300 }, timer: true })
    expect(JSON.parse(storage.getItem(PREFERENCES_KEY) ?? '')).toMatchObject({ theme: 'dark' })
  })

  it('reach other tabs, and do not overwrite what another tab has just set', () => {
    const storage = new MemoryStorage()
    const [one, two] = [createTab(storage), createTab(storage)]
    let calls = 0
    two.store.subscribe(() => (calls += 1))
    one.store.set({ singleLetterKeys: false })
    two.events.dispatchEvent(Object.assign(new Event('storage'), { key: PREFERENCES_KEY }))
    expect(calls).toBe(1)
    expect(two.store.get().singleLetterKeys).toBe(false)
    one.store.set({ theme: 'light' })
    two.store.set({ density: 'comfortable' })
    expect(createTab(storage).store.get()).toMatchObject({
      theme: 'light',
      density: 'comfortable',
      singleLetterKeys: false,
    })
  })

  it('ignore changes of other keys', () => {
    const { store, events } = createTab(new MemoryStorage())
    let calls = 0
    store.subscribe(() => (calls += 1))
    events.dispatchEvent(Object.assign(new Event('storage'), { key: 'other' }))
    expect(calls).toBe(0)
  })

  it.each([
    ['text that is not JSON', 'hello'],
    ['another type', '[1]'],
    [
      'values of another version',
      '{"theme":"purple","timer":"yes","widths":{"tree":-1,"panel":"wide"},"hiddenColumns":5}',
    ],
  ])('have their defaults when the storage contains %s', (_, stored) => {
    const storage = new MemoryStorage()
    storage.setItem(PREFERENCES_KEY, stored)
    expect(createTab(storage).store.get()).toEqual(createTab(new MemoryStorage()).store.get())
  })

  it('hold until the tab is closed when the storage is full', () => {
    const storage = new MemoryStorage()
    storage.limit = 5
    const { store } = createTab(storage)
    store.set({ theme: 'dark' })
    expect(store.get().theme).toBe('dark')
    store.set({ timer: false })
    expect(store.get()).toMatchObject({ theme: 'dark', timer: false })
  })

  it('hold until the tab is closed when the browser blocks storage', () => {
    const store = createPreferences(
      createBrowserStorage(() => {
        throw new DOMException('Blocked', 'SecurityError')
      }),
    )
    store.set({ theme: 'dark' })
    expect(store.get().theme).toBe('dark')
  })
})
