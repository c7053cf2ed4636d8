import type { ResultStatus } from '@caseward/contract/results'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { addCounts, type CountChanges, joinCase } from './apply-results.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { Source } from './source-links.queries.ts'
import { withWholeJoins } from './whole-joins.ts'

const BATCH = 2000

/** What became of a batch of plain results. */
export interface WrittenResults {
  written: number
  /** The last place that was looked at; null at the end. */
  last: number | null
}

/**
 * Writes plain results of a plan: the only ones of their test case in a run, without links, steps, combinations and custom fields. They are
 * most of a history, and take one statement for each batch, which does what {@link applyResults} would do with them. What is not
 * plain waits for it: also results of test cases and runs that are not here, and of test cases that have a result in the run already. The
 * caller holds the lock on the project.
 */
export async function applyPlainResults(
  tx: Database,
  claim: ClaimedImport,
  options: { source: Source; plannedAt: Date; after: number },
): Promise<WrittenResults> {
  const { last, counts: writtenCounts } = await withWholeJoins(tx, (joined) => writeBatch(joined, claim, options))
  const counts: CountChanges = new Map()
  let written = 0
  for (const { run_id: runId, status, count } of writtenCounts) {
    const run = counts.get(runId) ?? { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
    run[status] += count
    counts.set(runId, run)
    written += count
  }
  await addCounts(tx, claim.projectId, counts)
  return { written, last }
}

interface WrittenBatch {
  /** The place of the last record; null without any. */
  last: number | null
  counts: { run_id: string; status: ResultStatus; count: number }[]
}

async function writeBatch(
  tx: Database,
  { projectId, id: importId }: ClaimedImport,
  { source, plannedAt, after }: Parameters<typeof applyPlainResults>[2],
): Promise<WrittenBatch> {
  const { rows } = await sql<WrittenBatch>`${plannedAnew}
    with batch as materialized (
      select r.seq, r.place, r.losses, p.* from (
        select seq, place, losses, planned from import_records
        where project_id = ${projectId} and import_id = ${importId} and kind = 'result' and not is_done and place > ${after}
        order by place, seq limit ${BATCH}
      ) r
      cross join lateral json_to_record(r.planned) as p (
        run_id uuid, case_digest text, status result_status, note text, elapsed int, tested_by uuid, at timestamptz,
        is_tested boolean, links json, combinations text, steps text, fields text, assigned_to uuid, case_version numeric,
        "order" int
      )
    ),
    -- As whoever writes results does, in the order of their ids.
    run as materialized (
      select id, run_group from runs
      where project_id = ${projectId} and id = any(array(select distinct run_id from batch))
      order by id for no key update
    ),
    made as materialized (
      select b.*, run.run_group, c.number, c.title, c.version,
        uuid_v7_in_batch(${plannedAt}::timestamptz, coalesce(b."order", c.number)) as id
      from batch b
      join run on run.id = b.run_id
      ${joinCase(projectId, source, sql`b.case_digest`)}
      -- Plans of earlier versions have other places.
      where b.place = b.seq and json_array_length(b.links) = 0 and b.combinations is null and b.steps is null and b.fields is null
    ),
    written as (
      insert into test_results (project_id, run_id, run_group, id, case_number, title, status, note, elapsed, tested_by,
        tested_at, change_count, assigned_to, case_version)
      select ${projectId}::uuid, run_id, run_group, id, number, title, status, note, elapsed, tested_by,
        case when is_tested then at end, 0, assigned_to,
        case when case_version = trunc(case_version) and case_version between 1 and version then case_version::int end
      from made
      on conflict (project_id, run_group, case_number, run_id) do nothing
      returning run_id, id, status
    ),
    done as (
      update import_records r set is_done = true, target = made.id::text,
        losses = case when made.case_version = trunc(made.case_version) and made.case_version between 1 and made.version
          or made.case_version is null then r.losses else array_append(r.losses, 'tested_version_missing') end
      from made
      where r.project_id = ${projectId} and r.import_id = ${importId} and r.seq = any(array(select seq from made))
        and r.seq = made.seq and made.id in (select id from written)
    )
    select (select max(place) from batch) as last, coalesce((
      select json_agg(json_build_object('run_id', run_id, 'status', status, 'count', count))
      from (select run_id, status, count(*)::int as count from written group by run_id, status) each
    ), '[]') as counts`.execute(tx)
  return rows[0] ?? { last: null, counts: [] }
}
