import type { Milestone, MilestoneDetail, MilestoneListItem } from '@caseward/contract/milestones'

import { presentNullableTime, presentTime } from '../../platform/http/timestamps.ts'
import { deriveDates, derivePhase, computeProgress, deriveStatus } from './milestone-progress.ts'
import type { MilestoneWithSubs } from './milestones.queries.ts'

export function presentListItem({ milestone, subMilestones: subs }: MilestoneWithSubs): MilestoneListItem {
  const { id, name, description, parent_id, created_at, updated_at } = milestone
  const { start_date, due_date } = deriveDates(milestone, subs)
  return {
    id,
    name,
    description,
    start_date: presentNullableTime(start_date),
    due_date: presentNullableTime(due_date),
    status: deriveStatus(milestone, subs),
    parent_id,
    progress: computeProgress(milestone, subs),
    created_at: presentTime(created_at),
    updated_at: presentTime(updated_at),
  }
}

export function presentMilestone(family: MilestoneWithSubs, now: Date): Milestone {
  const { milestone, subMilestones: subs } = family
  const status = deriveStatus(milestone, subs)
  const phase = derivePhase({ status, ...deriveDates(milestone, subs) }, now)
  return { ...presentListItem(family), phase, date_mode: milestone.date_mode }
}

export function presentMilestoneDetail(
  family: MilestoneWithSubs,
  linked_runs: MilestoneDetail['linked_runs'],
  now: Date,
): MilestoneDetail {
  const sub_milestones = family.subMilestones.map((sub) => ({
    id: sub.id,
    name: sub.name,
    status: sub.status,
    progress: computeProgress(sub, []),
  }))
  return { ...presentMilestone(family, now), linked_runs, sub_milestones }
}
