import { describe, expect, it } from 'vitest'

import { createSeenResults } from './seen-results.ts'

const untested = { id: 'r1', tested_at: null, tested_by: null }
const byBob = { id: 'r1', tested_at: '2026-11-21T10:00:00.000Z', tested_by: 'bob' }
const byAda = { id: 'r1', tested_at: '2026-11-21T10:01:00.000Z', tested_by: 'ada' }
const other = { id: 'r2', tested_at: null, tested_by: null }

describe('SeenResults', () => {
  it('keeps the version that was opened when another user sets the result meanwhile', () => {
    const seen = createSeenResults()
    seen.watch([untested], 'ada')
    seen.watch([byBob], 'ada')
    expect(seen.getBase(byBob)).toBeNull()
  })

  it('takes what CI reports meanwhile for unseen', () => {
    const seen = createSeenResults()
    seen.watch([untested], undefined)
    const byCi = { ...byBob, tested_by: null }
    seen.watch([byCi], undefined)
    expect(seen.getBase(byCi)).toBeNull()
  })

  it('follows what the user sets', () => {
    const seen = createSeenResults()
    seen.watch([untested], 'ada')
    seen.watch([byAda], 'ada')
    expect(seen.getBase(byAda)).toBe(byAda.tested_at)
  })

  it('takes the newest version for seen when the result is opened again', () => {
    const seen = createSeenResults()
    seen.watch([untested], 'ada')
    seen.watch([other], 'ada')
    seen.watch([byBob], 'ada')
    expect(seen.getBase(byBob)).toBe(byBob.tested_at)
  })
})
