import type { OwnStepResults } from '../../history-records.ts'
import { type Raw, readNumber, readObjects, readString } from './read-values.ts'

/** Results of steps of a result: as a whole, and of its combinations by their places. */
interface StepsOfResult {
  whole: OwnStepResults | null
  byPlace: ReadonlyMap<number, OwnStepResults>
  /** How many could not be read. */
  lost: number
}

/** Reads the results of the steps of a current result, a list for each place, or those of an earlier value, which has one list. */
export function readStepsOfResult(raw: Raw): StepsOfResult {
  const items = readObjects(raw, 'steps')
  const lists = items.filter((item) => Array.isArray(item['steps']))
  if (lists.length === 0) {
    const whole = toStepResults(items, '')
    return { whole, byPlace: new Map(), lost: items.length > 0 && whole === null ? 1 : 0 }
  }
  const byPlace = new Map<number, OwnStepResults>()
  let lost = 0
  for (const item of lists) {
    const place = readNumber(item, 'place')
    const steps = toStepResults(readObjects(item, 'steps'), readString(item, 'case_steps'))
    if (place === null || steps === null || byPlace.has(place)) lost += 1
    else byPlace.set(place, steps)
  }
  const whole = byPlace.get(0) ?? null
  byPlace.delete(0)
  return { whole, byPlace, lost }
}

/**
 * Results of steps by the positions that the steps had; null without any.
 * @param caseSteps digests of the steps that the test case had then; empty for an earlier value
 */
export function toStepResults(items: readonly Raw[], caseSteps: string): OwnStepResults | null {
  const steps = items.flatMap((step) => {
    const position = readNumber(step, 'position')
    if (position === null) return []
    return [{ position, status: readString(step, 'status'), actual: readString(step, 'actual') }]
  })
  return steps.length === 0 ? null : { steps, case_steps: caseSteps }
}
