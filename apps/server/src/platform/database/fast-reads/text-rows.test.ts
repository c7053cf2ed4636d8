import { afterAll, beforeAll, expect, it } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { connect, type DatabaseConnection, hasCitus } from '../connect.ts'
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

const readPlanMode = (useCustomPlan: boolean) =>
  runTextQuery(connection.db, {
    text: `select current_setting('plan_cache_mode'), $1::boolean`,
    values: [String(useCustomPlan)],
    useCustomPlan,
  })

/** On Citus, PostgreSQL itself decides. */
const getPlanModes = () =>
  hasCitus(connection.db)
    ? { custom: 'auto', generic: 'auto' }
    : { custom: 'force_custom_plan', generic: 'force_generic_plan' }

it('runTextQuery returns rows in the order of the columns, as PostgreSQL writes them', async () => {
  const query = { text: `select n, null, n = $1::int, 'é "' from generate_series(1, 2) n`, values: [2] }
  expect(await runTextQuery(connection.db, query)).toEqual([
    ['1', null, 'f', 'é "'],
    ['2', null, 't', 'é "'],
  ])
})

it('runTextQuery with useCustomPlan plans for the values of that query alone', async () => {
  expect(await readPlanMode(true)).toEqual([[getPlanModes().custom, 't']])
  expect(await readPlanMode(false)).toEqual([[getPlanModes().generic, 'f']])
})

it('runTextQuery uses generic plans again after a query with useCustomPlan failed', async () => {
  const divideBy = (divisor: number) =>
    runTextQuery(connection.db, { text: 'select 1 / $1::int', values: [divisor], useCustomPlan: true })
  await expect(divideBy(0)).rejects.toThrow('division by zero')
  expect(await readPlanMode(false)).toEqual([[getPlanModes().generic, 'f']])
  expect(await divideBy(1)).toEqual([['1']])
})
