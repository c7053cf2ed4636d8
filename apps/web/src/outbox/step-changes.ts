import type { StepChange, StepResult } from '@caseward/client/endpoints'

/** Adds changes of steps to earlier ones: one for each position, with the later value of each field. */
export function mergeStepChanges(
  earlier: readonly StepChange[] | undefined,
  later: readonly StepChange[] | undefined,
): readonly StepChange[] | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier
  const merged = new Map(earlier.map((change) => [change.position, change]))
  for (const change of later) merged.set(change.position, { ...merged.get(change.position), ...change })
  return [...merged.values()]
}

/** Returns step results with changes, by position, as the server would store them. */
export function applyStepChanges(
  results: readonly StepResult[],
  changes: readonly StepChange[] | undefined,
): readonly StepResult[] {
  if (changes === undefined) return results
  const applied = new Map(results.map((result) => [result.position, result]))
  for (const { position, status, actual } of changes) {
    const before = applied.get(position)
    applied.set(position, {
      position,
      status: status === undefined ? (before?.status ?? null) : status,
      actual: actual === undefined ? (before?.actual ?? null) : actual,
    })
  }
  return [...applied.values()]
    .filter(({ status, actual }) => status !== null || actual !== null)
    .toSorted((a, b) => a.position - b.position)
}
