import { sql } from 'kysely'
import { expect } from 'vitest'

import { DEMO_NAME } from '../../src/features/demo/create-demo.ts'
import type { Database } from '../../src/platform/database/connect.ts'

const DEMO_FILES = 4

/** A demo is there before its files: what follows would find changes of tables that it did not make. */
export async function waitForDemoFiles(db: Database): Promise<void> {
  const { rows: projects } = await sql<{ id: string }>`
    select id from projects where name = ${DEMO_NAME} and test_case_count > 0`.execute(db)
  const ids = projects.map(({ id }) => id)
  const listComplete = async () => {
    // Not with the projects in one statement, so that it can be run on a distributed database.
    const { rows } = await sql<{ id: string }>`
      select project_id as id from run_attachments where project_id = any(${ids}::uuid[])
      group by project_id having count(*) >= ${DEMO_FILES}`.execute(db)
    return rows.map(({ id }) => id).toSorted()
  }
  await expect.poll(listComplete).toEqual(ids.toSorted())
}
