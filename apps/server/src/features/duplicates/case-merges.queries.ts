import { MERGE_HOURS } from '@caseward/contract/merges'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import type { MovedParts } from './merged-parts.queries.ts'

/* What merges have moved, on the coordinator. The caller holds the lock on the project. */

/** Keeps what a merge has moved, and forgets merges that can no longer be undone. Returns the id of the merge. */
export async function insertMerge(
  tx: Database,
  projectId: string,
  target: number,
  moved: readonly MovedParts[],
): Promise<string> {
  const id = uuidv7()
  await sql`
    delete from case_merges
    where project_id = ${projectId} and merged_at <= now() - make_interval(hours => ${MERGE_HOURS})`.execute(tx)
  await sql`
    insert into case_merges (project_id, id, target_number, moved)
    values (${projectId}, ${id}, ${target}, ${JSON.stringify(moved)})`.execute(tx)
  return id
}

/** Takes out what a merge into a test case has moved; null when there is no such merge, or it is too long ago. */
export async function takeMerge(
  tx: Database,
  projectId: string,
  target: number,
  id: string,
): Promise<MovedParts[] | null> {
  const { rows } = await sql<{ moved: MovedParts[] }>`
    delete from case_merges
    where project_id = ${projectId} and id = ${id} and target_number = ${target}
      and merged_at > now() - make_interval(hours => ${MERGE_HOURS})
    returning moved`.execute(tx)
  return rows[0]?.moved ?? null
}
