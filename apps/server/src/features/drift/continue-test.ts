import { sql } from 'kysely'

import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { planForParameters, plannedAnew } from '../../platform/database/plans.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { conflictProblem, invalidFieldProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { requireActiveCaller } from '../auth/session/require-active-caller.ts'
import { invalidateOpenEvaluations } from '../evaluation/evaluated-run.queries.ts'
import { requireRole } from '../members/require-role.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import type { QuarantineCaller } from '../quarantines/change-quarantines.ts'
import { updateStability } from '../stability/update-stability.ts'
import { announceAll, deriveInRuns } from '../tests/derive-in-runs.ts'
import { lockOpenRunsOf } from '../tests/open-runs.queries.ts'
import { markMatched } from '../tests/outcomes.queries.ts'
import { selectTest } from '../tests/tests.queries.ts'
import { replaceLinks } from '../tests/write-tests.queries.ts'

/** Runs that are looked at for both tests. */
const RECENT_DAYS = 7
const MAX_RECENT_RUNS = 500

/**
 * Lets a test continue an earlier one: it takes its link, flake events and quarantine.
 * @returns the test as a JSON object
 * @throws {Problem} 400 for an unknown earlier test; 403; 404; 409 `both_tests_run` or `already_continued`
 */
export async function continueTest(
  deps: Pick<Deps, 'db' | 'announcer'>,
  { actor, user, project }: QuarantineCaller,
  id: string,
  fromId: string,
): Promise<string> {
  if (!isUuid(id)) throw notFoundProblem('test')
  const { test, changes } = await transactionWithRowMutex(deps.db, project.id, async (tx) => {
    await requireLockedProject(tx, project.id)
    await requireRole(tx, { projectId: project.id, userId: user.userId }, 'quarantine:manage')
    await requireActiveCaller(tx, user)
    await requireTests(tx, project.id, id, fromId)
    await requireApart(tx, project.id, [id, fromId])
    await planForParameters(tx)
    const runs = await lockOpenRunsOf(tx, project, [id])
    const caseNumbers = await moveLinks(tx, project.id, id, fromId)
    const derived = await deriveInRuns(tx, runs, caseNumbers)
    await moveFlakeEvents(tx, project.id, id, fromId)
    const moved = await moveQuarantine(tx, project.id, id, fromId)
    await sql`update tests set continues_id = ${fromId} where project_id = ${project.id} and id = ${id}`.execute(tx)
    if (moved !== null)
      await recordAudit(tx, actor, {
        action: 'quarantine.change',
        subject: { kind: 'quarantine', id: moved.id, name: moved.name },
        projectId: project.id,
        detail: { test_id: { from: fromId, to: id } },
      })
    return { test: await selectTest(tx, project, id), changes: derived }
  })
  // Afterwards, because uploads lock their run before the project.
  await invalidateOpenEvaluations(deps.db, project.id)
  announceAll(deps, changes)
  if (test === null) throw notFoundProblem('test')
  return test
}

async function requireTests(tx: Database, projectId: string, id: string, fromId: string): Promise<void> {
  const ids = [id, ...(isUuid(fromId) ? [fromId] : [])]
  const { rows } = await sql<{ id: string; continues_id: string | null }>`
    select id, continues_id from tests
    where project_id = ${projectId} and (id = any(${ids}::uuid[]) or continues_id = any(${ids}::uuid[]))
    order by id for no key update`.execute(tx)
  const own = rows.find((row) => row.id === id)
  if (own === undefined) throw notFoundProblem('test')
  if (id === fromId || !rows.some((row) => row.id === fromId))
    throw invalidFieldProblem('/from_test_id', 'must be another test of the project')
  if (own.continues_id !== null) throw alreadyContinuedProblem('The test continues another one already.')
  if (rows.some((row) => row.continues_id === fromId))
    throw alreadyContinuedProblem('The earlier test is continued by another one already.')
  if (rows.some((row) => row.id === fromId && row.continues_id === id))
    throw alreadyContinuedProblem('The earlier test continues this one already.')
}

