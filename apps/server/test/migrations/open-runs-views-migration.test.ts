import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { migrateWithData } from './migrate-with-data.ts'

const PROJECT = '00000000-0000-7000-8000-000000000001'
const queries = ['', 'q=night', 'status=all&q=night', 'status=all', 'status=completed&desc=1']

it('migration 0151 keeps what the views of runs show', async () => {
  const values = ['runs', 'tests'].flatMap((page) =>
    queries.map((query, index) => `('${PROJECT}', gen_random_uuid(), '${page}', '${index}', '${query}', '${PROJECT}')`),
  )
  const db = await migrateWithData(
    '0151',
    `insert into projects (id, name, prefix) values ('${PROJECT}', 'Web shop', 'WEB');
     insert into views (project_id, id, page, name, query, owner_id) values ${values.join(', ')};`,
  )
  const { rows } = await sql<{ page: string; query: string }>`
    select page, query from views order by page, name`.execute(db)
  const list = (page: string) => rows.filter((row) => row.page === page).map(({ query }) => query)
  expect(list('runs')).toEqual([
    'status=in_progress',
    'status=in_progress&q=night',
    'q=night',
    '',
    'status=completed&desc=1',
  ])
  expect(list('tests')).toEqual(queries)
})
