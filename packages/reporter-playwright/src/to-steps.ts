import type { TestStep } from '@caseward/reporter-core'

import type { TestStep as PlaywrightStep } from './framework-types.ts'

/** Steps that a test itself has written. Those of Playwright's own API are only of interest on the way to an error. */
const OWN_CATEGORIES: ReadonlySet<string> = new Set(['test.step', 'hook'])

/** Converts the steps of an attempt to a list in the order in which they began. */
export function toSteps(steps: readonly PlaywrightStep[], depth = 0): TestStep[] {
  return steps.flatMap((step) => {
    const isShown = OWN_CATEGORIES.has(step.category) || leadsToError(step)
    const inner = toSteps(step.steps ?? [], isShown ? depth + 1 : depth)
    return isShown ? [toStep(step, depth), ...inner] : inner
  })
}

const leadsToError = ({ error, steps }: PlaywrightStep): boolean => error !== undefined || steps?.some(leadsToError)

function toStep({ title, duration, error, annotations = [] }: PlaywrightStep, depth: number): TestStep {
  const hasEnded = duration >= 0
  const isSkipped = annotations.some(({ type }) => type === 'skip')
  const status = error !== undefined ? 'failed' : isSkipped ? 'skipped' : hasEnded ? 'passed' : null
  return {
    title,
    status,
    depth,
    ...(hasEnded ? { durationMs: duration } : {}),
    ...(error === undefined ? {} : { message: error.message ?? error.value ?? '' }),
  }
}
