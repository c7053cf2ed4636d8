import type { Report } from '@caseward/client/endpoints'
import * as generated from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import * as endpoints from './report-endpoints.ts'
import {
  describeByHand,
  describeCells,
  describeGreen,
  describeReadiness,
  describeSubscription,
  formatMoment,
  formatSpan,
  summarize,
} from './report-words.ts'

const zone = { timeZone: 'Europe/Berlin' }
const suite: Report['green'][number] = {
  series: '',
  cells: [],
  green_share: 0.939,
  state: 'red',
  since: '2026-11-24T01:10:00.000Z',
}
const report: Report = {
  project_name: 'Web shop',
  from: '2026-11-21T23:00:00.000Z',
  to: '2026-11-28T13:05:00.000Z',
  run_count: 84,
  branch: 'main',
  green: [suite, { ...suite, series: 'unit', state: 'green' }],
  new_causes: { total: 2, items: [] },
  flaky: { total: 3, added: [], added_count: 1, ended_count: 0 },
  ending: [],
  slower: [],
  gone_count: 0,
  by_hand: [],
  readiness: [],
}

describe('the endpoints of reports', () => {
  it('are those of the client', () => {
    expect(generated).toMatchObject(endpoints)
  })
})

describe('a report', () => {
  it('names its days and when it was written, with the years if they differ', () => {
    expect(formatSpan(report, zone)).toBe('22 Nov to 28 Nov 2026, 14:05 CET')
    expect(formatSpan({ from: '2026-12-29T23:00:00.000Z', to: '2027-01-05T07:00:00.000Z' }, zone)).toBe(
      '30 Dec 2026 to 5 Jan 2027, 08:00 CET',
    )
    expect(formatMoment(suite.since ?? '', zone)).toBe('Tue 24 Nov, 02:10')
  })

  it('says in one sentence whether the branch is green: one red suite makes it red', () => {
    expect(summarize(report)).toBe('main is red. 84 runs, 2 new causes of failures, 1 new flaky test.')
    expect(
      summarize({
        ...report,
        run_count: 1,
        green: [],
        branch: null,
        new_causes: { total: 0, items: [] },
        flaky: { total: 3, added: [], added_count: 0, ended_count: 1 },
      }),
    ).toBe('1 run.')
  })

  it('says how a suite was, and how its time was', () => {
    expect(describeGreen(suite, zone)).toBe('94 % of the time green, red since Tue 24 Nov, 02:10')
    expect(describeGreen({ ...suite, green_share: null, state: null, since: null })).toBe('no run that counts')
    expect(describeCells(['none', 'green', 'green', 'red', 'excluded'])).toBe(
      '1 part without a run, 2 parts green, 1 part red, 1 part left out',
    )
  })

  it('leaves out what is zero of runs by hand and milestones', () => {
    const run = { run_id: '1', name: 'Release', passed: 12, failed: 0, not_tested: 3 }
    expect(describeByHand(run)).toBe('12 passed, 3 to do')
    expect(describeByHand({ ...run, failed: 1, not_tested: 0 })).toBe('12 passed, 1 failed or blocked')
    const milestone = { milestone_id: '1', name: '2.4', tested: 71, total: 100, failed: 12, expected_on: '2026-11-28' }
    expect(describeReadiness(milestone)).toBe('71 % tested, 12 failed, done on 28 Nov at this pace')
    expect(describeReadiness({ ...milestone, tested: 100, failed: 0 })).toBe('100 % tested')
  })

  it('says when it comes by email', () => {
    const subscription = { every: 'week', weekday: 7, hour: 8, time_zone: 'Asia/Kolkata' } as const
    expect(describeSubscription(subscription)).toBe('every Sunday from 08:00 (Asia/Kolkata)')
    expect(describeSubscription({ ...subscription, every: 'day', weekday: null, hour: 23 })).toBe(
      'every day from 23:00 (Asia/Kolkata)',
    )
  })
})
