import { sql } from 'kysely'

import type { ProjectRef, RunRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import { type Database, getPool } from '../../platform/database/connect.ts'
import { runInRequestTransaction } from '../../platform/database/request-transaction.ts'
import { assignToPeople } from '../assignments/assign-results.ts'
import type { AuditActor } from '../audit/record-audit.ts'
import { ensureFolders } from '../folders/ensure-folders.ts'
import { insertMember, lockMembers } from '../members/members.queries.ts'
import { insertMilestone, updateMilestone } from '../milestones/milestones.queries.ts'
import { createProject } from '../projects/create-project.ts'
import { type ProjectRow, selectProject } from '../projects/projects.queries.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { writeResults } from '../results/write-results.ts'
import { createRun } from '../runs/create-run.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import { createTestCases } from '../test-cases/create-test-cases.ts'
import { getBodyPath } from '../test-cases/test-case-references.ts'
import { UNKNOWN_SOURCE } from '../tests/run-uploads.queries.ts'
import { storeTests } from '../uploads/store-tests.ts'
import { notifyTestCasesChanged } from '../events/notify-distributed-change.ts'
import { demoCases } from './content/demo-cases.ts'
import { demoMilestones, demoRuns, type ManualRun, type NightlyRun } from './demo-runs.ts'
import { type NumberedCase, runNightly, testByHand } from './demo-results.ts'
import { createRandom } from './random.ts'

const DAY_MS = 86_400_000
/** Results that a tester sets one after the other. */
const SESSION_SIZE = 12
const PREFIX = 'WEB'
export const DEMO_NAME = 'Web shop (demo)'

export interface DemoTeam {
  adminId: string
  /** Other members, who test too. */
  testerIds: readonly string[]
}

/** What the steps of creating the demo need. */
interface Demo extends DemoTeam {
  deps: Pick<Deps, 'db' | 'announcer'>
  project: ProjectRef
  cases: readonly NumberedCase[]
  /** By name, and `<milestone>/<part>` for parts. */
  milestoneIds: ReadonlyMap<string, string>
  random: () => number
  toTime: (day: number) => Date
}

/**
 * Creates a project that shows what the product can do: 300 test cases in folders, milestones, and runs by hand and from CI
 * over the last six weeks. It exists once it is complete.
 * @param ownerId whose load it is; see `runInRequestTransaction`
 */
export async function createDemo(
  deps: Pick<Deps, 'db' | 'announcer'>,
  actor: AuditActor,
  team: DemoTeam,
  ownerId: string,
): Promise<ProjectRow> {
  const { db } = deps
  return await runInRequestTransaction(getPool(db), ownerId, async () => {
    const { id } = await createProject(db, actor, {
      name: DEMO_NAME,
      prefix: PREFIX,
      description:
        'An example with test cases, runs and milestones. Delete it in the settings when you no longer need it.',
      adminId: team.adminId,
    })
    await fillDemo(deps, id, team)
    const project = await selectProject(db, id)
    if (project === undefined) throw new Error('The demo project is missing in its own transaction')
    return project
  })
}

async function fillDemo(deps: Demo['deps'], projectId: string, team: DemoTeam): Promise<void> {
  const { db } = deps
  const now = Date.now()
  const toTime = (day: number) => new Date(now + day * DAY_MS)
  const project = { id: projectId, prefix: PREFIX }
  const { cases, milestoneIds } = await db.transaction().execute(async (tx) => {
    await lockMembers(tx, project.id)
    for (const userId of team.testerIds) await insertMember(tx, { projectId: project.id, userId, role: 'member' })
    await requireLockedProject(tx, project.id)
    return {
      cases: await insertCases(tx, project, team.adminId),
      milestoneIds: await insertMilestones(tx, project.id, toTime),
    }
  })
  const demo: Demo = { ...team, deps, project, cases, milestoneIds, random: createRandom(24), toTime }
  for (const run of demoRuns) await (run.kind === 'manual' ? executeByHand(demo, run) : executeNightly(demo, run))
  await finishDemo(db, project.id, toTime(-60))
}

async function insertCases(tx: Database, project: ProjectRef, adminId: string): Promise<NumberedCase[]> {
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
    demoCases.map(({ path: _path, steps, ...fields }, index) => ({
      ...fields,
      folder_id: folderIds[index] ?? null,
      steps: steps.map(([action, expected], step) => ({ position: step + 1, action, expected })),
    })),
    getBodyPath,
  )
  return demoCases.map((testCase, index) => ({ ...testCase, number: numbers[index] ?? 0 }))
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

async function executeByHand(demo: Demo, plan: ManualRun): Promise<void> {
  const { deps, project, cases, random, toTime, adminId, testerIds } = demo
  const chosen = cases.filter(({ path, tags = [] }, index) => plan.contains({ index, path, tags }))
  const run = await insertRun(demo, demo.adminId, {
    name: plan.name,
    milestone_id: demo.milestoneIds.get(plan.milestone) ?? null,
    test_case_ids: chosen.map(({ number }) => `${project.prefix}-${number}`),
  })
  const tested = chosen.slice(0, Math.round(chosen.length * plan.tested))
  const sessions = Math.ceil(tested.length / SESSION_SIZE)
  const testers = [adminId, ...testerIds]
  for (let session = 0; session < sessions; session += 1) {
    const part = tested.slice(session * SESSION_SIZE, (session + 1) * SESSION_SIZE)
    const finishedAt = toTime(plan.startDay + (plan.days * (session + 1)) / (sessions + 1))
    const testedBy = testers[session % testers.length] ?? adminId
    await withOpenRun(deps, run, async (tx, changes) => {
      const writes = part.map((testCase) => ({
        caseNumber: testCase.number,
        ...testByHand(testCase, plan.isCompleted, random),
      }))
      await writeResults(tx, run, writes, { testedBy, dryRun: false, finishedAt, changes })
    })
  }
  if (!plan.isCompleted) {
    const result_ids = chosen.slice(tested.length).map(({ number }) => `${project.prefix}-${number}`)
    await assignToPeople({ ...deps, hasMailServer: false }, run, adminId, { result_ids, user_ids: testers })
  }
  const end = toTime(plan.startDay + plan.days)
  await setTimes(deps.db, run.id, { createdAt: toTime(plan.startDay), completedAt: plan.isCompleted ? end : null })
}

async function executeNightly(demo: Demo, plan: NightlyRun): Promise<void> {
  const { deps, cases, random, toTime } = demo
  const run = await insertRun(demo, null, {
    name: `Nightly #${plan.build}`,
    run_key: `nightly-${plan.build}`,
    metadata: {
      branch: 'main',
      commit: (0x10000000 + plan.build * 104_729).toString(16).slice(0, 7),
      build: `#${plan.build}`,
      build_url: `https://ci.example.org/web-shop/${plan.build}`,
    },
  })
  await storeTests(
    deps,
    run,
    { tests: runNightly(cases, plan, random), suiteErrors: [], source: UNKNOWN_SOURCE, replacesSuiteErrors: false },
    { dryRun: false, finishedAt: toTime(plan.startDay), createsTestCases: false, addsToRun: true },
  )
  const createdAt = toTime(plan.startDay - 0.01)
  await setTimes(deps.db, run.id, { createdAt, completedAt: toTime(plan.startDay) })
}

/** @param creator null for CI */
async function insertRun(
  { deps: { db }, project }: Demo,
  creator: string | null,
  body: Parameters<typeof createRun>[3],
) {
  const { run } = await createRun(db, project, creator, body)
  const { id } = JSON.parse(run) as { id: string }
  const { run_group: group } = await db
    .selectFrom('runs')
    .select('run_group')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, group, project } satisfies RunRef
}

async function setTimes(
  db: Database,
  runId: string,
  { createdAt, completedAt }: { createdAt: Date; completedAt: Date | null },
): Promise<void> {
  await db
    .updateTable('runs')
    .set({
      created_at: createdAt,
      updated_at: completedAt ?? sql<Date>`now()`,
      completed_at: completedAt,
      ...(completedAt === null ? {} : { status: 'completed' as const }),
    })
    .where('id', '=', runId)
    .execute()
}

/** Lets the project, its milestones and its test cases be older than its runs. */
async function finishDemo(db: Database, projectId: string, createdAt: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Requests that change test cases lock the project first, too: otherwise both could wait for each other.
    await requireLockedProject(tx, projectId)
    await tx.updateTable('projects').set({ created_at: createdAt }).where('id', '=', projectId).execute()
    await tx.updateTable('milestones').set({ created_at: createdAt }).where('project_id', '=', projectId).execute()
    await tx
      .updateTable('test_cases')
      .set({ created_at: createdAt, updated_at: createdAt })
      .where('project_id', '=', projectId)
      .execute()
    await notifyTestCasesChanged(tx, projectId, null)
  })
}
