import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { listResults, ResultParams, resultExample, TestResult } from './results.ts'
import { Timestamp } from './schemas.ts'
import type { Static } from './static.ts'
import { StepResult, stepResultExample } from './step-results.ts'

/** How many earlier values of a result are kept. */
export const MAX_RESULT_CHANGES = 50

const { status, note, elapsed, tested_by } = TestResult.properties

/** What a result was before it was overwritten. */
export const ResultChange = Type.Object({
  status,
  note,
  elapsed,
  tested_by,
  tested_at: Timestamp('When the result was set, or the `finished_at` of its upload.'),
  replaced_at: Timestamp('When it was overwritten.'),
  steps: Type.Array(StepResult, { description: 'Results of its steps, by position; empty without any.' }),
  fields: TestResult.properties.fields,
  combinations: Type.Optional(
    Type.Array(
      Type.Object({
        place: Type.Integer({ description: 'Place of the combination.' }),
        status,
        note,
        elapsed,
        tested_by,
        tested_at: TestResult.properties.tested_at,
        steps: Type.Optional(
          Type.Array(StepResult, { description: 'Results of its steps, by position; absent without any.' }),
        ),
      }),
      { description: 'The combinations that were overwritten or deleted; absent without any.' },
    ),
  ),
})
export type ResultChange = Static<typeof ResultChange>

export const listResultChanges = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id/changes',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listResultChanges',
    tags: listResults.schema.tags,
    summary: 'List what a result was before',
    description: `Returns the statuses and notes that the result had before they were overwritten, the newest first, up to ${MAX_RESULT_CHANGES}. A write that changes neither status nor note, and replaces no results of steps and no values of fields, is not listed.`,
    params: ResultParams,
    response: {
      200: {
        ...Type.Object({ data: Type.Array(ResultChange) }),
        examples: [
          {
            data: [
              {
                status: resultExample.status,
                note: resultExample.note,
                elapsed: resultExample.elapsed,
                tested_by: resultExample.tested_by,
                tested_at: resultExample.tested_at,
                replaced_at: '2026-11-21T10:05:00.000Z',
                steps: [stepResultExample],
              },
            ],
          },
        ],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
