import { Type } from 'typebox'

import { Nullable, OneOf } from './schemas.ts'
import type { Static } from './static.ts'
import { MAX_STEPS } from './steps.ts'

/** What a step can be. A step without a status has not been tested. */
export const STEP_STATUSES = ['passed', 'failed', 'blocked', 'retest'] as const
export type StepStatus = (typeof STEP_STATUSES)[number]

/** The maximum size of the step results of a result, as JSON. */
export const MAX_STEP_RESULTS_BYTES = 256 * 1024

const POSITION = 'Position of the step in the test case, from 1.'
const StepStatus = OneOf(STEP_STATUSES, { description: 'Status of the step.' })

/** Status and actual result of one step. */
export const StepResult = Type.Object({
  position: Type.Integer({ description: POSITION }),
  status: Nullable(StepStatus),
  actual: Nullable(Type.String({ description: 'What happened instead of the expected result.' })),
})
export type StepResult = Static<typeof StepResult>

/** What changes in the result of one step. */
export const StepChange = Type.Object({
  position: Type.Integer({ minimum: 1, maximum: MAX_STEPS, description: POSITION }),
  status: Type.Optional(Nullable(StepStatus)),
  actual: Type.Optional(
    Nullable(
      Type.String({
        format: 'text',
        maxLength: 65_536,
        description: 'What happened instead of the expected result; null or an empty text removes it.',
      }),
    ),
  ),
})
export type StepChange = Static<typeof StepChange>

/** What changes in the steps of a result. */
export const StepChanges = Type.Array(StepChange, {
  maxItems: MAX_STEPS,
  description:
    'Results of steps. Steps that are not sent keep theirs, as do fields that are not sent; a status of null removes it. Items are applied in their order. An unknown position is refused with the code `unknown_step`; together they can take 256 KB (`step_results_too_large`).',
})

export const stepResultExample = { position: 2, status: 'failed', actual: 'Error 500' } as const satisfies StepResult
