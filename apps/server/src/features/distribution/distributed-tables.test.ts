import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { detachTables } from './detach-tables.ts'
import { DISTRIBUTED_TABLES } from './distributed-tables.ts'

const server = useSharedServer()
const tables = [...DISTRIBUTED_TABLES]

describe('the tables that `admin distribute` distributes', () => {
  it('have project_id in every unique constraint, which Citus requires', async () => {
    const { rows } = await sql<{ index: string }>`
      select i.indexrelid::regclass::text as index from pg_index i
      where i.indisunique and i.indrelid = any(${tables}::text[]::regclass[]) and not exists (
        select from pg_attribute a
        where a.attrelid = i.indrelid and a.attnum = any(i.indkey::int2[]) and a.attname = 'project_id'
      )`.execute(server.db)
    expect(rows).toEqual([])
  })

  it('have no foreign key or trigger that would be lost', async () => {
    const isRolledBack = new Error('rolled back')
    const detach = server.db.transaction().execute(async (tx) => {
      const foreignKeys = await detachTables(tx, tables)
      expect(foreignKeys.map(({ name }) => name)).toContain('test_cases_project_id_folder_id_fkey')
      throw isRolledBack
    })
    await expect(detach).rejects.toBe(isRolledBack)
  })
})
