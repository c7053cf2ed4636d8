import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { CursorQuery, MAX_ROWS_PER_PAGE } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Id, Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'

/** What can be different between two runs. Everything has exactly one of these. */
export const RUN_CHANGES = [
  'newly_failing',
  'still_failing',
  'fixed',
  'newly_tested',
  'no_longer_tested',
  'new',
  'missing',
  'slower',
  'same',
] as const

const RunChange = OneOf(RUN_CHANGES, {
  description:
    '`newly_failing`: passed, and fails now; `fixed`: the reverse; `still_failing`: fails in both. `newly_tested`: not tested or skipped before; `no_longer_tested`: the reverse. `new`: only in the newer run; `missing`: only in the older one. `slower`: a test that passed in both, and takes at least 1.5 times as long and 500 ms more. `same`: everything else.',
})
export type RunChange = Static<typeof RunChange>

const count = (of: string) => Type.Integer({ minimum: 0, description: `Number that are \`${of}\`.` })
const Totals = Type.Object({
  newly_failing: count('newly_failing'),
  still_failing: count('still_failing'),
  fixed: count('fixed'),
  newly_tested: count('newly_tested'),
  no_longer_tested: count('no_longer_tested'),
  new: count('new'),
  missing: count('missing'),
  slower: count('slower'),
  same: count('same'),
})

const Side = Type.Object({
  result_id: Nullable(Type.String({ description: 'Result id; null for a test.' })),
  status: Type.String({ description: 'Status of the result, or outcome of the test.' }),
  note_line: Nullable(
    Type.String({ description: 'First line of the note, or of the message of the test, up to 200 characters.' }),
  ),
  elapsed_ms: Nullable(Type.Integer({ description: 'Duration in milliseconds.' })),
})

/** A test case or a test in two runs. */
export const ComparedItem = Type.Object({
  change: RunChange,
  is_same_failure: Type.Boolean({
    description:
      'Whether it fails in both in the same way. Of a test that failed in both: by kind and message, as verdicts compare failures. Else: with the same status and, of a test case, the same first line of the note.',
  }),
  test_case_id: Nullable(Type.String({ description: 'Test case id; null for a test, or after it was deleted.' })),
  test_id: Nullable(Type.String({ description: 'Test id; null for a test case.' })),
  title: Type.String({ description: 'Title of the test case, or name of the test.' }),
  suite: Type.String({ description: 'Suite of the test; empty for a test case.' }),
  variant: Type.String({ description: 'Variant of the test; empty for a test case.' }),
  base: Nullable(Side),
  head: Nullable(Side),
})
export type ComparedItem = Static<typeof ComparedItem>

const totalsExample = {
  newly_failing: 1,
  still_failing: 0,
  fixed: 0,
  newly_tested: 0,
  no_longer_tested: 0,
  new: 2,
  missing: 0,
  slower: 0,
  same: 140,
}

export const compareRuns = {
  method: 'GET',
  url: '/v1/projects/:project_id/run-comparison',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'compareRuns',
    tags: ['Runs'],
    summary: 'Compare two runs',
    description:
      'Compares two runs of the project test by test, or test case by test case. `meta.totals` counts everything that is in either of them, and is null on pages after the first. Deleted test cases are compared by their title.',
    params: ProjectParams,
    querystring: Type.Object({
      base: Id('The older run.'),
      head: Id('The newer run.'),
      by: Type.Optional(
        OneOf(['tests', 'test_cases'], {
          description: 'What is compared. The default is `tests` if both runs have some.',
        }),
      ),
      change: Type.Optional(RunChange),
      after: CursorQuery.after,
      per_page: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_ROWS_PER_PAGE,
          default: 100,
          description: 'Number of items per page.',
        }),
      ),
    }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(ComparedItem),
          meta: Type.Object({
            by: OneOf(['tests', 'test_cases'], { description: 'What was compared.' }),
            totals: Nullable(Totals),
            next_after: Nullable(Type.String({ description: 'Cursor of the next page; null on the last.' })),
          }),
        }),
        examples: [
          {
            data: [
              {
                change: 'newly_failing',
                is_same_failure: false,
                test_case_id: 'WEB-12',
                test_id: null,
                title: 'A customer pays by card',
                suite: '',
                variant: '',
                base: {
                  result_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a02',
                  status: 'passed',
                  note_line: null,
                  elapsed_ms: 3000,
                },
                head: {
                  result_id: '019aa5c1-7d20-7b1e-9a3c-4e5f6a7b8c9e',
                  status: 'failed',
                  note_line: 'AssertionError: expected 200, got 500',
                  elapsed_ms: 4000,
                },
              },
            ],
            meta: { by: 'test_cases', totals: totalsExample, next_after: null },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
