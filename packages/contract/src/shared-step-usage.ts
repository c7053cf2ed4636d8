import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { Data, Nullable } from './schemas.ts'
import { SharedStepParams } from './shared-steps.ts'
import type { Static } from './static.ts'

/** The most folders that are listed. */
export const MAX_USAGE_FOLDERS = 200
/** The most runs in progress that are searched. */
export const MAX_USAGE_RUNS = 50

/** What a change of a shared step is about, in numbers. */
export const SharedStepUsage = Type.Object({
  test_case_count: Type.Integer({ description: 'Number of test cases that use it.' }),
  folders: Type.Array(
    Type.Object({
      folder_id: Nullable(Type.String({ description: 'Folder id; null for test cases at the top level.' })),
      test_case_count: Type.Integer({ description: 'Number of test cases directly in it that use the shared step.' }),
    }),
    { description: `The folders of the test cases, those with the most first; up to ${MAX_USAGE_FOLDERS}.` },
  ),
  folder_count: Type.Integer({ description: 'Number of folders, the top level included.' }),
  runs: Type.Array(
    Type.Object({
      run_id: Type.String({ description: 'Run id.' }),
      name: Type.String({ description: 'Name of the run.' }),
      test_case_count: Type.Integer({ description: 'Number of its test cases that use the shared step.' }),
      not_tested_count: Type.Integer({
        description:
          'How many of them have no result yet: their text changes with the shared step, that of the others stays.',
      }),
    }),
    { description: 'The runs in progress that contain such test cases, the newest first.' },
  ),
  searched_run_count: Type.Integer({
    description: `Number of runs in progress that were searched: the newest ones, up to ${MAX_USAGE_RUNS}.`,
  }),
  open_run_count: Type.Integer({ description: 'Number of runs in progress of the project.' }),
})
export type SharedStepUsage = Static<typeof SharedStepUsage>

const example: SharedStepUsage = {
  test_case_count: 214,
  folders: [
    { folder_id: '019aa5b1-7c0d-7e1f-8a2b-3c4d5e6f7a8b', test_case_count: 210 },
    { folder_id: null, test_case_count: 4 },
  ],
  folder_count: 2,
  runs: [
    {
      run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
      name: 'Regression 2.4',
      test_case_count: 96,
      not_tested_count: 40,
    },
  ],
  searched_run_count: 3,
  open_run_count: 3,
}

export const getSharedStepUsage = {
  method: 'GET',
  url: '/v1/projects/:project_id/shared-steps/:shared_step_id/usage',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getSharedStepUsage',
    tags: ['Shared steps'],
    summary: 'Count where a shared step is used',
    description:
      'Returns the folders of the test cases that use the shared step, and the runs in progress that contain them, to see what a change is about before it is made.',
    params: SharedStepParams,
    response: { 200: { ...Data(SharedStepUsage), examples: [{ data: example }] }, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint
