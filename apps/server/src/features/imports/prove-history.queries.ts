import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { withWholeJoins } from './whole-joins.ts'

const STORED = sql`('create', 'update', 'unchanged')`
const CREATED = sql`('create')`

/**
 * The records `r` of a kind, as a query of its own, which Citus requires where they are joined with tables that are not distributed.
 */
const withRecords = ({ projectId, id }: ClaimedImport, kind: string, actions = STORED) => sql`with r as materialized (
    select target, planned, action from import_records
    where project_id = ${projectId} and import_id = ${id} and kind = ${sql.lit(kind)} and action in ${actions}
  )`

/** Counts the configurations of an import in the tables of the project. */
export async function countStoredConfigurations(db: Database, claim: ClaimedImport): Promise<number> {
  const { rows } = await sql<{ count: number }>`${plannedAnew} ${withRecords(claim, 'configuration')}
    select count(*)::int as count from r
    join configurations k on k.project_id = ${claim.projectId} and k.id = r.target::uuid`.execute(db)
  return rows[0]?.count ?? 0
}

/** Counts the shared steps of an import in the tables of the project, and versions of those that it created. */
export async function countStoredSharedSteps(
  db: Database,
  claim: ClaimedImport,
): Promise<{ steps: number; versions: number }> {
  const { projectId } = claim
  const { rows } = await sql<{ count: number }>`${plannedAnew} ${withRecords(claim, 'shared_steps')}
    select count(*)::int as count from r
    join shared_steps s on s.project_id = ${projectId} and s.id = r.target::uuid`.execute(db)
  const { rows: versions } = await sql<{
    count: number
  }>`${plannedAnew} ${withRecords(claim, 'shared_step_version', CREATED)}
    select count(*)::int as count from r
    join shared_step_versions v on v.project_id = ${projectId} and v.shared_step_id = r.target::uuid
      and v.version = (r.planned ->> 'version')::int`.execute(db)
  return { steps: rows[0]?.count ?? 0, versions: versions[0]?.count ?? 0 }
}

/**
 * Counts the milestones, runs and results of an import in the tables of the project. Of a run that is unchanged, results are not read
 * again: they count with it.
 */
export async function countStoredHistory(
  db: Database,
  claim: ClaimedImport,
): Promise<{ milestones: number; runs: number; results: number }> {
  const { projectId } = claim
  const { rows: milestones } = await sql<{ count: number }>`${plannedAnew} ${withRecords(claim, 'milestone')}
    select count(*)::int as count from r
    join milestones m on m.project_id = ${projectId} and m.id = r.target::uuid`.execute(db)
  const { rows: runs } = await sql<{ count: number }>`${plannedAnew} ${withRecords(claim, 'run')}
    select count(*)::int as count from r
    join runs m on m.project_id = ${projectId} and m.id = r.target::uuid`.execute(db)
  const results = await countStoredResults(db, claim)
  return { milestones: milestones[0]?.count ?? 0, runs: runs[0]?.count ?? 0, results }
}

/** Results of these runs only: those of the whole project can be many times as many. */
async function countStoredResults(db: Database, { projectId, id }: ClaimedImport): Promise<number> {
  const { rows: runs } = await sql<{ target: string }>`${plannedAnew}
    select distinct target from import_records
    where project_id = ${projectId} and import_id = ${id} and kind = 'run' and target is not null`.execute(db)
  const ids = runs.map(({ target }) => target)
  const { rows } = await withWholeJoins(db, (tx) =>
    sql<{ count: number }>`${plannedAnew}
    with run as materialized (
      select id from runs where project_id = ${projectId} and id = any(${ids}::uuid[])
    ), planned as (
      select r.action, case when r.kind = 'result' then r.target::uuid end as target, p.* from import_records r
      -- Each plan is read once: that takes longer than all the rest.
      cross join lateral json_to_record(r.planned) as p (run_id uuid, status text, at timestamptz)
      where r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'result' and r.action in ${STORED}
    )
    select count(*)::int as count from planned r
    join run on run.id = r.run_id
    left join test_results t on t.project_id = ${projectId} and t.run_id = any(${ids}::uuid[]) and t.run_id = run.id
      and t.id = r.target
    where (r.action = 'unchanged' and (t.id is not null or r.target is null))
      or (r.action = 'create' and (
        (t.status::text = r.status and (t.tested_at = r.at or t.tested_at is null))
        or exists (
          select from result_changes c where c.project_id = ${projectId} and c.run_id = any(${ids}::uuid[])
            and c.run_id = run.id and c.result_id = t.id and c.status::text = r.status and c.tested_at = r.at
        )
      ))`.execute(tx),
  )
  return rows[0]?.count ?? 0
}

/** Counts the comments of an import in the tables of the project. */
export async function countStoredComments(db: Database, { projectId, id }: ClaimedImport): Promise<number> {
  const { rows } = await sql<{ count: number }>`${plannedAnew}
    select count(*)::int as count from import_records r
    join comments k on k.project_id = ${projectId} and k.id = case when r.kind = 'comment' then r.target::uuid end
    where r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'comment' and r.action in ${STORED}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Counts the earlier versions of test cases that an import has created, in the tables of the project. */
export async function countStoredVersions(db: Database, { projectId, id }: ClaimedImport): Promise<number> {
  const { rows } = await sql<{ count: number }>`${plannedAnew}
    select count(*)::int as count from import_records r
    join case_versions v on v.project_id = ${projectId}
      and v.case_number = case when r.kind = 'case_version' then r.target::int end
      and v.version = (r.planned ->> 'version')::int
    where r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'case_version' and r.action = 'create'`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Counts the attachments of an import in the tables of the project. */
export async function countStoredAttachments(db: Database, { projectId, id }: ClaimedImport): Promise<number> {
  const { rows } = await sql<{ count: number }>`${plannedAnew}
    select count(*)::int as count from import_records r
    join (
      select id from case_attachments where project_id = ${projectId}
      union all select id from run_attachments where project_id = ${projectId}
    ) a on a.id = case when r.kind = 'attachment' then r.target::uuid end
    where r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'attachment' and r.action in ${STORED}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Counts the automated tests of an import and their outcomes in the tables of the project. */
export async function countStoredTests(
  db: Database,
  { projectId, id }: ClaimedImport,
): Promise<{ tests: number; outcomes: number }> {
  const { rows: tests } = await sql<{ count: number }>`${plannedAnew}
    select count(*)::int as count from import_records r
    join tests t on t.project_id = ${projectId} and t.id = case when r.kind = 'test' then r.target::uuid end
    where r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'test' and r.action in ${STORED}`.execute(db)
  const { rows: outcomes } = await sql<{ count: number }>`${plannedAnew}
    select count(*)::int as count from import_records r
    join test_outcomes o on o.project_id = ${projectId}
      and o.test_id = case when r.kind = 'test_outcome' then r.target::uuid end
      and o.run_id = case when r.kind = 'test_outcome' then (r.planned ->> 'run_id')::uuid end
    where r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'test_outcome'
      and r.action in ${STORED}`.execute(db)
  return { tests: tests[0]?.count ?? 0, outcomes: outcomes[0]?.count ?? 0 }
}

/** Counts the errors outside of tests, what was left out of runs, and the quarantines of an import in the tables of the project. */
export async function countStoredDecisions(
  db: Database,
  { projectId, id }: ClaimedImport,
): Promise<{ errors: number; leftOut: number; quarantines: number }> {
  const { rows: errors } = await sql<{ count: number }>`${plannedAnew}
    select count(*)::int as count from import_records r
    join suite_errors e on e.project_id = ${projectId} and e.id = case when r.kind = 'suite_error' then r.target::uuid end
    where r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'suite_error' and r.action in ${STORED}`.execute(
    db,
  )
  const { rows: leftOut } = await sql<{ count: number }>`${plannedAnew}
    with made as materialized (
      select target, planned ->> 'run_id' as run_id from import_records
      where project_id = ${projectId} and import_id = ${id} and kind = 'left_out' and action in ${STORED}
    )
    select count(*)::int as count from made
    join left_out l on l.project_id = ${projectId} and l.id::text = made.target and l.run_id::text = made.run_id`.execute(
    db,
  )
  const { rows: quarantines } = await sql<{ count: number }>`${plannedAnew}
    with made as materialized (
      select target from import_records
      where project_id = ${projectId} and import_id = ${id} and kind = 'quarantine' and action in ${STORED}
    )
    select count(*)::int as count from quarantines q
    where q.project_id = ${projectId} and q.id::text in (select target from made)`.execute(db)
  return { errors: errors[0]?.count ?? 0, leftOut: leftOut[0]?.count ?? 0, quarantines: quarantines[0]?.count ?? 0 }
}
