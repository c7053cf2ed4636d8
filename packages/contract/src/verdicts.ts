import { Type } from 'typebox'

import { type Endpoint } from './endpoint.ts'
import { CursorPage } from './pagination.ts'
import { problems } from './problem.ts'
import { RunParams } from './results.ts'
import { Nullable, OneOf, Uuid } from './schemas.ts'
import { TestQuarantine, TestStability } from './stability.ts'
import type { Static } from './static.ts'
import { ATTEMPT_STATUSES, testExample, testIdentity } from './test-fields.ts'

/** What a test that did not simply pass means, in the order in which they are decided: the first that holds. */
export const VERDICTS = [
  'flaked',
  'fixed',
  'quarantined',
  'not_run',
  'already_red',
  'environment',
  'changed',
  'known_flaky',
  'new_test',
  'new',
] as const
export type Verdict = (typeof VERDICTS)[number]

const VERDICT_DESCRIPTION =
  '`flaked`: passed after another attempt had failed. `fixed`: passed, and failed in the base run. `quarantined`: an active quarantine entry excuses it. `not_run`: blocked or interrupted, which it was not in the base run. `already_red`: the same failure as in the base run; on the base branch itself it blocks. `environment`: most of the failures, in at least 20 tests, have this one cause. `changed`: failed in the base run with another failure. `known_flaky`: a flaky test with a failure that it had when it flaked; this explains it, and does not excuse it. `new_test`: the test is newer than the base run. `new`: everything else that failed.'

/** Verdicts, and `missing`: tests of the base run that the run lacks. */
export const LISTED_VERDICTS = [...VERDICTS, 'missing'] as const
export type ListedVerdict = (typeof LISTED_VERDICTS)[number]

/** An entry of the issue tracker, or another address that somebody linked. */
export const LinkedIssue = Type.Object({
  label: Type.String({ description: 'Label, such as `SHOP-41`.' }),
  url: Type.String({ description: 'Address.' }),
  is_done: Nullable(Type.Boolean({ description: 'Whether it is done; null if that is unknown.' })),
})
export type LinkedIssue = Static<typeof LinkedIssue>

export const issues = Type.Array(LinkedIssue, {
  description: 'Defects that are linked to the result or the test cases of the test, up to 10.',
})

/** What became of a test of a run. */
export const TestVerdict = Type.Object({
  ...testIdentity,
  verdict: OneOf(LISTED_VERDICTS, { description: VERDICT_DESCRIPTION }),
  blocks: Type.Boolean({ description: 'Whether it blocks the build.' }),
  is_first_flake: Type.Boolean({ description: 'Whether the test flaked, and was never known to flake before.' }),
  outcome: Nullable(OneOf(ATTEMPT_STATUSES, { description: 'Outcome in the run; null if the test is missing.' })),
  attempt_count: Type.Integer({ description: 'Number of attempts.' }),
  message_line: Nullable(
    Type.String({ description: 'First line of the message of its last failed attempt, up to 200 characters.' }),
  ),
  signature: Nullable(Type.String({ description: 'Failure group; null if it did not fail.' })),
  since: Nullable(
    Type.Object(
      {
        run_id: Type.String({ description: 'Run id.' }),
        commit: Nullable(Type.String({ description: 'Commit of that run; null if unknown.' })),
        runs: Type.Integer({ description: 'Number of runs in a row, up to 50, with this one.' }),
      },
      { description: 'The first of the runs in a row, of the same branch and suite, in which it failed.' },
    ),
  ),
  base_run_id: Nullable(Type.String({ description: 'Run that the outcome was compared with; null for none.' })),
  quarantine: Nullable(TestQuarantine),
  issues,
  stability: Nullable(TestStability),
})
export type TestVerdict = Static<typeof TestVerdict>

const verdictExample = {
  ...testExample,
  verdict: 'new',
  blocks: true,
  is_first_flake: false,
  outcome: 'failed',
  attempt_count: 2,
  message_line: 'expected 200, got 500',
  signature: '5f1b6c9a4d2e4f7081a3b5c7d9e0f123',
  since: { run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01', commit: '8a006ed', runs: 1 },
  base_run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f59ff',
  quarantine: null,
  issues: [{ label: 'SHOP-41', url: 'https://tracker.example.com/SHOP-41', is_done: null }],
  stability: null,
} as const

const SIGNATURE_PATTERN = '^[0-9a-f]{32}$'

export const listVerdicts = {
  method: 'GET',
  url: '/v1/runs/:run_id/verdicts',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listVerdicts',
    tags: ['Insight'],
    summary: 'List the verdicts of a run',
    description:
      'Returns the tests of the run that did not simply pass, and what that means, in the order in which the tests became known. Tests that passed here and failed in the base run are listed as `fixed`. With `verdict=missing`, returns the tests that the newest base run has executed and this one lacks.',
    params: RunParams,
    querystring: Type.Object({
      verdict: Type.Optional(OneOf(LISTED_VERDICTS, { description: 'Return only this verdict.' })),
      blocks: Type.Optional(Type.Boolean({ description: 'Return only what blocks, or does not.' })),
      job: Type.Optional(
        Type.String({
          format: 'text',
          maxLength: 255,
          description: 'Return only tests whose outcome this CI job reported.',
        }),
      ),
      shard: Type.Optional(
        Type.String({ format: 'text', maxLength: 255, description: 'Return only tests of this shard.' }),
      ),
      signature: Type.Optional(
        Type.String({ pattern: SIGNATURE_PATTERN, description: 'Return only this failure group.' }),
      ),
      test_id: Type.Optional(Uuid('Return only this test.')),
      after: Type.Optional(Uuid('`next_after` of the previous page; the first page without it.')),
      per_page: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 500, default: 20, description: 'Number of tests per page.' }),
      ),
    }),
    response: {
      200: { ...CursorPage(TestVerdict), examples: [{ data: [verdictExample], meta: { next_after: null } }] },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
