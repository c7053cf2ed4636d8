import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { buildTreeOrder, POSITION } from '../../src/features/test-cases/positions.ts'
import { migrateWithData } from './migrate-with-data.ts'

const PROJECT = '00000000-0000-7000-8000-000000000001'
const [FIRST, CHILD, SECOND] = [2, 3, 4].map((digit) => `00000000-0000-7000-8000-00000000000${digit}`)

const SEED = `
  insert into projects (id, name, prefix, test_case_count, last_test_case_number)
    values ('${PROJECT}', 'Web shop', 'WEB', 1200, 1200);
  insert into folders (project_id, id, parent_id, name, position) values
    ('${PROJECT}', '${SECOND}', null, 'Second', 1), ('${PROJECT}', '${FIRST}', null, 'First', 0),
    ('${PROJECT}', '${CHILD}', '${FIRST}', 'Child', 0);
  insert into test_cases (project_id, number, title, folder_id)
    select '${PROJECT}', n, 'Case ' || n, (array['${SECOND}', null, '${FIRST}', '${CHILD}']::uuid[])[1 + n % 4]
    from generate_series(1, 1200) n;`

describe('migration 0024 on a database with test cases', () => {
  it('orders the test cases of each folder by number, and gives them the version 1', async () => {
    const db = await migrateWithData('0024', SEED)
    const { rows } = await sql<{ number: number; version: number }>`
      select c.number, c.version from test_cases c
      where c.project_id = ${PROJECT} order by ${sql.raw(buildTreeOrder(`'${PROJECT}'`))}`.execute(db)
    const all = Array.from({ length: 1200 }, (_, index) => index + 1)
    const inFolders = [2, 3, 0, 1].map((remainder) => all.filter((number) => number % 4 === remainder))
    expect(rows.map(({ number }) => number)).toEqual(inFolders.flat())
    expect(new Set(rows.map(({ version }) => version))).toEqual(new Set([1]))
  })

  it('rewrites no row', async () => {
    const remember = `
      create table earlier as
        select number, ctid as location, pg_relation_filenode('test_cases') as file from test_cases;`
    const db = await migrateWithData('0024', SEED + remember)
    const { rows } = await sql`
      select c.number from test_cases c join earlier using (number)
      where c.ctid <> earlier.location or pg_relation_filenode('test_cases') <> earlier.file`.execute(db)
    expect(rows).toEqual([])
  })

  it('creates the index that finds a place in a folder', async () => {
    const db = await migrateWithData('0024', SEED)
    await sql`set enable_seqscan = off`.execute(db)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (costs off) select c.number from test_cases c
      where c.project_id = ${sql.lit(PROJECT)} and c.folder_id = ${sql.lit(FIRST)}
        and (${sql.raw(POSITION)}, c.number) > ('b12' collate "C", 12)
      order by ${sql.raw(POSITION)}, c.number limit 1`.execute(db)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/Index.* Scan using test_cases_tree/)
    expect(plan).not.toMatch(/Sort/)
  })
})
