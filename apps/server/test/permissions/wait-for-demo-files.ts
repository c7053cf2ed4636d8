import { sql } from 'kysely'
import { expect } from 'vitest'

import { DEMO_NAME } from '../../src/features/demo/create-demo.ts'
import type { Database } from '../../src/platform/database/connect.ts'

const DEMO_FILES = 4

/** A demo is there before its files: what follows would find changes of tables that it did not make. */
export async function waitForDemoFiles(db: Database): Promise<void> {
  const listIncomplete = async () => {
    const { rows: projects } = await sql<{ id: string }>`
      select id from projects
      where name = ${DEMO_NAME} and ${DEMO_FILES} > (select count(*) from run_attachments where project_id = projects.id)`.execute(
      db,
    )
    return projects
  }
  await expect.poll(listIncomplete).toEqual([])
}
