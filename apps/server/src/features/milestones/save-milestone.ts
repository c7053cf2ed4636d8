import type { CreateMilestoneBody, UpdateMilestoneBody } from '@caseward/contract/milestones'
import type { FieldError } from '@caseward/contract/problem'
import type { Static } from 'typebox'

import type { Database } from '../../platform/database/connect.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'
import { invalid, notFound } from '../../platform/http/problems.ts'
import { deriveDates, isDueBeforeStart, type MilestoneDates } from './milestone-progress.ts'
import * as milestones from './milestones.queries.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'

type CreateBody = Static<typeof CreateMilestoneBody>
type UpdateBody = Static<typeof UpdateMilestoneBody>

/**
 * Creates a milestone, or a sub-milestone. The project's row is held meanwhile, so that its parent stays at the top.
 * @throws {Problem} 400 for a parent that cannot be one, or due before start; 404 when the project is gone
 */
export async function createMilestone(
  db: Database,
  projectId: string,
  body: CreateBody,
): Promise<milestones.MilestoneWithSubs> {
  const { name, description = '', parent_id = null, date_mode = 'auto' } = body
  const dates = { ...NO_DATES, ...parseDates(body) }
  return await db.transaction().execute(async (tx) => {
    await requireLockedProject(tx, projectId)
    const errors = [...(await validateParent(tx, projectId, parent_id)), ...validateDateOrder(dates, body)]
    if (errors.length > 0) throw invalid(errors)
    const id = await milestones.insertMilestone(tx, projectId, { name, description, parent_id, date_mode, ...dates })
    return await requireMilestone(tx, projectId, id)
  })
}

/**
 * Changes the fields that are sent. A date sent for a milestone with sub-milestones turns it manual, and the date not
 * sent then stays as it was shown.
 * @throws {Problem} 404; 400 for what is derived from sub-milestones, or due before start
 */
export async function updateMilestone(
  db: Database,
  projectId: string,
  id: string,
  change: UpdateBody,
): Promise<milestones.MilestoneWithSubs> {
  // A body that is wrong by itself is refused before it is asked whether the milestone is there.
  const errors = validateDateOrder({ ...NO_DATES, ...parseDates(change) }, change)
  if (errors.length > 0) throw invalid(errors)
  return await db.transaction().execute(async (tx) => {
    await requireLockedProject(tx, projectId)
    const family = await requireMilestone(tx, projectId, id)
    const changed = applyChange(family, change)
    if (!hasChanges(change)) return family
    await milestones.updateMilestone(tx, projectId, id, changed)
    return await requireMilestone(tx, projectId, id)
  })
}

function applyChange({ milestone, subMilestones: subs }: milestones.MilestoneWithSubs, change: UpdateBody) {
  const sent = parseDates(change)
  const sendsDate = Object.keys(sent).length > 0
  const hasSubs = subs.length > 0
  const date_mode = change.date_mode ?? (hasSubs && sendsDate ? 'manual' : milestone.date_mode)
  const areDatesDerived = hasSubs && date_mode === 'auto'
  const own = { start_date: milestone.start_date, due_date: milestone.due_date }
  const dates = areDatesDerived ? own : { ...deriveDates(milestone, subs), ...sent }

  const isStatusRefused = hasSubs && change.status !== undefined
  const errors = [
    ...(isStatusRefused ? [STATUS_IS_DERIVED] : []),
    ...(areDatesDerived && sendsDate ? [DATES_ARE_DERIVED] : []),
    ...(areDatesDerived ? [] : validateDateOrder(dates, change)),
  ]
  if (errors.length > 0) throw invalid(errors, isStatusRefused ? 'status_is_derived' : undefined)

  const { name = milestone.name, description = milestone.description, status = milestone.status } = change
  return { name, description, status, date_mode, ...dates }
}

const STATUS_IS_DERIVED: FieldError = {
  path: '/status',
  message: 'is derived from the sub-milestones and cannot be set',
}
const DATES_ARE_DERIVED: FieldError = {
  path: '/date_mode',
  message: 'cannot be auto when a date is sent: auto derives the dates from the sub-milestones',
}

const NO_DATES: MilestoneDates = { start_date: null, due_date: null }

/** The dates that a body names, be it to clear them. */
function parseDates({ start_date: start, due_date: due }: Pick<UpdateBody, 'start_date' | 'due_date'>) {
  const dates: Partial<MilestoneDates> = {}
  if (start !== undefined) dates.start_date = start === null ? null : parseTimestamp(start)
  if (due !== undefined) dates.due_date = due === null ? null : parseTimestamp(due)
  return dates
}

/** Due before start, as an error of the field that was sent: the other one may be stored, or derived. */
function validateDateOrder(dates: MilestoneDates, sent: Pick<UpdateBody, 'start_date' | 'due_date'>): FieldError[] {
  if (!isDueBeforeStart(dates)) return []
  if (sent.due_date !== undefined) return [{ path: '/due_date', message: 'must not lie before start_date' }]
  if (sent.start_date !== undefined) return [{ path: '/start_date', message: 'must not lie after due_date' }]
  return [{ path: '/date_mode', message: 'cannot be manual with the derived dates, due before start: send dates too' }]
}

async function validateParent(tx: Database, projectId: string, parentId: string | null): Promise<FieldError[]> {
  if (parentId === null) return []
  const parent = await milestones.selectParent(tx, projectId, parentId)
  if (parent === undefined) return [{ path: '/parent_id', message: 'is no milestone of this project' }]
  return parent.parent_id === null
    ? []
    : [{ path: '/parent_id', message: 'is a sub-milestone itself: there is only one level below a milestone' }]
}

async function requireMilestone(tx: Database, projectId: string, id: string): Promise<milestones.MilestoneWithSubs> {
  const family = await milestones.selectMilestone(tx, projectId, id)
  if (family === undefined) throw notFound('milestone')
  return family
}

const hasChanges = ({ name, description, start_date, due_date, status, date_mode }: UpdateBody) =>
  [name, description, start_date, due_date, status, date_mode].some((value) => value !== undefined)
