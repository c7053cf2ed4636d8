import { Type } from 'typebox'

import type { Static } from './static.ts'
import { LISTED_VERDICTS, type ListedVerdict } from './verdicts.ts'

/** Why a run is no base for others. */
export const EXCLUSIONS = ['mass_failure', 'by_hand'] as const

const count = (verdict: ListedVerdict) =>
  Type.Integer({ minimum: 0, description: `Tests with the verdict \`${verdict}\`.` })

/** Number of tests by verdict. */
export const EvaluationCounts = Type.Unsafe<Record<ListedVerdict, number>>(
  Type.Object(Object.fromEntries(LISTED_VERDICTS.map((verdict) => [verdict, count(verdict)]))),
)
export type EvaluationCounts = Static<typeof EvaluationCounts>
