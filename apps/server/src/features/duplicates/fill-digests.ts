import type { TestCase } from '@caseward/contract/test-case-schemas'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { buildContentDigest } from '../test-cases/content-digest.ts'

const BATCH_SIZE = 500

/**
 * The job that gives digests to test cases of earlier versions. The index of those without one leads to them, and is empty
 * afterwards, so that the job costs nothing then.
 */
export const fillDigestsJob: ScheduledJob = {
  name: 'fill_content_digests',
  schedule: '*/5 * * * *',
  async run(db, signal) {
    for (const projectId of await selectProjects(db)) {
      let count: number
      do {
        signal.throwIfAborted()
        count = await fillBatch(db, projectId)
      } while (count > 0)
    }
  },
}

async function selectProjects(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct project_id as id from (
      select project_id from test_cases where content_digest is null limit 100000
    ) without`.execute(db)
  return rows.map(({ id }) => id)
}

/** Gives digests to some test cases of a project, and returns how many. Clients are not concerned: nothing that they see changes. */
async function fillBatch(db: Database, projectId: string): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ number: number; title: string; steps: TestCase['steps'] }>`
      select number, title, steps from test_cases where project_id = ${projectId} and content_digest is null
      order by number limit ${BATCH_SIZE} for no key update skip locked`.execute(tx)
    if (rows.length === 0) return 0
    await sql`
      update test_cases c set content_digest = item.digest
      from unnest(
        ${rows.map(({ number }) => number)}::int[],
        ${rows.map(({ title, steps }) => buildContentDigest(title, steps))}::uuid[]
      ) as item (number, digest)
      where c.project_id = ${projectId} and c.number = item.number`.execute(tx)
    return rows.length
  })
}
