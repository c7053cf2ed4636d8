import { describe, expect, it } from 'vitest'

import { createUndoStack } from './undo-stack.ts'

function createStack() {
  const log: string[] = []
  const stack = createUndoStack()
  return { log, stack, push: (words: string) => stack.push({ words, undo: () => void log.push(words) }) }
}

describe('undo stack', () => {
  it('shows the last action until its own toast closes', () => {
    const { stack, push } = createStack()
    const first = push('moved')
    const second = push('tagged')
    stack.hide(first)
    expect(stack.getShown()?.words).toBe('tagged')
    stack.hide(second)
    expect(stack.getShown()).toBeNull()
  })

  it('undoes the last action, then the one before', async () => {
    const { log, stack, push } = createStack()
    push('moved')
    push('tagged')
    await stack.undo()
    await stack.undo()
    await stack.undo()
    expect(log).toEqual(['tagged', 'moved'])
    expect(stack.getShown()).toBeNull()
  })

  it('shows no toast of a quiet action, nor that of the action before, and undoes it first', async () => {
    const { log, stack, push } = createStack()
    push('moved')
    stack.push({ words: 'step passed', isQuiet: true, undo: () => void log.push('step passed') })
    expect(stack.getShown()).toBeNull()
    await stack.undo()
    await stack.undo()
    expect(log).toEqual(['step passed', 'moved'])
  })

  it('undoes the action of a toast once', async () => {
    const { log, stack, push } = createStack()
    const id = push('moved')
    push('tagged')
    await Promise.all([stack.undo(id), stack.undo(id)])
    expect(log).toEqual(['moved'])
  })

  it('still undoes an action after its toast is gone', async () => {
    const { log, stack, push } = createStack()
    stack.hide(push('moved'))
    expect(stack.getShown()).toBeNull()
    await stack.undo()
    expect(log).toEqual(['moved'])
  })

  it('keeps an action whose undoing has failed', async () => {
    const stack = createUndoStack()
    let attempts = 0
    stack.push({
      words: 'moved',
      undo: () => {
        attempts += 1
        if (attempts === 1) throw new Error('offline')
      },
    })
    await expect(stack.undo()).rejects.toThrow('offline')
    await stack.undo()
    expect(attempts).toBe(2)
  })

  it('tells the toast about every change', () => {
    const { stack, push } = createStack()
    const shown: (string | undefined)[] = []
    stack.subscribe(() => shown.push(stack.getShown()?.words))
    stack.remove(push('moved'))
    expect(shown).toEqual(['moved', undefined])
  })
})
