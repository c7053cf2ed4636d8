import { MAX_SHARED_STEP_VERSIONS } from '@caseward/contract/shared-step-versions'
import {
  type CreateSharedStepBody,
  MAX_SHARED_STEPS,
  type SharedStep,
  type UpdateSharedStepBody,
} from '@caseward/contract/shared-steps'
import { v7 as uuidv7 } from 'uuid'

import type { ProjectRef } from '../../access/project-cache.ts'
import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { isUuid } from '../../platform/http/ids.ts'
import {
  conflictProblem,
  invalidFieldProblem,
  notFoundProblem,
  Problem,
  unprocessableProblem,
} from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { applySharedStep, detachTestCases } from './change-users.ts'
import * as queries from './shared-steps.queries.ts'
import type { SharedStepRow } from './shared-steps.queries.ts'
import { countUses, lockSteps, saveUses, selectUsers, writeSteps } from './shared-step-uses.queries.ts'
import { insertGroup, listUsedIds, numberSteps } from './step-groups.ts'

/*
 * Changes of shared steps, one at a time: all lock the project, then the shared step, then the test cases that use it.
 */

export interface SharedStepChanger {
  actor: AuditActor
  author: CaseAuthor
}

/**
 * Creates a shared step, also from steps that a test case has.
 * @throws {Problem} 400 for steps that are not there; 409 for a title in use; 422 for too many
 */
export async function createSharedStep(
  db: Database,
  project: ProjectRef,
  { actor, author }: SharedStepChanger,
  { title, steps, from }: CreateSharedStepBody,
): Promise<SharedStep> {
  if ((steps === undefined) === (from === undefined)) {
    throw invalidFieldProblem('/steps', 'or /from is required, and not both')
  }
  const id = uuidv7()
  const created = await change(db, project.id, title, async (tx) => {
    if ((await queries.countSharedSteps(tx, project.id)) >= MAX_SHARED_STEPS) {
      throw unprocessableProblem(
        'too_many_shared_steps',
        `A project can have up to ${MAX_SHARED_STEPS.toLocaleString('en')} shared steps. Delete those that no test case uses.`,
      )
    }
    const insert = (content: SharedStepRow['steps']) =>
      queries.insertSharedStep(tx, project.id, { id, title, steps: content, created_by: author.userId })
    if (from === undefined) await insert(numberSteps(steps ?? []))
    else await takeSteps(tx, project, author, { id, title, from }, insert)
    await record(tx, actor, project.id, { id, title }, 'shared_step.create')
    return await requireSharedStep(tx, project.id, id)
  })
  return queries.presentSharedStep(created, from === undefined ? 0 : 1)
}

/** Makes steps of a test case a shared step. */
async function takeSteps(
  tx: Database,
  project: ProjectRef,
  author: CaseAuthor,
  { id, title, from }: { id: string; title: string; from: NonNullable<CreateSharedStepBody['from']> },
  insert: (steps: SharedStepRow['steps']) => Promise<void>,
): Promise<void> {
  const number = parseTestCaseNumber(from.test_case_id, project.prefix)
  const [stored] = number === null ? [] : await lockSteps(tx, project.id, [number])
  if (stored === undefined) throw invalidFieldProblem('/from/test_case_id', 'is not a test case of this project')
  const taken = stored.steps.slice(from.first - 1, from.first - 1 + from.count)
  if (taken.length < from.count) {
    throw invalidFieldProblem('/from/count', `reaches beyond the last of the ${stored.steps.length} steps`)
  }
  const steps = numberSteps(taken)
  const changed = insertGroup(stored, from.first, { id, title, version: 1, steps })
  if (changed === null) throw invalidFieldProblem('/from/first', 'are steps that a shared step has already')
  await insert(steps)
  const { step_groups = null } = changed
  await writeSteps(tx, project.id, author, [{ ...stored, steps: null, step_groups }])
  await saveUses(tx, project.id, [{ number: stored.number, ids: listUsedIds(step_groups) }])
}

/**
 * Changes a shared step and the test cases that follow it, all or none.
 * @param ifMatch the version that the change is based on; null for any
 * @throws {Problem} 404; 400; 409 for a title in use; 412 for another version; 422 for too large a change
 */
