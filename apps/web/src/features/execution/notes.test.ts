import { describe, expect, it } from 'vitest'

import { createBrowserStorage } from '../../browser-storage.ts'
import { createDrafts } from '../../drafts/drafts.ts'
import { MemoryStorage } from '../../memory-storage.test.helper.ts'
import { createNotes } from './notes.ts'

function createTab(memory = new MemoryStorage()) {
  const drafts = createDrafts(
    'user1',
    createBrowserStorage(() => memory),
  )
  return { memory, notes: createNotes(drafts, 'run1') }
}

describe('notes', () => {
  it('survive a reload until they are forgotten', () => {
    const { memory, notes } = createTab()
    notes.type('r1', 'wrong total', '')
    expect(createTab(memory).notes.read('r1')).toBe('wrong total')
    notes.forget('r1')
    expect(notes.read('r1')).toBeNull()
    expect(createTab(memory).notes.read('r1')).toBeNull()
  })

  it('are none if they are what is saved', () => {
    const { notes } = createTab()
    notes.type('r1', 'first tries', 'first try')
    notes.type('r1', 'first try', 'first try')
    expect(notes.read('r1')).toBeNull()
  })

  it('are a draft if the saved note is emptied', () => {
    const { notes } = createTab()
    notes.type('r1', '', 'first try')
    expect(notes.read('r1')).toBe('')
  })

  it('are kept in the tab if the storage of the browser is full', () => {
    const { memory, notes } = createTab()
    memory.limit = 0
    notes.type('r1', 'wrong total', '')
    expect(notes.read('r1')).toBe('wrong total')
  })
})
