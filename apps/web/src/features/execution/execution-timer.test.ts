import { describe, expect, it } from 'vitest'

import { createBrowserStorage } from '../../browser-storage.ts'
import { MemoryStorage } from '../../memory-storage.test.helper.ts'
import { createExecutionTimer } from './execution-timer.ts'

function createPage(storage = new MemoryStorage()) {
  const clock = { ms: 0 }
  const timer = createExecutionTimer(
    'run1',
    createBrowserStorage(() => storage),
    () => clock.ms,
  )
  return { storage, timer, pass: (seconds: number) => (clock.ms += seconds * 1000) }
}

describe('execution timer', () => {
  it('measures while the page is visible', () => {
    const { timer, pass } = createPage()
    timer.open('r1', true)
    pass(10)
    timer.setVisible(false)
    pass(100)
    timer.setVisible(true)
    pass(2)
    expect(timer.getSeconds()).toBe(12)
    expect(timer.stop()).toBe(12)
  })

  it('pauses and resumes, also while the page is hidden', () => {
    const { timer, pass } = createPage()
    timer.open('r1', true)
    pass(5)
    timer.pause()
    timer.setVisible(false)
    timer.setVisible(true)
    pass(5)
    expect(timer.isRunning()).toBe(false)
    timer.resume()
    pass(1)
    expect(timer.getSeconds()).toBe(6)
  })

  it('begins again for another result', () => {
    const { timer, pass } = createPage()
    timer.open('r1', true)
    pass(5)
    timer.open('r2', true)
    pass(1)
    timer.open('r2', true)
    expect(timer.stop()).toBe(1)
  })

  it('continues after a reload, without the time in between', () => {
    const first = createPage()
    first.timer.open('r1', true)
    first.pass(7)
    first.timer.getSeconds()
    first.pass(1000)
    const second = createPage(first.storage)
    second.timer.open('r1', true)
    second.pass(1)
    expect(second.timer.getSeconds()).toBe(8)
  })

  it('stays paused after a reload', () => {
    const first = createPage()
    first.timer.open('r1', true)
    first.timer.pause()
    const second = createPage(first.storage)
    second.timer.open('r1', true)
    expect(second.timer.isRunning()).toBe(false)
  })

  it('measures nothing when it is off', () => {
    const { timer, pass } = createPage()
    timer.open('r1', false)
    pass(5)
    expect(timer.stop()).toBeNull()
  })

  it('forgets the time when it is stopped', () => {
    const { timer, pass, storage } = createPage()
    timer.open('r1', true)
    pass(5)
    timer.stop()
    expect(storage.length).toBe(0)
    expect(timer.isRunning()).toBe(false)
    timer.open('r1', true)
    expect(timer.getSeconds()).toBe(0)
  })

  it.each(['{', '{"resultId":"r1","elapsedMs":"5"}', 'null'])('begins at 0 when the storage contains %s', (stored) => {
    const storage = new MemoryStorage()
    storage.setItem('caseward:timer:run1', stored)
    const { timer } = createPage(storage)
    timer.open('r1', true)
    expect(timer.getSeconds()).toBe(0)
  })
})
