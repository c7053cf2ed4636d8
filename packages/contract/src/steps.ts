import { Type } from 'typebox'

import { Id, LongText } from './schemas.ts'
import type { Static } from './static.ts'

/** The maximum number of steps of a test case, those of shared steps included. */
export const MAX_STEPS = 500
/** The maximum number of shared steps in a test case. */
export const MAX_STEP_GROUPS = 100

export const Step = Type.Object({
  position: Type.Integer({ description: 'Position, from 1.' }),
  action: Type.String({ description: 'Action of the step.' }),
  expected: Type.String({ description: 'Expected result of the step.' }),
})
export type Step = Static<typeof Step>

export const NewStep = Type.Object({
  action: LongText('Action of the step.'),
  expected: Type.Optional(LongText('Expected result of the step.')),
})
export type NewStep = Static<typeof NewStep>

/** A step in a request, or a shared step. The conditions say which properties it needs, without a second error for each item. */
export const StepInput = Type.Unsafe<Partial<NewStep> & { shared_step_id?: string; version?: number }>({
  type: 'object',
  properties: {
    ...NewStep.properties,
    shared_step_id: Id('Shared step, whose steps stand here; without `action` and `expected`.'),
    version: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description:
        'Version of the shared step that stays here; without it, the steps follow changes of the shared step.',
    }),
  },
  if: { required: ['shared_step_id'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: {},
  else: { required: ['action'] },
})
export type StepInput = Static<typeof StepInput>

/** Which steps of a test case come from a shared step. */
export const StepGroup = Type.Object({
  shared_step_id: Type.String({ description: 'Shared step id.' }),
  title: Type.String({ description: 'Title of the shared step in this version.' }),
  version: Type.Integer({ description: 'Version of the shared step.' }),
  follows: Type.Boolean({
    description: 'Whether the steps change with the shared step; otherwise, they stay at this version.',
  }),
  first: Type.Integer({ description: 'Position of its first step.' }),
  count: Type.Integer({ description: 'Number of its steps.' }),
})
export type StepGroup = Static<typeof StepGroup>

export const StepGroups = Type.Array(StepGroup, {
  description: 'Which of the steps come from shared steps, in order; absent if none do.',
})
