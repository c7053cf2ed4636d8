import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { migrateWithData } from './migrate-with-data.ts'

const USER = '00000000-0000-7000-8000-000000000001'
const PROJECT = '00000000-0000-7000-8000-000000000002'
const EMPTY_PROJECT = '00000000-0000-7000-8000-000000000003'

const SEED = `
  insert into users (id, email, name) values ('${USER}', 'someone@example.test', 'Someone');
  insert into projects (id, name, prefix, member_count, run_count, test_case_count, last_test_case_number, updated_at) values
    ('${PROJECT}', 'Web shop', 'WEB', 1, 2, 3, 3, '2026-11-21'), ('${EMPTY_PROJECT}', 'App', 'APP', 1, 0, 0, 0, '2026-11-22');
  insert into memberships (project_id, user_id, role) select id, '${USER}', 'admin' from projects;
  insert into test_cases (project_id, number, title, tags) select '${PROJECT}', n, 'Case ' || n, '{web}' from generate_series(1, 3) n;
  insert into runs (id, project_id, name, not_tested_count) select gen_random_uuid(), '${PROJECT}', 'Run', 3 from generate_series(1, 2);
  insert into test_results (project_id, run_id, id, case_number, title)
    select '${PROJECT}', runs.id, gen_random_uuid(), number, title from runs, test_cases;`

describe('migrations 0020 to 0022 on a database with data', () => {
  it('keep each test case once in a run, in the group of earlier runs', async () => {
    const db = await migrateWithData('0020', SEED)
    const { rows } = await sql`select run_group, count(*)::int from test_results group by run_group`.execute(db)
    expect(rows).toEqual([{ run_group: 0, count: 6 }])
    const again = sql`
      insert into test_results (project_id, run_group, run_id, id, case_number, title)
      select project_id, run_group, run_id, gen_random_uuid(), case_number, title from test_results`.execute(db)
    await expect(again).rejects.toMatchObject({ code: '23505' })
  })

  it('start a new group with the next run, unless the project has no runs', async () => {
    const db = await migrateWithData('0020', SEED)
    const { rows } = await sql`select prefix, last_run_number from projects order by prefix desc`.execute(db)
    expect(rows).toEqual([
      { prefix: 'WEB', last_run_number: 15 },
      { prefix: 'APP', last_run_number: 0 },
    ])
  })

  it('count the projects of each user and copy when they were updated', async () => {
    const db = await migrateWithData('0020', SEED)
    const { rows } = await sql`
      select project_count, project_updated_at = p.updated_at as "isCopied"
      from users join memberships m on m.user_id = users.id join projects p on p.id = m.project_id`.execute(db)
    expect(rows).toEqual([
      { project_count: 2, isCopied: true },
      { project_count: 2, isCopied: true },
    ])
  })
})
