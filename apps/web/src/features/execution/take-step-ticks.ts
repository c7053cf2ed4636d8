import { type BrowserStorage, browserStorage } from '../../browser-storage.ts'

/**
 * Removes and returns the steps of a result that the user has ticked with an earlier version of the app, which kept them in
 * the browser.
 * @returns their positions, from 1
 */
export function takeStepTicks(runId: string, resultId: string, storage: BrowserStorage = browserStorage): number[] {
  const key = `caseward:ticks:${runId}`
  const stored = storage.read(key)
  if (!Array.isArray(stored)) return []
  const isOfResult = (entry: unknown) => Array.isArray(entry) && entry[0] === resultId
  const others = stored.filter((entry) => !isOfResult(entry))
  if (others.length === stored.length) return []
  if (others.length === 0) storage.remove(key)
  else storage.write(key, others)
  const [, steps] = stored.find(isOfResult) as unknown[]
  return Array.isArray(steps)
    ? steps.flatMap((step: unknown) => (Number.isInteger(step) ? [Number(step) + 1] : []))
    : []
}
