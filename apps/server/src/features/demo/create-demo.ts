import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import { type Database, getPool } from '../../platform/database/connect.ts'
import { runInRequestTransaction } from '../../platform/database/request-transaction.ts'
import type { AuditActor } from '../audit/record-audit.ts'
import { evaluateRun } from '../evaluation/evaluate-run.ts'
import { ensureFolders } from '../folders/ensure-folders.ts'
import { insertMember, lockMembers } from '../members/members.queries.ts'
import { insertMilestone, updateMilestone } from '../milestones/milestones.queries.ts'
import { createProject } from '../projects/create-project.ts'
import { type ProjectRow, selectProject } from '../projects/projects.queries.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { createTestCases } from '../test-cases/create-test-cases.ts'
import { getBodyPath } from '../test-cases/test-case-references.ts'
import { notifyTestCasesChanged } from '../events/notify-distributed-change.ts'
import { createField } from '../fields/change-fields.ts'
import { demoCases } from './content/demo-cases.ts'
import { demoFields, getDemoValues } from './content/demo-fields.ts'
import { addConfigurations } from './demo-configurations.ts'
import { addEvidence, type DemoEvidence } from './demo-evidence.ts'
import { addQuarantines } from './demo-quarantines.ts'
import { demoMilestones } from './demo-runs.ts'
import { addSharedStep, ageSharedSteps, SIGN_IN } from './demo-shared-steps.ts'
import type { NumberedCase } from './demo-results.ts'
import { editCases } from './edit-cases.ts'
import { type Demo, type DemoTeam, executeRuns } from './execute-runs.ts'
import { createRandom } from './random.ts'

const DAY_MS = 86_400_000
const PREFIX = 'WEB'
export const DEMO_NAME = 'Web shop (demo)'
/** With files, comments and a report. */
const DISCUSSED_RUN = 'Regression 2.4'

/**
 * Creates a project that shows what the product can do: 300 test cases in folders, milestones, and runs by hand and from CI
 * over the last six weeks. It exists once it is complete; the caller attaches its files afterwards.
 * @param ownerId whose load it is; see `runInRequestTransaction`
 */
export async function createDemo(
  deps: Demo['deps'],
  actor: AuditActor,
  team: DemoTeam,
  ownerId: string,
): Promise<{ project: ProjectRow; evidence: DemoEvidence }> {
  const { db } = deps
  return await runInRequestTransaction(getPool(db), ownerId, async () => {
    const { id } = await createProject(db, actor, {
      name: DEMO_NAME,
      prefix: PREFIX,
      description:
        'An example with test cases, runs and milestones. Delete it in the settings when you no longer need it.',
      adminId: team.adminId,
    })
    for (const field of demoFields) await createField(db, actor, id, field)
    const evidence = await fillDemo(deps, actor, id, team)
    const project = await selectProject(db, id)
    if (project === undefined) throw new Error('The demo project is missing in its own transaction')
    return { project, evidence }
  })
}

async function fillDemo(
  deps: Demo['deps'],
  actor: AuditActor,
  projectId: string,
  team: DemoTeam,
): Promise<DemoEvidence> {
  const { db } = deps
  const now = Date.now()
  const toTime = (day: number) => new Date(now + day * DAY_MS)
  const project = { id: projectId, prefix: PREFIX }
  const sharedStepId = await addSharedStep(db, actor, project, team.adminId)
  const { cases, milestoneIds } = await db.transaction().execute(async (tx) => {
    await lockMembers(tx, project.id)
    for (const userId of team.testerIds) await insertMember(tx, { projectId: project.id, userId, role: 'member' })
    await requireLockedProject(tx, project.id)
    return {
      cases: await insertCases(tx, project, team.adminId, sharedStepId),
      milestoneIds: await insertMilestones(tx, project.id, toTime),
    }
  })
  const demo: Demo = { ...team, deps, project, cases, milestoneIds, random: createRandom(24), toTime }
  await addConfigurations(db, project.id)
  const { byHand, automated } = await executeRuns(demo)
  await addQuarantines(demo)
  for (const run of automated) await evaluateRun(db, run)
  await editCases(demo)
  const run = byHand.get(DISCUSSED_RUN)
  if (run === undefined) throw new Error(`The demo has no run ${DISCUSSED_RUN}`)
  const evidence = await addEvidence(demo, run)
  await finishDemo(db, project.id, toTime(-60))
  return evidence
}

async function insertCases(
  tx: Database,
  project: ProjectRef,
  adminId: string,
  sharedStepId: string,
): Promise<NumberedCase[]> {
  const folderIds = await ensureFolders(
    tx,
    project.id,
    null,
    demoCases.map(({ path }) => path),
  )
  const numbers = await createTestCases(
    tx,
    project,
    adminId,
    demoCases.map((testCase, index) => {
      const { path: _path, signsIn = false, steps, ...fields } = testCase
      const values = getDemoValues(testCase, index)
      return {
        ...fields,
        ...(values === undefined ? {} : { fields: values }),
        folder_id: folderIds[index] ?? null,
        steps: [
          ...(signsIn ? [{ shared_step_id: sharedStepId }] : []),
          ...steps.map(([action, expected], step) => ({
            position: (signsIn ? SIGN_IN.length : 0) + step + 1,
            action,
            expected,
          })),
        ],
      }
    }),
    getBodyPath,
  )
  return demoCases.map((testCase, index) => ({
    ...testCase,
    steps: testCase.signsIn === true ? [...SIGN_IN, ...testCase.steps] : testCase.steps,
    number: numbers[index] ?? 0,
  }))
}

async function insertMilestones(tx: Database, projectId: string, toTime: Demo['toTime']): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const { name, description, startDay, dueDay, isCompleted, parts } of demoMilestones) {
    const fields = {
      name,
      description,
      start_date: toTime(startDay),
      due_date: toTime(dueDay),
      date_mode: 'manual' as const,
    }
    const id = await insertMilestone(tx, projectId, { ...fields, parent_id: null })
    if (isCompleted) await updateMilestone(tx, projectId, id, { ...fields, status: 'completed' })
    ids.set(name, id)
    for (const part of parts) {
      const partFields = {
        start_date: toTime(part.startDay),
        due_date: toTime(part.dueDay),
        date_mode: 'manual' as const,
      }
      const partId = await insertMilestone(tx, projectId, {
        ...partFields,
        name: part.name,
        description: '',
        parent_id: id,
      })
      ids.set(`${name}/${part.name}`, partId)
    }
  }
  return ids
}

/** Lets the project, its milestones and its test cases be older than its runs. */
async function finishDemo(db: Database, projectId: string, createdAt: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Requests that change test cases lock the project first, too: otherwise both could wait for each other.
    await requireLockedProject(tx, projectId)
    await tx.updateTable('projects').set({ created_at: createdAt }).where('id', '=', projectId).execute()
    await ageSharedSteps(tx, projectId, createdAt)
    await tx.updateTable('milestones').set({ created_at: createdAt }).where('project_id', '=', projectId).execute()
    await tx
      .updateTable('test_cases')
      .set({ created_at: createdAt, updated_at: createdAt })
      .where('project_id', '=', projectId)
      .execute()
    // All runs were evaluated just now.
    await sql`
      with became as materialized (
        select test_id, coalesce((array_agg(at order by at))[2], min(at)) as at
        from flake_events where project_id = ${projectId} group by test_id
      )
      update unstable_tests u set since = became.at
      from became where u.project_id = ${projectId} and u.test_id = became.test_id and u.stability in ('flaky', 'suspect')`.execute(
      tx,
    )
    await notifyTestCasesChanged(tx, projectId, null)
  })
}
