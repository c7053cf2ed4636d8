import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { ClaimedImport } from './imports.queries.ts'

/** Deletes the people that an import has created, and that nothing in the project names. */
export async function deleteUnnamedPeople(tx: Database, { projectId, id }: ClaimedImport): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from imported_people where project_id = ${projectId} and import_id = ${id}`.execute(tx)
  if (rows.length === 0) return
  const ids = rows.map((row) => row.id)
  const list = sql`${ids}::uuid[]`
  const { rows: named } = await sql<{ id: string }>`
    select tested_by as id from test_results where project_id = ${projectId} and tested_by = any(${list})
    union select tested_by from result_changes where project_id = ${projectId} and tested_by = any(${list})
    union select (k ->> 'tested_by')::uuid from result_changes c, json_array_elements(c.combinations) k
      where c.project_id = ${projectId} and k ->> 'tested_by' = any(${ids}::text[])
    union select tested_by from result_combinations where project_id = ${projectId} and tested_by = any(${list})`.execute(
    tx,
  )
  const { rows: others } = await sql<{ id: string }>`
    select unnest(array[created_by_person, completed_by_person]) as id from runs where project_id = ${projectId}
    union select unnest(array[created_by, updated_by]) from shared_steps where project_id = ${projectId}
    union select changed_by from shared_step_versions where project_id = ${projectId}
    union select changed_by from case_versions where project_id = ${projectId} and changed_by = any(${list})
    union select created_by from case_attachments where project_id = ${projectId} and created_by = any(${list})
    union select created_by from run_attachments where project_id = ${projectId} and created_by = any(${list})
    union select unnest(array[created_by, deleted_by]) from comments where project_id = ${projectId}`.execute(tx)
  const kept = new Set([...named, ...others].map((row) => row.id))
  const unnamed = ids.filter((person) => !kept.has(person))
  await sql`
    delete from imported_people where project_id = ${projectId} and id = any(${unnamed}::uuid[])`.execute(tx)
}
