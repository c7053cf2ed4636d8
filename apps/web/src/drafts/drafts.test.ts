import { describe, expect, it } from 'vitest'

import { createBrowserStorage } from '../browser-storage.ts'
import { MemoryStorage } from '../memory-storage.test.helper.ts'
import { createDrafts, draftItem, splitDraftItem } from './drafts.ts'

const DAY_MS = 24 * 60 * 60 * 1000

function createVisit(storage: MemoryStorage, user = 'ada', now = () => 0) {
  return createDrafts(
    user,
    createBrowserStorage(() => storage),
    now,
  )
}

describe('drafts', () => {
  it('survive a reload', () => {
    const storage = new MemoryStorage()
    const item = draftItem('note', 'run/1', 'r1')
    expect(createVisit(storage).save(item, 'The page is', '7')).toBe(true)
    expect(createVisit(storage).read(item)).toEqual({ text: 'The page is', typedAt: 0, base: '7' })
  })

  it('belong to a user and an item', () => {
    const storage = new MemoryStorage()
    createVisit(storage).save('note/1', 'Secret')
    expect(createVisit(storage, 'bob').read('note/1')).toBeNull()
    expect(createVisit(storage).read('note/2')).toBeNull()
  })

  it('are gone after they are removed', () => {
    const storage = new MemoryStorage()
    const drafts = createVisit(storage)
    drafts.save('note/1', 'Text')
    drafts.remove('note/1')
    expect(drafts.read('note/1')).toBeNull()
    expect(storage.length).toBe(0)
  })

  it('expire after 30 days', () => {
    const storage = new MemoryStorage()
    createVisit(storage).save('note/1', 'Text')
    expect(createVisit(storage, 'ada', () => 30 * DAY_MS).read('note/1')?.text).toBe('Text')
    expect(createVisit(storage, 'ada', () => 30 * DAY_MS + 1).read('note/1')).toBeNull()
    expect(storage.length).toBe(0)
  })

  it('make room by dropping the oldest when they exceed a million characters', () => {
    const storage = new MemoryStorage()
    let time = 0
    const drafts = createVisit(storage, 'ada', () => (time += 1))
    for (let number = 1; number <= 12; number += 1) drafts.save(`note/${number}`, 'x'.repeat(100_000))
    expect(drafts.read('note/2')).toBeNull()
    expect(drafts.read('note/3')).not.toBeNull()
    expect(drafts.read('note/12')).not.toBeNull()
    expect(drafts.save('note/13', 'x'.repeat(1_000_001))).toBe(false)
  })

  it('drop older ones when something else fills the storage', () => {
    const storage = new MemoryStorage()
    const drafts = createVisit(storage)
    drafts.save('note/1', 'x'.repeat(1000))
    storage.limit = 1500
    expect(drafts.save('note/2', 'y'.repeat(1000))).toBe(true)
    expect(drafts.read('note/1')).toBeNull()
    storage.limit = 10
    expect(drafts.save('note/3', 'z'.repeat(1000))).toBe(false)
  })

  it('ignore what is unreadable', () => {
    const storage = new MemoryStorage()
    storage.setItem('caseward:draft:ada:note/1', '{"text":5}')
    storage.setItem('caseward:draft:ada:note/2', '{')
    const drafts = createVisit(storage)
    expect(drafts.read('note/1')).toBeNull()
    expect(drafts.save('note/2', 'Text')).toBe(true)
  })

  it('are listed by the beginning of their names, and tell when they change', () => {
    const drafts = createVisit(new MemoryStorage())
    let changes = 0
    const stop = drafts.subscribe(() => (changes += 1))
    drafts.save(draftItem('case', 'p/1', 'WEB-1'), 'Text')
    drafts.save(draftItem('case', 'p/10', 'WEB-2'), 'Text')
    drafts.remove(draftItem('case', 'p/10', 'WEB-2'))
    stop()
    drafts.save(draftItem('note', 'p/1', 'WEB-1'), 'Text')
    expect(drafts.list('case').map(splitDraftItem)).toEqual([['case', 'p/1', 'WEB-1']])
    expect(drafts.list('case', 'p')).toEqual([])
    expect(changes).toBe(3)
  })
})
