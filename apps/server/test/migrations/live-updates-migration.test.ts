import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { migrateWithData } from './migrate-with-data.ts'

const toId = (n: number) => `00000000-0000-7000-8000-00000000000${n}`
const [PROJECT, OTHER_PROJECT] = [toId(1), toId(2)]
const PEOPLE = { member: toId(3), author: toId(4), tester: toId(5), removed: toId(6), stranger: toId(7) }

const SEED = `
  insert into users (id, email, name) values ${Object.entries(PEOPLE)
    .map(([name, id]) => `('${id}', '${name}@example.test', '${name}')`)
    .join(', ')};
  insert into projects (id, name, prefix) values ('${PROJECT}', 'Web shop', 'WEB'), ('${OTHER_PROJECT}', 'App', 'APP');
  insert into memberships (project_id, user_id, role) values
    ('${PROJECT}', '${PEOPLE.member}', 'admin'), ('${OTHER_PROJECT}', '${PEOPLE.stranger}', 'admin');
  insert into test_cases (project_id, number, title, created_by) values ('${PROJECT}', 1, 'Case', '${PEOPLE.author}');
  insert into runs (id, project_id, name, run_group) values ('${toId(8)}', '${PROJECT}', 'Run', 0);
  insert into test_results (project_id, run_id, run_group, id, case_number, title, status, tested_by, tested_at)
    values ('${PROJECT}', '${toId(8)}', 0, '${toId(9)}', 1, 'Case', 'passed', '${PEOPLE.tester}', now());
  insert into audit_log (id, at, action, actor_kind, actor_name, subject_kind, subject_id, subject_name, project_id)
    select gen_random_uuid(), now(), 'member.remove', 'system', 'System', 'user', person, 'Somebody', '${PROJECT}'
    from unnest(array['${PEOPLE.removed}', 'f0000000-0000-7000-8000-000000000000']) person;`

describe('migration 0025 on a database with data', () => {
  it('adds members, and those who did something in a project or were removed from it, to its people', async () => {
    const db = await migrateWithData('0025', SEED)
    const { rows } = await sql<{ name: string }>`
      select users.name from project_people join users on users.id = user_id
      where project_id = ${PROJECT} order by name`.execute(db)
    expect(rows.map(({ name }) => name)).toEqual(['author', 'member', 'removed', 'tester'])
  })
})
