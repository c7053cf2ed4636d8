import { randomUUID } from 'node:crypto'

import type { Database } from '@caseward/server/platform/database/connect'
import { sql } from 'kysely'

/** Inserts a signature of failures into a project, and returns it as the API has it. */
export async function insertSignature(db: Database, projectId: string): Promise<string> {
  const signature = randomUUID()
  await sql`
    insert into failure_signatures (
      project_id, signature, version, kind, message, frame, is_weak, title, first_run_id, first_seen_at
    ) values (
      ${projectId}, ${signature}, 1, 'Error', 'connect ECONNREFUSED <addr>', '', false,
      'Error: connect ECONNREFUSED 127.0.0.1:5432', ${randomUUID()}, now()
    )`.execute(db)
  return signature.replaceAll('-', '')
}
