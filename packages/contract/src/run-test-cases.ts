import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { RunParams } from './results.ts'
import { Run, runExample } from './run-schemas.ts'
import { Data, Id } from './schemas.ts'

export const caseIds = (description: string) => Type.Array(Id('Test case id.'), { maxItems: 100_000, description })

export const addTestCasesToRun = {
  method: 'POST',
  url: '/v1/runs/:run_id/test-cases',
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'addTestCasesToRun',
    tags: ['Runs'],
    summary: 'Add test cases to a run',
    description:
      'Adds test cases to the end of the run with the status `not_tested`, in the order of the folder tree. Test cases that are in the run already do not change.',
    params: RunParams,
    body: Type.Object({ test_case_ids: caseIds('Test cases to add.') }, { examples: [{ test_case_ids: ['WEB-14'] }] }),
    response: {
      200: { ...Data(Run), examples: [{ data: runExample }] },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

export const removeTestCasesFromRun = {
  method: 'DELETE',
  url: '/v1/runs/:run_id/test-cases',
  config: { permission: 'runs:execute', rateLimit: 'other' },
  schema: {
    operationId: 'removeTestCasesFromRun',
    tags: ['Runs'],
    summary: 'Remove test cases from a run',
    description:
      'Removes test cases with their results from the run. Test cases that are not in the run are ignored, so that the request can be repeated.',
    params: RunParams,
    body: Type.Object(
      { test_case_ids: caseIds('Test cases to remove.') },
      { examples: [{ test_case_ids: ['WEB-14'] }] },
    ),
    response: {
      200: { ...Data(Run), examples: [{ data: runExample }] },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint
