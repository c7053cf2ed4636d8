/** The status of one step of a test case. */
export type StepStatus = 'passed' | 'failed' | 'blocked' | 'retest'

/** The first status that any step has decides. */
const DECIDING = ['failed', 'blocked', 'retest'] as const satisfies readonly StepStatus[]

/**
 * Returns the status of a result that follows from its steps or its combinations: failed if any failed, else blocked if any is,
 * else retest if any is; else not tested if any has no status, and passed otherwise.
 * @param statuses one for each step or combination; null or undefined without a status. Without any, nothing is tested.
 */
export function rollUpSteps(
  statuses: readonly (StepStatus | 'not_tested' | null | undefined)[],
): StepStatus | 'not_tested' {
  const deciding = DECIDING.find((status) => statuses.includes(status))
  if (deciding !== undefined) return deciding
  return statuses.length > 0 && statuses.every((status) => status === 'passed') ? 'passed' : 'not_tested'
}
