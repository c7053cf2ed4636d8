import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { ExtendedProblem, problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Id, IF_MATCH_PATTERN, Name, Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'
import { MAX_STEPS, NewStep, Step } from './steps.ts'

/*
 * Steps that several test cases use, and that change in one place.
 */

/** The maximum number of steps of a shared step. */
export const MAX_SHARED_STEP_STEPS = 100

/** The maximum number of shared steps of a project. */
export const MAX_SHARED_STEPS = 2000

/** The maximum number of test cases that use a shared step. */
export const MAX_SHARED_STEP_USES = 10_000

const listed = {
  id: Type.String({ description: 'Shared step id.' }),
  title: Type.String({ description: 'Title.' }),
  version: Type.Integer({
    description:
      'Number of changes, from 1. Send it as `If-Match: "3"` with an update, so that it fails if the shared step has changed meanwhile.',
  }),
  step_count: Type.Integer({ description: 'Number of its steps.' }),
  use_count: Type.Integer({ description: 'Number of test cases that use it.' }),
  created_by: Nullable(Type.String({ description: 'User id of the author; null if unknown.' })),
  created_at: Timestamp('When it was created.'),
  updated_by: Nullable(Type.String({ description: 'User id of who made this version; null if unknown.' })),
  updated_at: Timestamp('When this version was made.'),
}
export const SharedStepListItem = Type.Object(listed)
export type SharedStepListItem = Static<typeof SharedStepListItem>

export const SharedStep = Type.Object({ ...listed, steps: Type.Array(Step, { description: 'Steps in order.' }) })
export type SharedStep = Static<typeof SharedStep>

const listExample: SharedStepListItem = {
  id: '019aa5b4-9c0d-7e1f-8a2b-3c4d5e6f7a8b',
  title: 'Sign in',
  version: 3,
  step_count: 2,
  use_count: 214,
  created_by: '019aa5b0-11aa-7b7b-8c8c-9d9d0e0e1f1f',
  created_at: '2026-11-20T09:30:00.000Z',
  updated_by: '019aa5b0-11aa-7b7b-8c8c-9d9d0e0e1f1f',
  updated_at: '2026-11-21T09:30:00.000Z',
}
const example: SharedStep = {
  ...listExample,
  steps: [
    { position: 1, action: 'Open the sign-in page', expected: 'The form is shown' },
    { position: 2, action: 'Sign in', expected: 'The overview opens' },
  ],
}

const tags = ['Shared steps'] as const
const view = { permission: 'project:view', rateLimit: 'other' } as const
const edit = { permission: 'test-cases:edit', rateLimit: 'other' } as const
const listUrl = '/v1/projects/:project_id/shared-steps'

export const SHARED_STEP_URL = `${listUrl}/:shared_step_id`

export const SharedStepParams = Type.Object({
  ...ProjectParams.properties,
  shared_step_id: Type.String({ description: 'Shared step id.' }),
})
const item = { ...Data(SharedStep), examples: [{ data: example }] }
const TITLE = 'Title, different for each shared step of the project.'
const steps = Type.Array(NewStep, {
  minItems: 1,
  maxItems: MAX_SHARED_STEP_STEPS,
  description: `Steps in order, 1 to ${MAX_SHARED_STEP_STEPS}.`,
})

export const testCaseIds = (description: string, maxItems: number) =>
  Type.Array(Id('Test case id.'), { maxItems, description })

export const listSharedSteps = {
  method: 'GET',
  url: listUrl,
  config: view,
  schema: {
    operationId: 'listSharedSteps',
    tags,
    summary: 'List shared steps',
    description: `Returns all shared steps of the project by title, without their steps; up to ${MAX_SHARED_STEPS.toLocaleString('en')}.`,
    params: ProjectParams,
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(SharedStepListItem),
          meta: Type.Object({ total: Type.Integer({ description: 'Number of shared steps.' }) }),
        }),
        examples: [{ data: [listExample], meta: { total: 1 } }],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const CreateSharedStepBody = Type.Object(
  {
    title: Name(TITLE),
    steps: Type.Optional(steps),
    from: Type.Optional(
      Type.Object(
        {
          test_case_id: Id('Test case.'),
          first: Type.Integer({ minimum: 1, maximum: MAX_STEPS, description: 'Position of the first step.' }),
          count: Type.Integer({ minimum: 1, maximum: MAX_SHARED_STEP_STEPS, description: 'Number of steps.' }),
        },
        {
          description:
            'Steps of a test case, in place of `steps`. They become the shared step, which the test case uses from then on.',
        },
      ),
    ),
  },
  { examples: [{ title: 'Sign in', steps: [{ action: 'Open the sign-in page', expected: 'The form is shown' }] }] },
)
export type CreateSharedStepBody = Static<typeof CreateSharedStepBody>

export const createSharedStep = {
  method: 'POST',
  url: listUrl,
  config: edit,
  schema: {
    operationId: 'createSharedStep',
    tags,
    summary: 'Create a shared step',
    description: `Creates a shared step from \`steps\`, or from steps that a test case has. A project can have ${MAX_SHARED_STEPS.toLocaleString('en')} (422 \`too_many_shared_steps\`).`,
    params: ProjectParams,
    body: CreateSharedStepBody,
    response: { 201: item, ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const getSharedStep = {
  method: 'GET',
  url: SHARED_STEP_URL,
  config: view,
  schema: {
    operationId: 'getSharedStep',
    tags,
    summary: 'Get a shared step',
    description: 'Returns the shared step with its steps, as it is or as it was in an earlier version.',
    params: SharedStepParams,
    querystring: Type.Object({
      version: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Version; the current one without it.' }),
      ),
    }),
    response: { 200: item, ...problems(400, 401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const UpdateSharedStepBody = Type.Object(
  {
    title: Type.Optional(Name(TITLE)),
    steps: Type.Optional(steps),
    apply_to: Type.Optional(
      OneOf(['all'], {
        description:
          'All test cases that follow the shared step get the new version. This or `test_case_ids` is required.',
      }),
    ),
    test_case_ids: Type.Optional(
      testCaseIds(
        'Only these of the test cases that follow it get the new version; the others stay at the version that they have.',
        MAX_SHARED_STEP_USES,
      ),
    ),
  },
  { examples: [{ title: 'Sign in with a password', apply_to: 'all' }] },
)
export type UpdateSharedStepBody = Static<typeof UpdateSharedStepBody>

/** The problem of a change that was made to an older version: the shared step as it is now. */
export const ChangedSharedStepProblem = ExtendedProblem({ current: SharedStep })
export type ChangedSharedStepProblem = Static<typeof ChangedSharedStepProblem>

const changedMeanwhile = {
  ...ChangedSharedStepProblem,
  description: 'The shared step has another version than that in `If-Match`; nothing was changed.',
  examples: [
    {
      type: 'about:blank',
      title: 'Precondition Failed',
      status: 412,
      code: 'changed_meanwhile',
      detail: 'The shared step has changed since this version and now has version 3.',
      current: example,
    },
  ],
}

export const updateSharedStep = {
  method: 'PATCH',
  url: SHARED_STEP_URL,
  config: edit,
  schema: {
    operationId: 'updateSharedStep',
    tags,
    summary: 'Change a shared step',
    description:
      'Changes the shared step and the test cases that follow it, all or none; each of them gets a new version. A test case that would have more than 500 steps is 422 `too_many_steps`, and a change of too much text at once is 422 `change_too_large`.',
    params: SharedStepParams,
    headers: Type.Object({
      'if-match': Type.Optional(
        Type.String({
          pattern: IF_MATCH_PATTERN,
          maxLength: 50,
          description:
            'The version that the change is based on, in double quotes, such as `"3"`. If the shared step has another version, nothing changes and the response is 412. Without it, or with `*`, the change is always made.',
        }),
      ),
    }),
    body: UpdateSharedStepBody,
    response: { 200: item, ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429), 412: changedMeanwhile },
  },
} as const satisfies Endpoint

export const deleteSharedStep = {
  method: 'DELETE',
  url: SHARED_STEP_URL,
  config: edit,
  schema: {
    operationId: 'deleteSharedStep',
    tags,
    summary: 'Delete a shared step',
    description:
      'Deletes a shared step that no test case uses; otherwise, the response is 409 `shared_step_in_use`. With `detach=true`, the test cases keep its steps as their own.',
    params: SharedStepParams,
    querystring: Type.Object({
      detach: Type.Optional(
        OneOf(['true', 'false'], { description: 'Whether test cases that use it keep its steps as their own.' }),
      ),
    }),
    response: {
      204: { ...Type.Null(), description: 'The shared step was deleted.' },
      ...problems(400, 401, 403, 404, 409, 429),
    },
  },
} as const satisfies Endpoint
