import type { Milestone, MilestoneDetail, MilestoneListItem } from '@caseward/contract/milestones'

import { presentNullableTime, presentTime } from '../../platform/http/timestamps.ts'
import { datesOf, phaseOf, progressOf, statusOf } from './milestone-progress.ts'
import type { MilestoneFamily } from './milestones.queries.ts'

export function presentListItem({ milestone, subs }: MilestoneFamily): MilestoneListItem {
  const { id, name, description, parent_id, created_at, updated_at } = milestone
  const { start_date, due_date } = datesOf(milestone, subs)
  return {
    id,
    name,
    description,
    start_date: presentNullableTime(start_date),
    due_date: presentNullableTime(due_date),
    status: statusOf(milestone, subs),
    parent_id,
    progress: progressOf(milestone, subs),
    created_at: presentTime(created_at),
    updated_at: presentTime(updated_at),
  }
}

export function presentMilestone(family: MilestoneFamily, now: Date): Milestone {
  const { milestone, subs } = family
  const status = statusOf(milestone, subs)
  const phase = phaseOf({ status, ...datesOf(milestone, subs) }, now)
  return { ...presentListItem(family), phase, date_mode: milestone.date_mode }
}

export function presentMilestoneDetail(
  family: MilestoneFamily,
  linked_runs: MilestoneDetail['linked_runs'],
  now: Date,
): MilestoneDetail {
  const sub_milestones = family.subs.map((sub) => ({
    id: sub.id,
    name: sub.name,
    status: sub.status,
    progress: progressOf(sub, []),
  }))
  return { ...presentMilestone(family, now), linked_runs, sub_milestones }
}
