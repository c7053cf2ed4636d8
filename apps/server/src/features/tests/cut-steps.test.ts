import type { ReportedStep } from '@caseward/matching/attempt'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cutSteps } from './cut-steps.ts'

const makeStep = (depth: number, status: ReportedStep['status'] = 'passed', title = 'step'): ReportedStep => ({
  title,
  status,
  depth,
  elapsedMs: null,
  message: '',
})

describe('cutSteps', () => {
  it('keeps all steps up to the limits', () => {
    const steps = Array.from({ length: 200 }, () => makeStep(0))
    expect(cutSteps(steps)).toEqual({ steps })
  })

  it('leaves out passed leaves first, then passed steps around others, and the way to an error last', () => {
    const around = makeStep(0, 'passed', 'around')
    const way = makeStep(0, 'passed', 'on the way')
    const failed = makeStep(1, 'failed', 'failed')
    const leaves = Array.from({ length: 300 }, () => makeStep(1))
    const { steps = [], hasCutSteps } = cutSteps([around, ...leaves, way, failed])
    expect([steps.length, hasCutSteps]).toEqual([200, true])
    expect(steps).toEqual([around, ...leaves.slice(0, 197), way, failed])
  })

  it('cuts texts of more than 64 KB', () => {
    const long = (status: ReportedStep['status']) => makeStep(0, status, 'x'.repeat(30_000))
    const { steps = [], hasCutSteps } = cutSteps([long('passed'), long('passed'), long('failed')])
    expect([steps.map(({ status }) => status), hasCutSteps]).toEqual([['passed', 'failed'], true])
  })

  it('never keeps a step without those around it', () => {
    const step = fc
      .tuple(fc.nat({ max: 9 }), fc.constantFrom('passed', 'failed', null), fc.nat({ max: 2000 }))
      .map(([depth, status, length]) => makeStep(depth, status, 'x'.repeat(length)))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const kept = new Set(cutSteps(steps).steps)
        expect(kept.size).toBeLessThanOrEqual(200)
        for (const [index, inner] of steps.entries()) {
          const outer = steps.slice(0, index).findLast(({ depth }) => depth < inner.depth)
          expect(!kept.has(inner) || outer === undefined || kept.has(outer)).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })
})
