/** The statuses of a result, in the order of bars. */
export const statuses = ['passed', 'failed', 'blocked', 'retest', 'not_tested'] as const
export type Status = (typeof statuses)[number]

/** What is tested again first. */
export const retestOrder = ['failed', 'blocked', 'retest', 'not_tested', 'passed'] as const satisfies readonly Status[]

export const statusNames: Record<Status, string> = {
  passed: 'Passed',
  failed: 'Failed',
  blocked: 'Blocked',
  retest: 'Retest',
  not_tested: 'Not tested',
}

export type StatusCounts = Record<Status, number>

const wholeNumber = new Intl.NumberFormat('en')

/** Formats counts for screen readers and titles: “12 passed, 3 failed”. Statuses without results are left out. */
export function describeCounts(counts: StatusCounts): string {
  const parts = statuses.filter((status) => counts[status] > 0)
  if (parts.length === 0) return 'No results'
  return parts.map((status) => `${wholeNumber.format(counts[status])} ${statusNames[status].toLowerCase()}`).join(', ')
}

/** Divides the width of a bar among the statuses, in percent. What has results is never thinner than `minimum`. */
export function divideBar(counts: StatusCounts, minimum = 1): { status: Status; percent: number }[] {
  const present = statuses.filter((status) => counts[status] > 0)
  const total = present.reduce((sum, status) => sum + counts[status], 0)
  const shares = present.map((status) => ({ status, percent: Math.max((100 * counts[status]) / total, minimum) }))
  const sum = shares.reduce((width, { percent }) => width + percent, 0)
  return shares.map(({ status, percent }) => ({ status, percent: (100 * percent) / sum }))
}
