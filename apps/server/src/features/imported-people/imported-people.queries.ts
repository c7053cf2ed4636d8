import { type ImportedPerson, MAX_IMPORTED_PEOPLE } from '@caseward/contract/imported-people'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

export const FORGOTTEN_NAME = 'Former person'

/** The name of an imported person `i` as lists show it: `Ada Lovelace (TestRail)`. */
export const SHOWN_NAME = `case when i.forgotten_at is null then i.name || ' (' || i.label || ')' else i.name end`

/** A person that an import creates. */
export interface NewImportedPerson {
  id: string
  key_digest: string
  name: string
  label: string
  email: string | null
}

/** Creates people; those that are there stay as they are, also if they were forgotten. */
export async function insertImportedPeople(
  tx: Database,
  projectId: string,
  { system, source, importId }: { system: string; source: string; importId: string },
  people: string,
): Promise<void> {
  await sql`
    insert into imported_people (project_id, id, system, source, key_digest, name, label, email, import_id)
    select ${projectId}::uuid, id, ${system}, ${source}, key_digest, name, label, email, ${importId}::uuid
    from json_to_recordset(${people}) as item (id uuid, key_digest text, name text, label text, email text)
    on conflict do nothing`.execute(tx)
}

/** Selects people of a source by the digests of their keys, and any of the project by their ids. */
export async function selectPeopleOfSource(
  db: Database,
  projectId: string,
  { system, source }: { system: string; source: string },
  words: readonly string[],
): Promise<Map<string, { id: string; user_id: string | null }>> {
  const { rows } = await sql<{ id: string; user_id: string | null; key_digest: string }>`
    select id, user_id, key_digest from imported_people
    where project_id = ${projectId} and (
      (system = ${system} and source = ${source}) or id::text = any(${[...words]}::text[])
    )`.execute(db)
  return new Map(rows.flatMap(({ key_digest: digest, ...row }) => [[digest, row] as const, [row.id, row] as const]))
}

/** Lists those who were not joined to a user, by name. */
export async function selectImportedPeople(
  db: Database,
  projectId: string,
  { hasEmails, id = null }: { hasEmails: boolean; id?: string | null },
): Promise<ImportedPerson[]> {
  const { rows } = await sql<ImportedPerson>`
    select id, name, label as source, case when ${hasEmails} then email end as email, user_id,
      forgotten_at is not null as is_forgotten
    from imported_people where project_id = ${projectId} and ${id === null ? sql`joined_at is null` : sql`id::text = ${id}`}
    order by name, id limit ${MAX_IMPORTED_PEOPLE}`.execute(db)
  return rows
}

/** Selects the shown names of imported people by their ids. */
export async function selectImportedNames(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    select i.id, coalesce(u.name, ${sql.raw(SHOWN_NAME)}) as name
    from imported_people i left join users u on u.id = i.user_id where i.id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
