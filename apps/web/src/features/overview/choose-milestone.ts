import type { MilestoneListItem } from '@caseward/client/endpoints'

/**
 * Chooses the milestone that the overview is about: of those in progress at the top level, the one that is due first.
 * @param now in milliseconds since 1970
 * @returns null if none is in progress
 */
export function chooseMilestone<M extends Pick<MilestoneListItem, 'parent_id' | 'status' | 'start_date' | 'due_date'>>(
  milestones: readonly M[],
  now: number,
): M | null {
  const started = milestones.filter(
    ({ parent_id: parentId, status, start_date: start }) =>
      parentId === null && status === 'active' && (start === null || Date.parse(start) <= now),
  )
  const toTime = (date: string | null) => (date === null ? Infinity : Date.parse(date))
  return started.toSorted((a, b) => toTime(a.due_date) - toTime(b.due_date))[0] ?? null
}
