import { randomUUID } from 'node:crypto'

import type pg from 'pg'

/** The group of the last run of a row of `projects`; see `features/runs/run-groups.ts` of the server. */
export const RUN_GROUP = 'last_run_number / 16'

/** A project with test cases and one run of all of them. */
export interface SeededProject {
  projectId: string
  runId: string
  cases: number
}

/** Creates a project, its test cases and one run with plain SQL, so that a million rows take minutes and not hours. */
export async function seedProject(client: pg.Client, cases: number): Promise<SeededProject> {
  const projectId = randomUUID()
  await client.query(`insert into projects (id, name, prefix, member_count) values ($1, 'Bench', 'WEB', 1)`, [
    projectId,
  ])
  await client.query(`insert into memberships (project_id, user_id, role) select $1, id, 'admin' from users`, [
    projectId,
  ])
  await addCases(client, projectId, cases)
  return { projectId, runId: await seedRun(client, projectId), cases }
}

/**
 * Adds test cases to a project until it has `cases`. Their titles all differ. They have digests of their contents: a job that fills
 * them in would take a processor from what is measured.
 */
export async function addCases(client: pg.Client, projectId: string, cases: number): Promise<void> {
  await client.query(
    `insert into test_cases (project_id, number, title, steps, tags, content_digest)
     select $1, n, 'Case ' || n || ': ' || md5(n::text), '[{"position":1,"action":"Open the page","expected":"It is there"}]', '{web}',
       md5(n::text)::uuid
     from projects, generate_series(last_test_case_number + 1, $2::int) n where id = $1`,
    [projectId, cases],
  )
  await client.query('update projects set test_case_count = $2, last_test_case_number = $2 where id = $1', [
    projectId,
    cases,
  ])
}

/** Creates a run of all test cases of a project, as the service does. */
export async function seedRun(client: pg.Client, projectId: string): Promise<string> {
  const { rows } = await client.query<{ id: string; run_group: number }>(
    `with project as (
       update projects set run_count = run_count + 1, last_run_number = last_run_number + 1 where id = $1
       returning id, test_case_count, last_run_number
     )
     insert into runs (id, project_id, name, not_tested_count, run_group)
     select uuid_v7_in_batch(now(), 1), id, 'Nightly', test_case_count, ${RUN_GROUP} from project
     returning id, run_group`,
    [projectId],
  )
  const [run] = rows
  if (run === undefined) throw new Error(`There is no project ${projectId}`)
  await client.query(
    `insert into test_results (project_id, run_id, run_group, id, case_number, title)
     select project_id, $2, $3, uuid_v7_in_batch(now(), number), number, title from test_cases where project_id = $1
     order by number`,
    [projectId, run.id, run.run_group],
  )
  return run.id
}

/** Updates statistics and removes dead rows, as autovacuum does over time. */
export async function vacuumAnalyze(client: pg.Client): Promise<void> {
  await client.query('vacuum (analyze)')
  await client.query('checkpoint').catch(() => {})
}
