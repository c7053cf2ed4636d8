import { describe, expect, it } from 'vitest'

import type { TestStep } from './framework-types.ts'
import { toSteps } from './to-steps.ts'

const step = (category: string, title: string, fields: Partial<TestStep> = {}): TestStep => ({
  category,
  title,
  duration: 5,
  steps: [],
  ...fields,
})

describe('toSteps', () => {
  it('returns steps of the test and hooks, nested, without those of the API of Playwright', () => {
    const steps = [
      step('hook', 'Before Hooks', {
        steps: [step('fixture', 'browser', { steps: [step('hook', 'beforeEach hook')] })],
      }),
      step('pw:api', 'page.goto'),
      step('test.step', 'pays', { steps: [step('expect', 'toBe'), step('test.step', 'by card', { duration: 7.5 })] }),
    ]
    expect(toSteps(steps)).toEqual([
      { title: 'Before Hooks', status: 'passed', depth: 0, durationMs: 5 },
      { title: 'beforeEach hook', status: 'passed', depth: 1, durationMs: 5 },
      { title: 'pays', status: 'passed', depth: 0, durationMs: 5 },
      { title: 'by card', status: 'passed', depth: 1, durationMs: 7.5 },
    ])
  })

  it('returns every step on the way to an error, with its message', () => {
    const error = { message: 'no button' }
    const click = step('pw:api', 'locator.click', { error })
    const steps = [
      step('test.step', 'pays', {
        error,
        steps: [step('pw:api', 'page.goto'), step('expect', 'toPass', { steps: [click] })],
      }),
    ]
    expect(toSteps(steps)).toMatchObject([
      { title: 'pays', status: 'failed', depth: 0, message: 'no button' },
      { title: 'toPass', status: 'passed', depth: 1 },
      { title: 'locator.click', status: 'failed', depth: 2, message: 'no button' },
    ])
  })

  it('returns no duration and an unknown status for a step that did not end, and skipped ones', () => {
    const annotations = [{ type: 'skip' }]
    expect(
      toSteps([step('test.step', 'waits', { duration: -1 }), step('test.step', 'ships', { annotations })]),
    ).toEqual([
      { title: 'waits', status: null, depth: 0 },
      { title: 'ships', status: 'skipped', depth: 0, durationMs: 5 },
    ])
  })
})
