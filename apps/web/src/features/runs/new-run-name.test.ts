import { describe, expect, it } from 'vitest'

import { suggestRunName } from './new-run-name.ts'

const now = new Date('2026-11-22T23:30:00Z')
const suggest = (milestone: string | null, used: string[] = [], timeZone = 'UTC') =>
  suggestRunName(milestone, now, used, timeZone)

describe('suggestRunName', () => {
  it('contains milestone and day', () => {
    expect(suggest('Release 2.4')).toBe('Release 2.4, 22 Nov 2026')
    expect(suggest(null)).toBe('Run of 22 Nov 2026')
  })

  it('has the day of the user, not of UTC', () => {
    expect(suggest(null, [], 'Europe/Berlin')).toBe('Run of 23 Nov 2026')
  })

  it('differs from the names of other runs', () => {
    const used = ['Run of 22 Nov 2026', 'Run of 22 Nov 2026 (2)']
    expect(suggest(null, used)).toBe('Run of 22 Nov 2026 (3)')
  })

  it('is not longer than the name of a run may be', () => {
    const milestone = 'm'.repeat(255)
    const first = suggest(milestone)
    const second = suggest(milestone, [first])
    expect([first.length, second.length]).toEqual([255, 255])
    expect(second).toMatch(/^m+…, 22 Nov 2026 \(2\)$/)
  })
})
