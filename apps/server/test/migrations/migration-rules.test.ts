import { describe, expect, it } from 'vitest'

import { readMigrationFiles } from '@caseward/server/platform/database/migration-files'
import { version } from '@caseward/server/platform/version'
import { useTestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { findViolations, LAST_FREE_MIGRATION } from './migration-rules.ts'

const server = useTestServer()

describe('the files of migrations/', () => {
  it('let servers of the previous version work while and after they run (CONTRIBUTING.md, "Add a migration")', async () => {
    const files = (await readMigrationFiles()).filter(({ name }) => name > LAST_FREE_MIGRATION)
    expect(
      files.flatMap((file) => findViolations(file, version).map((violation) => `${file.name} ${violation}`)),
    ).toEqual([])
  })

  it('have a number of their own each', async () => {
    const numbers = (await readMigrationFiles()).map(({ name }) => name.slice(0, 4))
    expect(numbers).toEqual([...new Set(numbers)])
  })
})

describe('the schema of the job queue', () => {
  it('has no revision that ends the job workers of version 0.1.0', async () => {
    const { rows } = await sql`select max(id) as id from graphile_worker.migrations where breaking`.execute(server.db)
    // With a higher one, servers of earlier versions do not start again. Say so in the changelog before you raise it.
    expect(rows).toEqual([{ id: 19 }])
  })
})

describe('findViolations', () => {
  const find = (text: string, name = '0050_labels') => findViolations({ name, text }, '0.3.0')

  it.each([
    'alter table runs add column label text',
    `alter table runs add column label text not null default '', add column shape text default 'drop table'`,
    'alter table test_results add constraint label_length check (char_length(label) < 9) not valid',
    'create table labels (id uuid primary key, run_id uuid not null); create index labels_run on labels (run_id)',
    '-- no transaction\ncreate index concurrently if not exists tests_label on tests (label)',
    'create index users_label on users (label)',
    'alter table labels alter column name drop not null',
    'create function f() returns void language plpgsql as $$ begin drop table x; end $$',
  ])('accepts %s', (text) => {
    expect(find(text)).toEqual([])
  })

  it.each([
    ['drop table labels', 'drops what servers may use'],
    ['drop function notify_change', 'drops what servers may use'],
    ['alter table runs rename column label to title', 'renames what servers may use'],
    ['alter table runs rename to builds', 'renames what servers may use'],
    ['alter table runs drop label', 'drops a column'],
    ['alter table runs add column a text, drop column if exists label', 'drops a column'],
    ['alter table runs alter column label type integer using 1', 'changes the type of a column'],
    ['alter table runs alter label set data type integer', 'changes the type of a column'],
    ['alter table runs alter column label set not null', 'refuses rows without a value'],
    ['alter table runs add column label text not null', 'adds a column that servers do not fill'],
    ['alter table test_results add constraint c check (true)', 'checks all rows of test_results'],
    ['alter table test_cases add column label uuid references labels (id)', 'checks all rows of test_cases'],
    ['create unique index test_results_label on test_results (label)', 'blocks writes while it creates an index'],
  ])('refuses %s', (text, reason) => {
    expect(find(text)).toEqual([expect.stringContaining(reason)])
  })

  it('accepts the removal of what a released version no longer uses, if the name of the file says which', () => {
    expect(find('alter table runs drop column label', '0050_contract_0_2_0_label')).toEqual([])
    expect(find('alter table runs drop column label', '0050_contract_0_3_0_label')).toEqual([
      'declares 0.3.0, which is not released before 0.3.0',
    ])
  })
})
