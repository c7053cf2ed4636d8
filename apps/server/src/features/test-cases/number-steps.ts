/** Numbers steps from 1 in the order sent. */
export function numberSteps(steps: readonly { action: string; expected?: string }[]) {
  return steps.map(({ action, expected = '' }, index) => ({ position: index + 1, action, expected }))
}
