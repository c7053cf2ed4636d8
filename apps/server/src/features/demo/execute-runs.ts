import { sql } from 'kysely'

import type { ProjectRef, RunRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { assignToPeople } from '../assignments/assign-results.ts'
import { addReportedLinks } from '../links/add-reported-links.ts'
import { createRerun } from '../reruns/create-rerun.ts'
import { writeResults } from '../results/write-results.ts'
import { createRun } from '../runs/create-run.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import { planStepWrites } from '../step-results/plan-step-writes.ts'
import { saveSteps } from '../step-results/step-results.queries.ts'
import { UNKNOWN_SOURCE } from '../tests/run-uploads.queries.ts'
import { storeTests } from '../uploads/store-tests.ts'
import {
  type ManualResult,
  type NumberedCase,
  runAutomated,
  runDuringOutage,
  testAgain,
  testByHand,
} from './demo-results.ts'
import { createRandom } from './random.ts'
import { BROWSERS, testInBrowsers } from './demo-configurations.ts'
import { demoRuns, type ManualRun, type NightlyRun, type PullRequestRun, type Rerun } from './demo-runs.ts'

/** Results that a tester sets one after the other. */
const SESSION_SIZE = 24

export interface DemoTeam {
  adminId: string
  /** Other members, who test too. */
  testerIds: readonly string[]
}

/** What the steps of creating the demo need. */
export interface Demo extends DemoTeam {
  deps: Pick<Deps, 'db' | 'announcer' | 'allowsShares'>
  project: ProjectRef
  cases: readonly NumberedCase[]
  /** By name, and `<milestone>/<part>` for parts. */
  milestoneIds: ReadonlyMap<string, string>
  random: () => number
  toTime: (day: number) => Date
}

/** The runs of the demo, from the oldest to the newest. */
export interface ExecutedRuns {
  /** By their names. */
  byHand: ReadonlyMap<string, RunRef>
  automated: readonly RunRef[]
}

/** Executes all runs of the demo. Those of the automated tests are not evaluated yet. */
export async function executeRuns(demo: Demo): Promise<ExecutedRuns> {
  const byHand = new Map<string, RunRef>()
  const automated: RunRef[] = []
  for (const plan of demoRuns) {
    if (plan.kind === 'manual') byHand.set(plan.name, await executeByHand(demo, plan))
    else if (plan.kind === 'rerun') await executeAgain(demo, requireRunOf(byHand, plan), plan)
    else automated.push(await executeAutomated(demo, plan))
  }
  return { byHand, automated }
}

async function executeByHand(demo: Demo, plan: ManualRun): Promise<RunRef> {
  const { deps, project, cases, random, toTime, adminId, testerIds } = demo
  const chosen = cases.filter(({ path, tags = [] }, index) => plan.contains({ index, path, tags }))
  const run = await insertRun(demo, demo.adminId, {
    name: plan.name,
    milestone_id: demo.milestoneIds.get(plan.milestone) ?? null,
    test_case_ids: chosen.map(({ number }) => `${project.prefix}-${number}`),
    ...(plan.inBrowsers === true ? { configurations: { groups: BROWSERS } } : {}),
  })
  const randomOfBrowsers = createRandom(57)
  const tested = chosen.slice(0, Math.round(chosen.length * plan.tested))
  const sessions = Math.ceil(tested.length / SESSION_SIZE)
  const testers = [adminId, ...testerIds]
  for (let session = 0; session < sessions; session += 1) {
    const part = tested.slice(session * SESSION_SIZE, (session + 1) * SESSION_SIZE)
    const finishedAt = toTime(plan.startDay + (plan.days * (session + 1)) / (sessions + 1))
    const testedBy = testers[session % testers.length] ?? adminId
    await withOpenRun(deps, run, async (tx, changes) => {
      const writes = part.flatMap((testCase) => {
        const write = { caseNumber: testCase.number, ...testByHand(testCase, plan.isCompleted, random) }
        return plan.inBrowsers === true ? testInBrowsers(write, randomOfBrowsers) : [write]
      })
      await writeManualResults(tx, run, writes, { testedBy, dryRun: false, finishedAt, changes })
    })
  }
  if (!plan.isCompleted) {
    const result_ids = chosen.slice(tested.length).map(({ number }) => `${project.prefix}-${number}`)
    await assignToPeople({ ...deps, hasMailServer: false }, run, adminId, { result_ids, user_ids: testers })
  }
  const end = toTime(plan.startDay + plan.days)
  await setTimes(deps.db, run.id, { createdAt: toTime(plan.startDay), completedAt: plan.isCompleted ? end : null })
  return run
}

function requireRunOf(runs: ReadonlyMap<string, RunRef>, { of: name }: Rerun): RunRef {
  const run = runs.get(name)
  if (run === undefined) throw new Error(`The demo has no run ${name} before its rerun`)
  return run
}

/** Tests again what failed in a run, or could not be tested. */
async function executeAgain({ deps, adminId, toTime }: Demo, source: RunRef, plan: Rerun): Promise<void> {
  const { id } = JSON.parse(await createRerun({ ...deps, hasMailServer: false }, source, adminId, {})) as { id: string }
  const run = await selectRunRef(deps.db, id, source.project)
  const finishedAt = toTime(plan.startDay + plan.days)
  const numbers = await selectCaseNumbers(deps.db, run)
  const random = createRandom(35)
  await withOpenRun(deps, run, async (tx, changes) => {
    const writes = numbers.map((caseNumber, index) => ({ caseNumber, ...testAgain(index, random) }))
    await writeManualResults(tx, run, writes, { testedBy: adminId, dryRun: false, finishedAt, changes })
  })
  await setTimes(deps.db, id, { createdAt: toTime(plan.startDay), completedAt: finishedAt })
}

/** Writes what a tester found, with the results of steps and the defects. */
async function writeManualResults(
  tx: Database,
  run: RunRef,
  writes: readonly (ManualResult & { caseNumber: number })[],
  options: Parameters<typeof writeResults>[3],
): Promise<void> {
  const { planned } = await planStepWrites(
    tx,
    run,
    writes.filter(({ steps }) => steps.length > 0),
  )
  await writeResults(
    tx,
    run,
    writes.map(({ steps: _steps, defect: _defect, ...write }) => write),
    options,
  )
  await saveSteps(tx, run, [...planned.values()])
  const found = writes.flatMap(({ caseNumber, defect }) =>
    defect === null ? [] : [{ caseNumbers: [caseNumber], links: [{ kind: 'defect', url: defect } as const] }],
  )
  const { testedBy: createdBy, dryRun, changes } = options
  if (found.length > 0) await addReportedLinks(tx, run, found, { dryRun, createdBy, changes })
}

async function executeAutomated(demo: Demo, plan: NightlyRun | PullRequestRun): Promise<RunRef> {
  const { deps, cases, toTime } = demo
  const random = createRandom(plan.build)
  const run = await insertRun(demo, null, describeBuild(plan))
  const tests = runAutomated(cases, plan, random)
  const hasOutage = plan.kind === 'nightly' && plan.hasOutage === true
  const executions = hasOutage ? [runDuringOutage(tests, random), tests] : [tests]
  for (const [index, reported] of executions.entries()) {
    await storeTests(
      deps,
      run,
      {
        tests: reported,
        suiteErrors: [],
        source: { ...UNKNOWN_SOURCE, job: 'e2e', buildAttempt: index + 1 },
        replacesSuiteErrors: false,
      },
      { dryRun: false, finishedAt: toTime(plan.startDay), createsTestCases: false, addsToRun: true },
    )
  }
  const createdAt = toTime(plan.startDay - 0.01)
  await setTimes(deps.db, run.id, { createdAt, completedAt: toTime(plan.startDay) })
  return run
}

/** What CI says of a build. */
function describeBuild(plan: NightlyRun | PullRequestRun): Parameters<typeof createRun>[3] {
  const toCommit = (build: number) => (0x10000000 + build * 104_729).toString(16).slice(0, 7)
  if (plan.kind === 'nightly') {
    return {
      name: `Nightly #${plan.build}`,
      run_key: `nightly-${plan.build}`,
      metadata: {
        branch: 'main',
        default_branch: 'main',
        commit: toCommit(plan.build),
        build: `#${plan.build}`,
        build_url: `https://ci.example.org/web-shop/${plan.build}`,
      },
    }
  }
  return {
    name: `Pull request ${plan.number}`,
    run_key: `pull-request-${plan.number}`,
    metadata: {
      branch: plan.branch,
      pull_request: String(plan.number),
      base_branch: 'main',
      base_commit: toCommit(plan.build),
      default_branch: 'main',
      commit: toCommit(plan.number * 7),
      build: `#${plan.number}`,
      build_url: `https://ci.example.org/web-shop/pull-requests/${plan.number}`,
    },
  }
}

/** @param creator null for CI */
async function insertRun(
  { deps: { db }, project }: Demo,
  creator: string | null,
  body: Parameters<typeof createRun>[3],
) {
  const { run } = await createRun(db, project, creator, body)
  const { id } = JSON.parse(run) as { id: string }
  return await selectRunRef(db, id, project)
}

async function selectRunRef(db: Database, id: string, project: ProjectRef): Promise<RunRef> {
  const { run_group: group } = await db
    .selectFrom('runs')
    .select('run_group')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, group, project }
}

async function selectCaseNumbers(db: Database, { id, project }: RunRef): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select case_number as number from test_results
    where project_id = ${project.id} and run_id = ${id} and case_number is not null order by case_number`.execute(db)
  return rows.map(({ number }) => number)
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
