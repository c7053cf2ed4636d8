import { Type } from 'typebox'

import { EvaluationCounts, EXCLUSIONS } from './evaluation-fields.ts'
import { StoredFieldValues } from './field-values.ts'
import { Nullable, OneOf, StringMap, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

export const RUN_STATUSES = ['in_progress', 'completed'] as const

export const RunStatus = OneOf(RUN_STATUSES, {
  description: 'A completed run does not accept results until it is reopened.',
})

const count = (status: string) => Type.Integer({ description: `Number of results with the status \`${status}\`.` })
export const StatusCounts = Type.Object({
  passed: count('passed'),
  failed: count('failed'),
  blocked: count('blocked'),
  retest: count('retest'),
  not_tested: count('not_tested'),
})
export type StatusCounts = Static<typeof StatusCounts>

/** What the test cases of a run are tested with. */
export const RunConfiguration = Type.Object({
  place: Type.Integer({
    description: 'Place in the run, which never changes. It names the configuration in other requests.',
  }),
  name: Type.String({ description: 'Names of its configurations, such as `Chrome, Windows`.' }),
  stats: StatusCounts,
})
export type RunConfiguration = Static<typeof RunConfiguration>

export const TestStats = Type.Object(
  {
    total: Type.Integer({ description: 'Number of tests that were uploaded to the run.' }),
    unmatched: Type.Integer({ description: 'Number of tests that match no test case.' }),
    passed: Type.Integer({ description: 'Number of tests that passed, flaky ones included.' }),
    failed: Type.Integer({ description: 'Number of tests that failed, or could not run because something failed.' }),
    flaky: Type.Integer({ description: 'Number of tests that passed after another attempt had failed.' }),
    skipped: Type.Integer({ description: 'Number of tests that were skipped or interrupted.' }),
    unmatched_stats: Nullable(
      Type.Object(
        {
          passed: Type.Integer({ description: 'Number that passed.' }),
          failed: Type.Integer({ description: 'Number that failed, or could not run because something failed.' }),
          skipped: Type.Integer({ description: 'Number that were skipped or interrupted.' }),
        },
        {
          description:
            'The tests that match no test case by their outcome; null in runs of earlier versions until the next upload.',
        },
      ),
    ),
    errors: Type.Integer({
      description:
        'Number of errors outside of tests, such as a file that did not load. A run with errors is not green, whatever its pass rate.',
    }),
  },
  { description: 'Automated tests of the run, counted by their outcome.' },
)
export type TestStats = Static<typeof TestStats>

export const testStatsExample = {
  total: 5,
  unmatched: 1,
  passed: 4,
  failed: 1,
  flaky: 1,
  skipped: 0,
  unmatched_stats: { passed: 1, failed: 0, skipped: 0 },
  errors: 0,
}

/** What the automated tests of a run mean for its change, as lists show it. */
export const RunEvaluation = Type.Object({
  is_current: Type.Boolean({ description: 'Whether it knows all uploads.' }),
  excluded: Nullable(OneOf(EXCLUSIONS, { description: 'Why the run is no base for others; null if it counts.' })),
  counts: EvaluationCounts,
  blocking_count: Type.Integer({
    description: 'Number of verdicts that block, and of errors outside of tests, which always do.',
  }),
})
export type RunEvaluation = Static<typeof RunEvaluation>

export const runExample = {
  id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
  project_id: '019aa5b4-6f3e-7c11-9a52-0f6f3d1c8e77',
  name: 'Nightly',
  description: '',
  status: 'in_progress',
  milestone_id: null,
  pass_rate: 75,
  stats: { passed: 3, failed: 1, blocked: 0, retest: 0, not_tested: 8 },
  result_count: 12,
  created_by: '019aa5b0-11aa-7b7b-8c8c-9d9d0e0e1f1f',
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
  completed_at: null,
  run_key: 'github-19482736512',
  metadata: { branch: 'main', commit: '8a006ed', ci_url: 'https://ci.example.com/builds/19482736512' },
  expected_shards: 4,
  shards_done: ['1', '3'],
  adds_test_cases: true,
  test_stats: testStatsExample,
  suite_error_count: 0,
  attachment_count: 0,
  waiting_file_count: 0,
  comment_count: 0,
}

export const Run = Type.Object(
  {
    id: Type.String({ description: 'Run id.' }),
    project_id: Type.String({ description: 'Project of the run.' }),
    name: Type.String({ description: 'Display name.' }),
    description: Type.String({ description: 'Description.' }),
    status: RunStatus,
    milestone_id: Nullable(Type.String({ description: 'Milestone of the run; null for none.' })),
    pass_rate: Type.Number({
      description:
        'Share of passed results among all tested results in percent, with one decimal; 0 if nothing was tested.',
    }),
    stats: StatusCounts,
    result_count: Type.Integer({ description: 'Number of test cases in the run.' }),
    created_by: Nullable(Type.String({ description: 'User id; null if the run was created with a CI token.' })),
    created_at: Timestamp('When the run was created.'),
    updated_at: Timestamp('When the run or one of its results last changed.'),
    completed_at: Nullable(Timestamp('When the run was completed.')),
    run_key: Nullable(Type.String({ description: 'Run key; null for none.' })),
    metadata: StringMap('Metadata such as branch, commit and the URL of the CI build.'),
    expected_shards: Nullable(
      Type.Integer({ description: 'Number of shards after which the run is completed; null if unknown.' }),
    ),
    shards_done: Type.Array(Type.String(), {
      description: 'Names of the shards that are done, in the order of their reports.',
    }),
    adds_test_cases: Type.Boolean({
      description: 'Whether test cases that match uploaded tests are added to the run.',
    }),
    test_stats: TestStats,
    suite_error_count: Type.Integer({ description: 'Number of errors outside of tests.' }),
    attachment_count: Type.Integer({ description: 'Number of attachments of the run, its results and tests.' }),
    waiting_file_count: Type.Integer({
      description: 'Number of attachments that an upload declared and whose content has not arrived yet.',
    }),
    comment_count: Type.Integer({
      description: 'Number of comments on the run itself, without deleted ones and those on its results.',
    }),
    configurations: Type.Optional(
      Type.Array(RunConfiguration, {
        description:
          'What the test cases are tested with, with the number of combinations by status; absent without any.',
      }),
    ),
    combination_count: Type.Optional(
      Type.Integer({ description: 'Number of combinations of all results; absent without configurations.' }),
    ),
    fields: Type.Optional(
      StoredFieldValues('Values of the custom fields of runs by their keys; absent if there are none.'),
    ),
    evaluation: Type.Optional(RunEvaluation),
  },
  { examples: [runExample] },
)
export type Run = Static<typeof Run>
