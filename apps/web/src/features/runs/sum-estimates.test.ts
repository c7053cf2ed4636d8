import { describe, expect, it } from 'vitest'

import { describeTimeLeft } from './sum-estimates.ts'

describe('describeTimeLeft', () => {
  it('adds up what is not tested and what is to be tested again', () => {
    const rows = [
      { status: 'not_tested', estimate: 3600 },
      { status: 'retest', estimate: 1200 },
      { status: 'passed', estimate: 9999 },
      { status: 'not_tested' },
      { status: 'not_tested', estimate: null },
    ] as const
    expect(describeTimeLeft(rows)).toEqual({ text: 'About 1 h 20 min left', hint: '2 test cases without an estimate' })
  })

  it('says nothing without estimates, and once all is tested', () => {
    expect(describeTimeLeft([{ status: 'not_tested' }])).toBeNull()
    expect(describeTimeLeft([{ status: 'failed', estimate: 60 }])).toBeNull()
    expect(describeTimeLeft([])).toBeNull()
  })
})
