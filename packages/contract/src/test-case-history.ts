import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { PageMeta, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { RESULT_STATUSES, ResultStatus } from './results.ts'
import { Nullable, Repeatable, Timestamp, Uuid } from './schemas.ts'
import type { Static } from './static.ts'
import { TestCaseParams } from './test-cases.ts'

export const HistoryItem = Type.Object({
  run_id: Type.String({ description: 'Run id.' }),
  run_name: Type.String({ description: 'Display name of the run.' }),
  id: Type.String({ description: 'Result id.' }),
  test_case_id: Nullable(Type.String({ description: 'Test case id.' })),
  test_case_title: Type.String({ description: 'Title of the test case when it was added to the run.' }),
  status: ResultStatus,
  note: Nullable(Type.String({ description: 'Comment or error message.' })),
  elapsed: Nullable(Type.Integer({ description: 'Duration in seconds.' })),
  tested_by: Nullable(Type.String({ description: 'User id; null if the result was set with a CI token.' })),
  tested_at: Nullable(Timestamp('When the result was set.')),
  branch: Nullable(Type.String({ description: '`branch` of the metadata of the run.' })),
  commit: Nullable(Type.String({ description: '`commit` of the metadata of the run.' })),
  build_url: Nullable(Type.String({ description: '`build_url` or `ci_url` of the metadata of the run.' })),
  milestone_id: Nullable(Type.String({ description: 'Milestone of the run.' })),
  rerun_of: Nullable(Type.String({ description: 'The run of which it is a rerun; null if it is none.' })),
  attachment_count: Type.Integer({ description: 'Number of attachments of the result.' }),
  link_count: Type.Integer({ description: 'Number of links of the result.' }),
})
export type HistoryItem = Static<typeof HistoryItem>

/** The most runs that one page of a filtered history searches. */
export const MAX_SEARCHED_RUNS = 1000

/** The position of a page of a history that is searched. */
export const HistoryMeta = Type.Object({
  next_after: Nullable(Type.String({ description: 'Cursor of the next page; null when all runs have been searched.' })),
  searched_runs: Type.Integer({ description: 'Number of runs with the test case that this page has searched.' }),
})
export type HistoryMeta = Static<typeof HistoryMeta>

export const listTestCaseResults = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/results',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listTestCaseResults',
    tags: ['Test cases'],
    summary: "List a test case's results across runs",
    description: `Returns one result for each run that contains the test case, newest run first, and those of the test cases that were merged into it. With a filter or \`after\`, it searches up to ${MAX_SEARCHED_RUNS.toLocaleString('en')} of these runs for each page, and has no total: a page can have fewer results than \`per_page\`, or none, or a few more, because the results of one run are on one page; and \`next_after\` continues.`,
    params: TestCaseParams,
    querystring: Type.Object({
      ...PageQuery,
      status: Type.Optional(
        Repeatable(
          ResultStatus,
          'Return only results with this status, or with one of these statuses if the parameter is repeated.',
          RESULT_STATUSES.length,
        ),
      ),
      branch: Type.Optional(
        Type.String({ format: 'text', maxLength: 255, description: 'Return only results of runs of this branch.' }),
      ),
      after: Type.Optional(
        Uuid('Return only results of runs older than this one: `next_after`, or the `run_id` of a result.'),
      ),
    }),
    response: {
      200: {
        ...Type.Object({ data: Type.Array(HistoryItem), meta: Type.Union([PageMeta, HistoryMeta]) }),
        examples: [
          {
            data: [
              {
                run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
                run_name: 'Nightly',
                id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a02',
                test_case_id: 'WEB-12',
                test_case_title: 'A customer pays by card',
                status: 'passed',
                note: null,
                elapsed: 3,
                tested_by: null,
                tested_at: '2026-11-21T09:30:00.000Z',
                branch: 'main',
                commit: '9c1f0e7',
                build_url: 'https://ci.example.com/builds/842',
                milestone_id: null,
                rerun_of: null,
                attachment_count: 0,
                link_count: 0,
              },
            ],
            meta: { page: 1, per_page: 20, total: 1 },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
