import { Type } from 'typebox'

import { NamedTest } from './insight-query.ts'
import { Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'
import { issues } from './verdicts.ts'

/** Base runs that are looked at, the newest. */
export const MAX_BAND_RUNS = 2000
export const MAX_HEALTH_RUNS = 200
export const MAX_MATRIX_TESTS = 30
export const MAX_MATRIX_RUNS = 40
export const MAX_CAUSES = 12

/** Tests in each list of those that fail. */
export const MAX_FAILING_TESTS = 10

/** A base run says so long what a branch is like, until the next one. */
export const BAND_HOURS = 72

const count = (description: string) => Type.Integer({ minimum: 0, description })
const duration = (description: string) => Nullable(Type.Integer({ description }))
const series = Type.String({ description: 'Suite of the runs; empty for those without one.' })

const RUN_STATES = ['green', 'red', 'excluded'] as const
const state = OneOf(RUN_STATES, {
  description: '`green`: nothing blocked. `red`: something did. `excluded`: it is no base run, as after an outage.',
})

const BandRow = Type.Object({
  series,
  segments: Type.Array(
    Type.Object({
      from: Timestamp('When the run was created, or the first day began.'),
      to: Timestamp(`When the next run was created; ${BAND_HOURS} hours later at most.`),
      state,
      run_id: Type.String({ description: 'Run id.' }),
    }),
    { description: 'The oldest first. Between them, nothing ran.' },
  ),
  current: Nullable(
    Type.Object(
      {
        state: OneOf(['green', 'red'], { description: 'State of the newest base run.' }),
        since: Timestamp('When the first run in a row with this state was created.'),
        blocking_count: count('What blocked in the newest run.'),
      },
      { description: 'Null without a base run in these days.' },
    ),
  ),
  green_ms: count('How long it was green.'),
  red_ms: count('How long it was red.'),
  recoveries: count('How often it got green again: from the first red run to the next green one.'),
  median_recovery_ms: duration('Median of how long that took; null if it did not happen.'),
  longest_recovery_ms: duration('The longest of these times.'),
})

const HealthRun = Type.Object({
  id: Type.String({ description: 'Run id.' }),
  name: Type.String({ description: 'Name.' }),
  series,
  commit: Nullable(Type.String({ description: 'Commit.' })),
  at: Timestamp('When it was created.'),
  state,
  executed: count('Tests that passed or failed.'),
  passed: count('Tests that passed.'),
  blocking_count: count('Failures and suite errors that block.'),
  test_ms: duration('How long its tests took together; null if no report says it.'),
  clock_ms: duration('From its first to its last upload.'),
})

const HealthDay = Type.Object({
  day: Type.String({ description: 'Day in the time zone of the request.' }),
  base_runs: count('Base runs that were created on it.'),
  executed: count('Tests that passed or failed in them.'),
  passed: count('Tests that passed in them.'),
  failed: count('Tests that failed in them.'),
  pass_rate: Nullable(
    Type.Number({ description: 'Mean of the shares that passed in its runs, 0 to 1; null on a day without a run.' }),
  ),
  median_ms: duration('Median of `test_ms` of its runs.'),
  p95_ms: duration('95th percentile of `test_ms` of its runs.'),
  flaky: Nullable(count('Flaky tests at the end of this day in UTC; null if they were not counted.')),
  quarantined: Nullable(count('Quarantined tests then.')),
  is_limited: Type.Boolean({ description: 'Whether automatic quarantine reached its limit.' }),
})

const FailingTests = Type.Object({
  total: count('All of them.'),
  items: Type.Array(
    Type.Object({
      test: NamedTest,
      run_id: Type.String({ description: 'The newest base run, in which it failed.' }),
      runs: Type.Integer({ description: 'Number of base runs in a row, up to 50, in which it failed.' }),
      since: Timestamp('When the first of these runs was created.'),
      cause: Nullable(
        Type.Object(
          {
            signature: Type.String({ description: 'Signature of the failure group.' }),
            title: Type.String({ description: 'Kind and message.' }),
          },
          { description: 'Why it failed; null if it failed without a text.' },
        ),
      ),
      owner_name: Nullable(Type.String({ description: 'Owner of its quarantine; null without one.' })),
    }),
    { description: `Up to ${MAX_FAILING_TESTS}.` },
  ),
})

const CELLS = ['passed', 'flaked', 'failed', 'failed_again', 'not_run'] as const

const bandFields = {
  branch: Nullable(Type.String({ description: 'Branch of the base runs; null if the default branch is unknown.' })),
  from: Timestamp('When the first day begins.'),
  to: Timestamp('When this was counted.'),
  is_cut: Type.Boolean({
    description: `Whether there are more than ${MAX_BAND_RUNS} runs, of which the newest are counted.`,
  }),
  band: Type.Array(BandRow, { description: 'Whether the branch was green, by suite.' }),
}

const chartFields = {
  newly_failing: {
    ...FailingTests,
    description: 'Tests that failed in the newest base run of their suite, and not in the one before.',
  },
  failing_longest: {
    ...FailingTests,
    description: 'Tests that failed in the newest base run of their suite and in the one before, the longest first.',
  },
  runs: Type.Array(HealthRun, {
    description: `The newest base runs, up to ${MAX_HEALTH_RUNS}, with those that are excluded.`,
  }),
  days: Type.Array(HealthDay, { description: 'Every day, the oldest first, over base runs that are not excluded.' }),
  weeks: Type.Array(
    Type.Object({
      week: Type.String({ description: 'Monday with which the week begins.' }),
      build_attempts: count('Build attempts that turned all failures of the earlier ones of their job.'),
      machine_ms: count('How long their tests took together.'),
    }),
    { description: 'What flaky tests cost, in runs of all branches.' },
  ),
  matrix: Type.Object(
    {
      tests: Type.Array(NamedTest, {
        description: 'Those with most outcomes other than passed; newly failing ones first.',
      }),
      runs: Type.Array(Type.String(), { description: 'Ids of the newest base runs, the oldest first.' }),
      cells: Type.Array(
        Type.Array(
          OneOf(CELLS, {
            description:
              '`failed_again`: with the same failure as when it failed before. `not_run`: skipped, blocked or absent.',
          }),
        ),
        { description: 'A row for each test, with a cell for each run.' },
      ),
    },
    { description: 'How unstable tests ended in the newest runs.' },
  ),
  automation: Type.Array(
    Type.Object({
      folder_id: Nullable(Type.String({ description: 'Folder id; null for test cases without a folder.' })),
      name: Type.String({ description: 'Name of the folder; empty without one.' }),
      passing: count('Automated test cases whose tests passed last.'),
      failing: count('Automated test cases of which a test failed last.'),
      not_run: count('Automated test cases that did not run in 14 days.'),
      by_hand: count('Test cases without a test.'),
    }),
    { description: 'Test cases that are not archived, by the folder at the top.' },
  ),
  causes: Type.Array(
    Type.Object({
      signature: Type.String({ description: 'Signature of the failure group.' }),
      title: Type.String({ description: 'Kind and message of its newest failure.' }),
      first_seen: Timestamp('When the first run with it was created.'),
      test_count: count('Tests that failed with it in these days.'),
      issues,
      days: Type.Array(
        Type.Object({
          day: Type.String({ description: 'Day.' }),
          tests: count('Tests that failed with it on that day.'),
        }),
        { description: 'The days on which it occurred.' },
      ),
    }),
    { description: 'The failure groups with most tests.' },
  ),
}

/** The band alone, for a page that only says whether the branch is green; or with it what all charts are made of. */
export const Health = Type.Object({ ...bandFields, ...Type.Partial(Type.Object(chartFields)).properties })
const HealthBand = Type.Object(bandFields)
export type HealthBand = Static<typeof HealthBand>
export type Health = HealthBand & Static<ReturnType<typeof Type.Object<typeof chartFields>>>
