import type pg from 'pg'

import type { AcknowledgedWrites } from './soak-load.ts'

/** Returns the acknowledged writes that the database does not have. */
export async function findMissingWrites(
  client: pg.ClientBase,
  projectId: string,
  { titles, statuses }: AcknowledgedWrites,
): Promise<string[]> {
  const cases = await client.query<{ number: number; title: string }>(
    'select number, title from test_cases where project_id = $1',
    [projectId],
  )
  const storedTitles = new Map(cases.rows.map(({ number, title }) => [number, title]))
  const results = await client.query<{ key: string; status: string }>(
    `select run_id || '/' || case_number as key, status from test_results where project_id = $1`,
    [projectId],
  )
  const storedStatuses = new Map(results.rows.map(({ key, status }) => [key, status]))
  return [
    ...[...titles]
      .filter(([number, title]) => storedTitles.get(number) !== title)
      .map(([number, title]) => `WEB-${number}: ${title}`),
    ...[...statuses]
      .filter(([key, status]) => storedStatuses.get(key) !== status)
      .map(([key, status]) => `${key}: ${status}`),
  ]
}

/** Returns how many runs have counters that differ from a recount of their results. */
export async function countWrongCounters(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from (
       select r.id from runs r left join test_results t on t.project_id = r.project_id and t.run_id = r.id
       group by r.id having r.passed_count <> count(*) filter (where t.status = 'passed')
         or r.failed_count <> count(*) filter (where t.status = 'failed')
         or r.blocked_count <> count(*) filter (where t.status = 'blocked')
         or r.retest_count <> count(*) filter (where t.status = 'retest')
         or r.not_tested_count <> count(*) filter (where t.status = 'not_tested')
     ) wrong`,
  )
  return rows[0]?.count ?? 0
}
