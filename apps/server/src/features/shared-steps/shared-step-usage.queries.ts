import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

export interface FolderUse {
  folder_id: string | null
  test_case_count: number
  /** Of all folders, with those that are not listed. */
  folder_count: number
  case_count: number
}

/** Counts the test cases that use a shared step by folder, the folders with the most first. */
export async function selectFolderUses(
  db: Database,
  projectId: string,
  id: string,
  limit: number,
): Promise<FolderUse[]> {
  const { rows } = await sql<FolderUse>`
    select c.folder_id, count(*)::int as test_case_count, (count(*) over ())::int as folder_count,
      (sum(count(*)) over ())::int as case_count
    from shared_step_uses u join test_cases c on c.project_id = u.project_id and c.number = u.case_number
    where u.project_id = ${projectId} and c.project_id = ${projectId} and u.shared_step_id = ${id}
    group by c.folder_id order by count(*) desc, c.folder_id limit ${limit}`.execute(db)
  return rows
}

export interface OpenRun {
  id: string
  name: string
  run_group: number
  /** Of all runs in progress. */
  open_count: number
}

/** Selects the newest runs in progress. */
export async function selectOpenRuns(db: Database, projectId: string, limit: number): Promise<OpenRun[]> {
  const { rows } = await sql<OpenRun>`
    select id, name, run_group, (count(*) over ())::int as open_count from runs
    where project_id = ${projectId} and status = 'in_progress' order by id desc limit ${limit}`.execute(db)
  return rows
}

export interface RunUse {
  run_id: string
  test_case_count: number
  not_tested_count: number
}

/** Counts the test cases that use a shared step in runs. Those in which none does are missing. */
export async function countUsesInRuns(
  db: Database,
  projectId: string,
  id: string,
  runs: readonly Pick<OpenRun, 'id' | 'run_group'>[],
): Promise<Map<string, RunUse>> {
  if (runs.length === 0) return new Map()
  const groups = [...new Set(runs.map(({ run_group: group }) => group))]
  const { rows } = await sql<RunUse>`
    select r.run_id, count(*)::int as test_case_count,
      (count(*) filter (where r.status = 'not_tested'))::int as not_tested_count
    from test_results r
    where r.project_id = ${projectId} and r.run_group = any(${groups}::int[])
      and r.run_id = any(${runs.map((run) => run.id)}::uuid[])
      and r.case_number in (
        select u.case_number from shared_step_uses u where u.project_id = ${projectId} and u.shared_step_id = ${id}
      )
    group by r.run_id`.execute(db)
  return new Map(rows.map((row) => [row.run_id, row]))
}
