import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { connect, type DatabaseConnection } from './connect.ts'
import { runTextQuery } from './text-rows.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let connection: DatabaseConnection
beforeAll(async () => {
  database = await cloneDatabase()
  // One connection, so that what a read leaves behind is there for the next.
  connection = connect(database.connection, {
    poolSize: 1,
    onError: (error) => {
      throw error
    },
  })
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})

const planMode = (plansAnew: boolean) =>
  runTextQuery(connection.db, sql`select current_setting('plan_cache_mode'), ${plansAnew}::boolean`, { plansAnew })

it('gives rows in the order of the columns, as PostgreSQL writes them', async () => {
  const query = sql`select n, null, n = ${2}::int, 'é "' from generate_series(1, 2) n`
  expect(await runTextQuery(connection.db, query)).toEqual([
    ['1', null, 'f', 'é "'],
    ['2', null, 't', 'é "'],
  ])
})

it('plans a read anew where that is asked for, and only that read', async () => {
  expect(await planMode(true)).toEqual([['force_custom_plan', 't']])
  expect(await planMode(false)).toEqual([['force_generic_plan', 'f']])
})

it('keeps plans again after a read that failed', async () => {
  const impossible = (zero: number) => runTextQuery(connection.db, sql`select 1 / ${zero}::int`, { plansAnew: true })
  await expect(impossible(0)).rejects.toThrow('division by zero')
  expect(await planMode(false)).toEqual([['force_generic_plan', 'f']])
  expect(await impossible(1)).toEqual([['1']])
})
