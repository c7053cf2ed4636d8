import type { CreateMilestoneBody, UpdateMilestoneBody } from '@caseward/contract/milestones'
import type { FieldError } from '@caseward/contract/problem'
import type { Static } from '@caseward/contract/static'

import type { Database } from '../../platform/database/connect.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'
import { databaseBusyProblem, invalidProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { deriveDates, isDueBeforeStart, type MilestoneDates } from './milestone-progress.ts'
import * as milestones from './milestones.queries.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'

type CreateBody = Static<typeof CreateMilestoneBody>
type UpdateBody = Static<typeof UpdateMilestoneBody>

/**
 * Creates a milestone or a sub-milestone. The lock on the project prevents the parent from becoming a sub-milestone.
 * @throws {Problem} 400 for an invalid parent, or due before start; 404 when the project is gone
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
    if (errors.length > 0) throw invalidProblem(errors)
    const id = await milestones.insertMilestone(tx, projectId, { name, description, parent_id, date_mode, ...dates })
    return await requireMilestone(tx, projectId, id)
  })
}

/**
 * Updates the fields that are sent. A date sent for a milestone with sub-milestones sets its mode to manual, and the
 * other date keeps the value that was derived.
 * @throws {Problem} 404; 400 for a value that is derived from sub-milestones, or due before start
 */
export async function updateMilestone(
  db: Database,
  projectId: string,
  id: string,
  body: UpdateBody,
): Promise<milestones.MilestoneWithSubs> {
  // A body that is invalid by itself is refused with 400, also when the milestone does not exist.
  const errors = validateDateOrder({ ...NO_DATES, ...parseDates(body) }, body)
  if (errors.length > 0) throw invalidProblem(errors)
  return await db.transaction().execute(async (tx) => {
    await requireLockedProject(tx, projectId)
    const milestone = await requireMilestone(tx, projectId, id)
    const fields = applyUpdate(milestone, body)
    if (!hasChanges(body)) return milestone
    await milestones.updateMilestone(tx, projectId, id, fields)
    return await requireMilestone(tx, projectId, id)
  })
}

/** Each further one needs another run that is linked to the milestone within the milliseconds before. */
const MAX_DELETE_ATTEMPTS = 10

/** A run was linked to the milestone that is being deleted, and an upload holds it. */
class RunLinkedError extends Error {}

/**
 * Deletes a milestone. Its runs are unlinked, and its sub-milestones become milestones.
 * @throws {Problem} 404; 503 while runs are linked to it again and again
 */
export async function deleteMilestone(db: Database, actor: AuditActor, projectId: string, id: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_DELETE_ATTEMPTS; attempt += 1) {
    try {
      await deleteLockedMilestone(db, actor, projectId, id)
      return
    } catch (error) {
      if (!(error instanceof RunLinkedError)) throw error
    }
  }
  throw databaseBusyProblem()
}

async function deleteLockedMilestone(db: Database, actor: AuditActor, projectId: string, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await requireLockedProject(tx, projectId)
    // The error rolls back, which gives the locks free.
    if (!(await milestones.lockMilestoneAndRuns(tx, projectId, id))) throw new RunLinkedError()
    const name = await milestones.deleteMilestone(tx, projectId, id)
    if (name === undefined) throw notFoundProblem('milestone')
    const subject = { kind: 'milestone', id, name } as const
    await recordAudit(tx, actor, { action: 'milestone.delete', subject, projectId })
  })
}

/** @throws {Problem} 404 */
export async function requireMilestone(
  db: Database,
  projectId: string,
  id: string,
): Promise<milestones.MilestoneWithSubs> {
  const milestone = await milestones.selectMilestone(db, projectId, id)
  if (milestone === undefined) throw notFoundProblem('milestone')
  return milestone
}

/** Returns the fields to store. */
function applyUpdate(milestone: milestones.MilestoneWithSubs, body: UpdateBody) {
  const newDates = parseDates(body)
  const hasNewDate = Object.keys(newDates).length > 0
  const hasSubMilestones = milestone.subMilestones.length > 0
  const date_mode = body.date_mode ?? (hasSubMilestones && hasNewDate ? 'manual' : milestone.date_mode)
  const areDatesDerived = hasSubMilestones && date_mode === 'auto'
  const storedDates = { start_date: milestone.start_date, due_date: milestone.due_date }
  const dates = areDatesDerived ? storedDates : { ...deriveDates(milestone, milestone.subMilestones), ...newDates }

  const isStatusRefused = hasSubMilestones && body.status !== undefined
  const errors = [
    ...(isStatusRefused ? [STATUS_IS_DERIVED] : []),
    ...(areDatesDerived && hasNewDate ? [DATES_ARE_DERIVED] : []),
    ...(areDatesDerived ? [] : validateDateOrder(dates, body)),
  ]
  if (errors.length > 0) throw invalidProblem(errors, isStatusRefused ? 'status_is_derived' : undefined)

  const { name = milestone.name, description = milestone.description, status = milestone.status } = body
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

/** Returns the dates that a body contains. Null clears a date. */
function parseDates({ start_date: start, due_date: due }: Pick<UpdateBody, 'start_date' | 'due_date'>) {
  const dates: Partial<MilestoneDates> = {}
  if (start !== undefined) dates.start_date = start === null ? null : parseTimestamp(start)
  if (due !== undefined) dates.due_date = due === null ? null : parseTimestamp(due)
  return dates
}

/** Returns due before start as an error of the field that was sent: the other date may be stored or derived. */
function validateDateOrder(dates: MilestoneDates, body: Pick<UpdateBody, 'start_date' | 'due_date'>): FieldError[] {
  if (!isDueBeforeStart(dates)) return []
  if (body.due_date !== undefined) return [{ path: '/due_date', message: 'must not be before start_date' }]
  if (body.start_date !== undefined) return [{ path: '/start_date', message: 'must not be after due_date' }]
  const message = 'cannot be manual because the derived due date is before the derived start date: send dates as well'
  return [{ path: '/date_mode', message }]
}

async function validateParent(tx: Database, projectId: string, parentId: string | null): Promise<FieldError[]> {
  if (parentId === null) return []
  const parent = await milestones.selectParent(tx, projectId, parentId)
  if (parent === undefined) return [{ path: '/parent_id', message: 'is not a milestone of this project' }]
  if (parent.parent_id === null) return []
  return [
    { path: '/parent_id', message: 'is itself a sub-milestone: milestones have only one level of sub-milestones' },
  ]
}

const hasChanges = ({ name, description, start_date, due_date, status, date_mode }: UpdateBody) =>
  [name, description, start_date, due_date, status, date_mode].some((value) => value !== undefined)
