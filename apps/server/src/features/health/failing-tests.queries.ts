import { type Health, MAX_FAILING_TESTS } from '@caseward/contract/health-schemas'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { selectGroupTests } from '../failures/failure-groups.queries.ts'

type FailingTests = Health['newly_failing']

interface FailingRow {
  test_id: string
  run_id: string
  is_new: boolean
  runs: number
  since: Date
  signature: string | null
  title: string | null
  owner_name: string | null
  total: number
}

/**
 * Reads the tests that failed in the newest base runs: those that did not fail in the run before, and the others, those that
 * failed for longest first. A test of several suites stands once, where it has failed for longest.
 * @param runIds the newest base run of each suite
 */
export async function readFailingTests(
  db: Database,
  projectId: string,
  runIds: readonly string[],
): Promise<{ newly_failing: FailingTests; failing_longest: FailingTests }> {
  const { rows } =
    runIds.length === 0
      ? { rows: [] }
      : await sql<FailingRow>`${plannedAnew}
    with failing as (
      select distinct on (v.test_id) v.test_id, v.run_id, v.since_runs <= 1 as is_new, v.since_runs as runs,
        coalesce(since.created_at, r.created_at) as since, v.signature, v.quarantine_id
      from test_verdicts v
      join runs r on r.project_id = ${projectId} and r.id = v.run_id
      left join runs since on since.project_id = ${projectId} and since.id = v.since_run_id
      where v.project_id = ${projectId} and v.run_id = any(${[...runIds]}::uuid[]) and v.since_runs is not null
      order by v.test_id, v.since_runs desc, v.run_id
    ), placed as (
      select *, count(*) over (partition by is_new)::int as total,
        row_number() over (partition by is_new order by runs desc, since, test_id) as place
      from failing
    )
    select p.test_id, p.run_id, p.is_new, p.runs, p.since, p.total, replace(p.signature::text, '-', '') as signature,
      s.title, u.name as owner_name
    from placed p
    left join failure_signatures s on s.project_id = ${projectId} and s.signature = p.signature
    left join quarantines q on q.project_id = ${projectId} and q.id = p.quarantine_id
    left join users u on u.id = q.owner_id
    where p.place <= ${sql.lit(MAX_FAILING_TESTS)} order by p.place`.execute(db)
  const tests = await selectGroupTests(
    db,
    projectId,
    rows.map(({ test_id: id }) => id),
  )
  const present = (isNew: boolean): FailingTests => {
    const chosen = rows.filter(({ is_new: isNewRow }) => isNewRow === isNew)
    return {
      total: chosen[0]?.total ?? 0,
      items: chosen.flatMap((row) => {
        const test = tests.get(row.test_id)
        if (test === undefined) return []
        const cause = row.signature === null ? null : { signature: row.signature, title: row.title ?? '' }
        return [
          {
            test,
            run_id: row.run_id,
            runs: row.runs,
            since: presentTime(row.since),
            cause,
            owner_name: row.owner_name,
          },
        ]
      }),
    }
  }
  return { newly_failing: present(true), failing_longest: present(false) }
}
