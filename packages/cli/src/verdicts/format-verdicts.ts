import type { Evaluation, ListedVerdict, TestVerdict } from '@caseward/client/endpoints'

/** What verdicts are called, in the order in which they are shown. */
export const VERDICT_TITLES: Readonly<Record<ListedVerdict, string>> = {
  new: 'New',
  new_test: 'New test',
  changed: 'Changed',
  known_flaky: 'Known flaky',
  environment: 'One cause',
  not_run: 'Not run',
  already_red: 'Already red',
  flaked: 'Flaked',
  quarantined: 'Quarantined',
  missing: 'Missing',
  fixed: 'Fixed',
}
export const VERDICT_ORDER = Object.keys(VERDICT_TITLES) as ListedVerdict[]

export function groupByVerdict(verdicts: readonly TestVerdict[]): ReadonlyMap<ListedVerdict, readonly TestVerdict[]> {
  const groups = new Map<ListedVerdict, TestVerdict[]>()
  for (const verdict of verdicts) {
    const group = groups.get(verdict.verdict) ?? []
    group.push(verdict)
    groups.set(verdict.verdict, group)
  }
  return groups
}

export const formatCount = (count: number): string => count.toLocaleString('en-US')

/** How many tests have each verdict: `1 new · 2 quarantined`; empty if there are none. */
export function formatVerdictCounts(verdicts: readonly TestVerdict[]): string {
  const groups = groupByVerdict(verdicts)
  return VERDICT_ORDER.flatMap((verdict) => {
    const count = groups.get(verdict)?.length ?? 0
    const title = verdict === 'environment' ? 'of one cause' : VERDICT_TITLES[verdict].toLowerCase()
    return count === 0 ? [] : [`${formatCount(count)} ${title}`]
  }).join(' · ')
}

/** `main 8a006ed`, the run that an evaluation was compared with; null for none. */
export function formatBase({ base }: Evaluation): string | null {
  if (base === null) return null
  return [base.branch ?? base.name, base.commit?.slice(0, 7) ?? ''].filter((part) => part !== '').join(' ')
}

/**
 * For how many runs a test fails, of the same branch: `for 4 runs, since 8a006ed`; empty if that is unknown, or since this run: what
 * is red on the base branch can be new on this one.
 */
export function formatSince({ since }: TestVerdict): string {
  if (since === null || since.runs <= 1) return ''
  return `for ${since.runs} runs${since.commit === null ? '' : `, since ${since.commit.slice(0, 7)}`}`
}