const alreadyContinuedProblem = (reason: string) =>
  conflictProblem('already_continued', `${reason} Nothing was changed. Choose another test.`)

async function requireApart(tx: Database, projectId: string, ids: readonly string[]): Promise<void> {
  const { rows: runs } = await sql<{ id: string }>`
    select id from runs
    where project_id = ${projectId} and created_at > now() - make_interval(days => ${sql.lit(RECENT_DAYS)})
    order by id desc limit ${sql.lit(MAX_RECENT_RUNS)}`.execute(tx)
  const { rows } = await sql`${plannedAnew}
    select from test_outcomes
    where project_id = ${projectId} and run_id = any(${runs.map((run) => run.id)}::uuid[]) and test_id = any(${[...ids]}::uuid[])
    group by run_id having count(*) = 2 limit 1`.execute(tx)
  if (rows.length === 0) return
  throw conflictProblem(
    'both_tests_run',
    `Both tests were in one run of the last ${RECENT_DAYS} days: they are two tests. Nothing was changed.`,
  )
}

/** Returns the test cases of the test. Those that it has itself stay. */
async function moveLinks(tx: Database, projectId: string, id: string, fromId: string): Promise<number[]> {
  const { rows } = await sql<{ test_id: string; case_number: number }>`
    select test_id, case_number from test_links
    where project_id = ${projectId} and test_id = any(${[id, fromId]}::uuid[])`.execute(tx)
  const own = rows.filter((row) => row.test_id === id)
  const caseNumbers = (own.length > 0 ? own : rows).map((row) => row.case_number)
  await replaceLinks(tx, projectId, [{ testId: fromId, caseNumbers: [], source: 'hand' }], { areNew: false })
  if (own.length === 0 && caseNumbers.length > 0) {
    await replaceLinks(tx, projectId, [{ testId: id, caseNumbers, source: 'hand' }], { areNew: false })
    await markMatched(tx, projectId, [id])
  }
  return caseNumbers
}

async function moveFlakeEvents(tx: Database, projectId: string, id: string, fromId: string): Promise<void> {
  await sql`
    insert into flake_events (project_id, test_id, commit_key, kind, run_id, other_run_id, signature, at)
    select ${projectId}::uuid, ${id}::uuid, e.commit_key, e.kind, e.run_id, e.other_run_id, e.signature, e.at
    from flake_events e where e.project_id = ${projectId} and e.test_id = ${fromId}
    on conflict do nothing`.execute(tx)
  for (const table of ['flake_events', 'unstable_tests'] as const)
    await tx.deleteFrom(table).where('project_id', '=', projectId).where('test_id', '=', fromId).execute()
  await updateStability(tx, projectId, [id])
}

/** Moves the quarantine in effect; one that the test has itself stays, and that of the earlier one ends. */
async function moveQuarantine(
  tx: Database,
  projectId: string,
  id: string,
  fromId: string,
): Promise<{ id: string; name: string } | null> {
  const { rows } = await sql<{ id: string; ended_at: Date | null }>`
    update quarantines as q set
      test_id = case when own.is_quarantined then q.test_id else ${id}::uuid end,
      ended_at = case when own.is_quarantined then ${new Date()}::timestamptz else q.ended_at end,
      end_reason = case when own.is_quarantined then 'Another test continues it.' else q.end_reason end
    from (
      select exists (
        select from quarantines where project_id = ${projectId} and test_id = ${id} and ended_at is null
      ) as is_quarantined
    ) own
    where q.project_id = ${projectId} and q.test_id = ${fromId} and q.ended_at is null
    returning q.id, q.ended_at`.execute(tx)
  const [row] = rows
  if (row === undefined) return null
  const { rows: named } = await sql<{ name: string }>`
    select name from tests where project_id = ${projectId} and id = ${id}`.execute(tx)
  return { id: row.id, name: named[0]?.name ?? '' }
}
