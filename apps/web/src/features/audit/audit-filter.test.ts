import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { buildCsvPath, hasAuditFilter, isRangeEmpty, toAuditFilter } from './audit-filter.ts'

const none = { actor: null, action: null, from: null, to: null }

describe('toAuditFilter', () => {
  beforeEach(() => vi.stubEnv('TZ', 'Europe/Berlin'))
  afterEach(() => vi.unstubAllEnvs())

  it('reads days in the time zone of the reader, with the last one included', () => {
    expect(toAuditFilter({ ...none, from: '2026-11-03', to: '2026-11-03' })).toEqual({
      from: '2026-11-02T23:00:00.000Z',
      to: '2026-11-03T23:00:00.000Z',
    })
  })

  it('knows days of 23 and 25 hours, and the end of a year', () => {
    expect(toAuditFilter({ ...none, from: '2026-03-29', to: '2026-03-29' })).toEqual({
      from: '2026-03-28T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z',
    })
    expect(toAuditFilter({ ...none, from: '2026-10-25', to: '2026-12-31' })).toEqual({
      from: '2026-10-24T22:00:00.000Z',
      to: '2026-12-31T23:00:00.000Z',
    })
  })

  it('leaves out what is not set, and actions that do not exist', () => {
    expect(toAuditFilter(none)).toEqual({})
    expect(toAuditFilter({ ...none, actor: 'ada', action: 'x' })).toEqual({ actor: 'ada' })
    expect(toAuditFilter({ ...none, action: 'run.delete' })).toEqual({ action: 'run.delete' })
  })
})

it('tells whether there is a filter, and whether its days are in the wrong order', () => {
  expect([hasAuditFilter(none), hasAuditFilter({ ...none, action: 'x' })]).toEqual([false, false])
  expect(hasAuditFilter({ ...none, to: '2026-11-03' })).toBe(true)
  expect(isRangeEmpty({ from: '2026-11-03', to: '2026-11-03' })).toBe(false)
  expect(isRangeEmpty({ from: '2026-11-04', to: '2026-11-03' })).toBe(true)
  expect(isRangeEmpty({ from: '2026-11-04', to: null })).toBe(false)
})

it('builds the address of the CSV file', () => {
  expect(buildCsvPath(null, {})).toBe('/v1/admin/audit-log?format=csv')
  expect(buildCsvPath('p 1', { action: 'run.delete', from: '2026-11-02T23:00:00.000Z' })).toBe(
    '/v1/projects/p%201/audit-log?format=csv&action=run.delete&from=2026-11-02T23%3A00%3A00.000Z',
  )
})
