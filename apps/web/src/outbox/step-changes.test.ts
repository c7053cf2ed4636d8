import { describe, expect, it } from 'vitest'

import { mergeWrite, type OutboxEntry, type ResultWrite } from './outbox-entry.ts'
import { pickBatch } from './send-batch.ts'
import { applyStepChanges, mergeStepChanges } from './step-changes.ts'

const write = (number: number, more: Partial<ResultWrite> = {}): ResultWrite => ({
  runId: 'run1',
  resultId: `r${number}`,
  testCaseId: `WEB-${number}`,
  title: `Test case ${number}`,
  status: 'not_tested',
  base: null,
  ...more,
})

describe('mergeStepChanges', () => {
  it('keeps one change for each position, with the later value of each field', () => {
    const earlier = [{ position: 1, status: 'failed', actual: 'Error' } as const, { position: 3, actual: 'Slow' }]
    const later = [{ position: 1, status: null } as const, { position: 2, status: 'passed' } as const]
    expect(mergeStepChanges(earlier, later)).toEqual([
      { position: 1, status: null, actual: 'Error' },
      { position: 3, actual: 'Slow' },
      { position: 2, status: 'passed' },
    ])
    expect(mergeStepChanges(undefined, later)).toBe(later)
    expect(mergeStepChanges(earlier, undefined)).toBe(earlier)
  })
})

describe('applyStepChanges', () => {
  it('changes the steps that are named, and removes those without a status and an actual result', () => {
    const results = [
      { position: 1, status: 'failed', actual: 'Error' } as const,
      { position: 3, status: 'passed', actual: null } as const,
    ]
    const changes = [
      { position: 3, status: null },
      { position: 2, actual: 'Slow' },
      { position: 1, status: 'blocked' as const },
    ]
    expect(applyStepChanges(results, changes)).toEqual([
      { position: 1, status: 'blocked', actual: 'Error' },
      { position: 2, status: null, actual: 'Slow' },
    ])
    expect(applyStepChanges(results, undefined)).toBe(results)
  })
})

describe('unsent steps', () => {
  it('are merged with those of earlier writes, and stay when a later write is about the status only', () => {
    const first = mergeWrite(
      undefined,
      write(1, { steps: [{ position: 1, status: 'failed' }], stepState: 'failed' }),
      1,
    )
    const steps = [{ position: 1, actual: 'Error' }]
    const second = mergeWrite(
      mergeWrite(first, write(1, { steps, stepState: 'failed' }), 2),
      write(1, { status: 'failed' }),
      3,
    )
    expect(second).toMatchObject({
      status: 'failed',
      steps: [{ position: 1, status: 'failed', actual: 'Error' }],
      stepState: 'failed',
    })
  })

  it('count for the size of a request', () => {
    const steps = [{ position: 1, actual: 'x'.repeat(60_000) }]
    const entries: OutboxEntry[] = [1, 2, 3].map((number) => mergeWrite(undefined, write(number, { steps }), number))
    expect(pickBatch(entries, 100)).toHaveLength(1)
  })
})