export async function updateSharedStep(
  db: Database,
  project: ProjectRef,
  { actor, author }: SharedStepChanger,
  id: string,
  { title, steps, apply_to, test_case_ids }: UpdateSharedStepBody,
  ifMatch: number | null,
): Promise<SharedStep> {
  if ((apply_to === undefined) === (test_case_ids === undefined)) {
    throw invalidFieldProblem('/apply_to', 'or /test_case_ids is required, and not both')
  }
  const chosen = test_case_ids?.map((caseId) => parseTestCaseNumber(caseId, project.prefix)) ?? null
  const updated = await change(db, project.id, title ?? '', async (tx) => {
    const row = await requireSharedStep(tx, project.id, id, { lock: true })
    if (ifMatch !== null && ifMatch !== row.version) throw await changedMeanwhileProblem(tx, project.id, row)
    const users = await selectUsers(tx, project.id, id)
    requireUsers(users, chosen)
    const next = { ...row, title: title ?? row.title, steps: steps === undefined ? row.steps : numberSteps(steps) }
    if (next.title === row.title && JSON.stringify(next.steps) === JSON.stringify(row.steps)) return row
    await queries.updateSharedStepRow(tx, project.id, { ...next, updated_by: author.userId }, MAX_SHARED_STEP_VERSIONS)
    await applySharedStep(tx, project, { ...author, via: 'shared_step' }, users, {
      content: { ...next, version: row.version + 1 },
      chosen: chosen === null ? null : new Set(chosen.filter((number) => number !== null)),
    })
    await record(tx, actor, project.id, next, 'shared_step.update', { version: row.version + 1 })
    return await requireSharedStep(tx, project.id, id)
  })
  return queries.presentSharedStep(updated, (await countUses(db, project.id, [id])).get(id) ?? 0)
}

function requireUsers(users: readonly number[], chosen: readonly (number | null)[] | null): void {
  const all = new Set(users)
  const index = chosen?.findIndex((number) => number === null || !all.has(number)) ?? -1
  if (index >= 0) throw invalidFieldProblem(`/test_case_ids/${index}`, 'is not a test case that uses the shared step')
}

/**
 * Deletes a shared step.
 * @param detach whether test cases that use it keep its steps as their own
 * @throws {Problem} 404; 409 when test cases use it
 */
export async function deleteSharedStep(
  db: Database,
  project: ProjectRef,
  { actor, author }: SharedStepChanger,
  id: string,
  { detach }: { detach: boolean },
): Promise<void> {
  await change(db, project.id, '', async (tx) => {
    const row = await requireSharedStep(tx, project.id, id, { lock: true })
    const users = await selectUsers(tx, project.id, id)
    if (users.length > 0 && !detach) {
      throw conflictProblem(
        'shared_step_in_use',
        `${users.length === 1 ? '1 test case uses' : `${users.length.toLocaleString('en')} test cases use`} the shared step. Detach them first, or send \`detach=true\`: they then keep its steps as their own.`,
      )
    }
    await detachTestCases(tx, project.id, { ...author, via: 'shared_step' }, id, users)
    await queries.deleteSharedStepRow(tx, project.id, id)
    await record(tx, actor, project.id, row, 'shared_step.delete', { detached: users.length })
  })
}

/** Gives test cases the steps of a shared step as their own. Returns how many changed. */
export async function detachSharedStep(
  db: Database,
  project: ProjectRef,
  author: CaseAuthor,
  id: string,
  testCaseIds: readonly string[],
): Promise<number> {
  return await change(db, project.id, '', async (tx) => {
    await requireSharedStep(tx, project.id, id, { lock: true })
    const numbers = testCaseIds.map((caseId) => parseTestCaseNumber(caseId, project.prefix))
    const index = numbers.indexOf(null)
    if (index >= 0) throw invalidFieldProblem(`/test_case_ids/${index}`, 'is not a test case of this project')
    const chosen = new Set(numbers)
    const users = (await selectUsers(tx, project.id, id)).filter((number) => chosen.has(number))
    return await detachTestCases(tx, project.id, { ...author, via: 'shared_step' }, id, users)
  })
}

/** Runs a change under the lock on the project. */
async function change<T>(
  db: Database,
  projectId: string,
  title: string,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  try {
    return await transactionWithRowMutex(db, projectId, async (tx) => {
      await requireLockedProject(tx, projectId)
      return await work(tx)
    })
  } catch (error) {
    if (violatesConstraint(error, 'shared_steps_title_key')) {
      throw conflictProblem(
        'title_taken',
        `Another shared step of this project has the title "${title}". Choose another one.`,
        [{ path: '/title', message: 'is already used by another shared step' }],
      )
    }
    throw error
  }
}

/** @throws {Problem} 404 */
export async function requireSharedStep(
  db: Database,
  projectId: string,
  id: string,
  options: { lock?: boolean } = {},
): Promise<SharedStepRow> {
  const row = isUuid(id) ? await queries.selectSharedStep(db, projectId, id, options) : undefined
  if (row === undefined) throw notFoundProblem('shared step')
  return row
}

const record = (
  tx: Database,
  actor: AuditActor,
  projectId: string,
  { id, title }: { id: string; title: string },
  action: 'shared_step.create' | 'shared_step.update' | 'shared_step.delete',
  detail: Record<string, unknown> = {},
) => recordAudit(tx, actor, { action, subject: { kind: 'shared_step', id, name: title }, projectId, detail })

async function changedMeanwhileProblem(tx: Database, projectId: string, row: SharedStepRow): Promise<Problem> {
  const current = queries.presentSharedStep(row, (await countUses(tx, projectId, [row.id])).get(row.id) ?? 0)
  return new Problem(
    412,
    'changed_meanwhile',
    `The shared step has changed since this version and now has version ${row.version}. Compare your change with \`current\`, and send it again with the new version.`,
    { extensions: { current } },
  )
}
