import { RESULT_STATUSES, type ResultStatus } from '@caseward/contract/results'
import type { CombinationRecord } from '@caseward/importers/records'
import { readTime } from '@caseward/importers/steps/read-time'
import { rollUpSteps } from '@caseward/matching/roll-up-steps'
import { truncateNote } from '@caseward/matching/note'

import type { HistoryContext } from './history-context.ts'
import { type PlannedSteps, planSteps } from './planned-steps.ts'

/** The result of a test case with one configuration of its run. */
export interface CombinationValue {
  place: number
  /** Null in an earlier value. */
  configuration: number | null
  status: ResultStatus
  note: string | null
  elapsed: number | null
  tested_by: string | null
  tested_at: string | null
  /** Who is to test it; not of an earlier value. */
  assigned_to?: string | null
  /** Results of its steps; missing or null without any. */
  steps?: PlannedSteps | null
}

const MAX_ELAPSED = 2_147_483_647

/**
 * Plans the combinations of a result.
 * @param places of the configurations that the run has here
 */
export function planCombinations(
  records: readonly CombinationRecord[],
  places: ReadonlySet<number>,
  { importedAt, people }: Pick<HistoryContext, 'importedAt' | 'people'>,
): { combinations: CombinationValue[]; losses: string[] } {
  const losses: string[] = []
  const limit = importedAt.toISOString()
  const combinations = records.flatMap((record): CombinationValue[] => {
    const { place, configuration, elapsed_seconds: elapsed } = record
    const status = RESULT_STATUSES.find((known) => known === record.status)
    if (status === undefined || (configuration !== null && !places.has(configuration))) {
      losses.push('not_imported:results_of_configurations')
      return []
    }
    const note = truncateNote(record.note)
    if (note !== record.note) losses.push('text_cut')
    const time = readTime(record.at)?.toISOString() ?? null
    if (time === null && record.at !== '') losses.push('time_missing')
    if (time !== null && time > limit) losses.push('time_in_future')
    const isDuration = elapsed !== null && elapsed >= 0 && elapsed <= MAX_ELAPSED
    if (elapsed !== null && !isDuration) losses.push('duration_out_of_range')
    const person = people.find(record.person)
    if (people.isImported(record.person)) losses.push('tester_unknown')
    const assignedTo = planAssignee(record.assigned_to, people, losses)
    const steps = planStepsOf(record, losses)
    return [
      {
        place,
        configuration,
        status,
        note: note === '' ? null : note,
        elapsed: isDuration ? Math.round(elapsed) : null,
        tested_by: person,
        tested_at: time !== null && time > limit ? limit : time,
        ...(assignedTo === null ? {} : { assigned_to: assignedTo }),
        ...(steps === null ? {} : { steps }),
      },
    ]
  })
  return { combinations, losses }
}

/** A current combination keeps its steps with those that the test case had, an earlier one without. */
function planStepsOf({ configuration, own_steps: sent }: CombinationRecord, losses: string[]): PlannedSteps | null {
  const steps = sent === undefined ? null : planSteps(sent)
  const isPossible = steps !== null && (configuration === null || steps.case_steps !== '')
  if (sent !== undefined && !isPossible) losses.push('not_imported:results_of_steps')
  return isPossible ? steps : null
}

/** Returns the member that is to test; null for nobody, and for a person who is no member. */
export function planAssignee(
  person: string | undefined,
  people: Pick<HistoryContext['people'], 'findUser'>,
  losses: string[],
): string | null {
  if (person === undefined) return null
  const user = people.findUser(person)
  if (user === null) losses.push('not_imported:assignments')
  return user
}

/** What a result says of its combinations: the status that follows from them, and a digit for each. */
export function summarize(combinations: readonly CombinationValue[]): { state: number; summary: string } {
  const indexOf = (status: ResultStatus) => RESULT_STATUSES.indexOf(status)
  const ordered = combinations.toSorted((a, b) => a.place - b.place)
  return {
    state: indexOf(rollUpSteps(ordered.map(({ status }) => status))),
    summary: ordered.map(({ status, note }) => indexOf(status) + (note === null ? 0 : 5)).join(''),
  }
}

/** The status of a result that follows from its combinations; null for an earlier value, which has only those that were replaced. */
export function rollUp(combinations: readonly CombinationValue[]): ResultStatus | null {
  const current = combinations.filter(({ configuration }) => configuration !== null)
  return current.length === 0 ? null : rollUpSteps(current.map(({ status }) => status))
}

/** Combinations as earlier values of results have them. */
export const toEarlier = (combinations: readonly CombinationValue[]) =>
  combinations.map((combination) => {
    const { configuration: _, assigned_to: __, steps = null, ...value } = combination
    return { ...value, ...(steps === null ? {} : { steps: steps.steps }) }
  })
