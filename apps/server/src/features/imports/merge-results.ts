import { MAX_RESULT_CHANGES } from '@caseward/contract/result-changes'
import type { ResultStatus } from '@caseward/contract/results'

import type { StoredValues } from '../fields/stored-values.ts'
import type { CombinationValue } from './planned-combinations.ts'
import type { PlannedSteps } from './planned-steps.ts'
import type { PlannedResult } from './plan-results.ts'

/** A value of a result: the current one, or an earlier one. */
export interface ResultValue {
  status: ResultStatus
  note: string | null
  elapsed: number | null
  tested_by: string | null
  /** Null for a test case that nobody has tested. */
  tested_at: string | null
  /** Of the configurations of its run; null without any. */
  combinations: CombinationValue[] | null
  /** Results of its steps; null without any. */
  steps: PlannedSteps | null
  /** Values of custom fields as they are stored; null without any. */
  fields: StoredValues | null
  /** The member who is to test it; not of an earlier value. */
  assigned_to: string | null
  /** The version of the test case that was tested; null for none, and of an earlier value. */
  case_version: number | null
  /** When another value took its place, if it is an earlier one and that is known. */
  replaced_at?: string | null
}

/** A result of a run that is there already. */
export interface StoredResult extends ResultValue {
  id: string
  change_count: number
  /** What it was before, in any order. */
  earlier: Pick<ResultValue, 'status' | 'tested_at'>[]
}

export interface MergedResult {
  current: ResultValue
  /** Values that are added to the earlier ones, the oldest first. */
  added: ResultValue[]
  /** Whether the current value is another one than before. */
  isReplaced: boolean
  /** Of the results that were sent, what becomes of each. */
  outcomes: ('create' | 'unchanged' | 'cut')[]
  /** Which of them say what version was tested, and are added as earlier values, which cannot say it. */
  losesVersion: boolean[]
}

/** A planned result with what is stored of its fields. */
export type SentResult = Omit<PlannedResult, 'fields'> & { stored_fields: StoredValues | null }

const toValue = ({
  status,
  note,
  elapsed,
  tested_by,
  at,
  is_tested,
  combinations,
  steps,
  replaced_at,
  stored_fields: fields,
  assigned_to,
  case_version,
}: SentResult): ResultValue => ({
  status,
  note,
  elapsed,
  tested_by,
  tested_at: is_tested ? at : null,
  combinations,
  steps,
  replaced_at,
  fields,
  assigned_to,
  case_version,
})

/**
 * Puts results of the source into their order with what is there: the newest counts, the others are earlier values. What people have
 * entered here is never replaced by something older.
 * @param sent the oldest first
 */
export function mergeResults(sent: readonly SentResult[], stored: StoredResult | undefined): MergedResult {
  const isSame = (value: Pick<ResultValue, 'status' | 'tested_at'>, other: ResultValue) =>
    value.status === other.status && value.tested_at === other.tested_at
  const known = stored === undefined ? [] : [stored, ...stored.earlier]
  let current = (stored ?? null) as ResultValue | null
  /** Whether the current value is what people here see already. */
  let isStored = stored !== undefined
  let room = MAX_RESULT_CHANGES - (stored?.change_count ?? 0)
  const added: ResultValue[] = []
  const values = sent.map(toValue)
  const outcomes = values.map((value): MergedResult['outcomes'][number] => {
    if (known.some((each) => isSame(each, value))) {
      if (isStored && current !== null && isSame(current, value)) current = fillValue(current, value)
      return 'unchanged'
    }
    if (current === null) {
      current = value
      return 'create'
    }
    // A test case that was only part of the run, and one that nobody has tested here.
    if (value.tested_at === null) return 'unchanged'
    // What people have set of fields, single configurations and steps is replaced only by what has these, too.
    const isKept =
      isStored &&
      stored !== undefined &&
      ((stored.fields !== null && value.fields === null) ||
        (stored.combinations !== null && value.combinations === null) ||
        (stored.steps !== null && value.steps === null))
    if (current.tested_at === null && !isKept) {
      current = value
      isStored = false
      return 'create'
    }
    if (room <= 0) return 'cut'
    room -= 1
    const isNewer = !isKept && value.tested_at >= (current.tested_at ?? '')
    added.push(isNewer ? current : value)
    if (isNewer) {
      current = value
      isStored = false
    }
    return 'create'
  })
  if (current === null) throw new Error('A result was merged with nothing')
  const losesVersion = values.map(
    (value, index) => outcomes[index] === 'create' && value !== current && value.case_version !== null,
  )
  return { current, added, isReplaced: current !== stored, outcomes, losesVersion }
}

/** What an earlier import did not bring is filled in; what is here stays. */
function fillValue(stored: ResultValue, sent: ResultValue): ResultValue {
  const filled = {
    fields: stored.fields ?? sent.fields,
    assigned_to: stored.assigned_to ?? sent.assigned_to,
    steps: fillSteps(stored.steps, sent.steps),
    combinations: fillCombinations(stored.combinations, sent.combinations),
  }
  const isEqual =
    filled.fields === stored.fields &&
    filled.assigned_to === stored.assigned_to &&
    filled.steps === stored.steps &&
    filled.combinations === stored.combinations
  return isEqual ? stored : { ...stored, ...filled }
}

/** A current value has results of steps only with those that the test case had. */
const fillSteps = (stored: PlannedSteps | null, sent: PlannedSteps | null): PlannedSteps | null =>
  stored === null && sent !== null && sent.case_steps !== '' ? sent : stored

/** Results of steps come to combinations that have none, and are the same otherwise. */
function fillCombinations(
  stored: CombinationValue[] | null,
  sent: readonly CombinationValue[] | null,
): CombinationValue[] | null {
  if (stored === null || sent === null) return stored
  const filled = stored.map((combination) => {
    const same = sent.find(
      ({ place, configuration, status, tested_at: at }) =>
        place === combination.place &&
        configuration === combination.configuration &&
        status === combination.status &&
        at === combination.tested_at,
    )
    const before = combination.steps ?? null
    const steps = fillSteps(before, same?.steps ?? null)
    return steps === before ? combination : { ...combination, steps }
  })
  return filled.every((combination, index) => combination === stored[index]) ? stored : filled
}
