import type { FieldError } from '@caseward/contract/problem'
import type { ImportRow } from '@caseward/contract/test-case-imports'
import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { getRowPath } from './import-paths.ts'

/** The owners that rows of an import set. */
export interface ImportOwners {
  /** User ids by the index of the row; null for nobody. Only of rows that set an owner. */
  byRow: Map<number, string | null>
  errors: FieldError[]
}

/**
 * Finds the owners that rows name by email address or name, in any case.
 * @param rows null for rows that are left out
 */
export async function readImportOwners(
  db: Database,
  project: ProjectRef,
  rows: readonly (ImportRow | null)[],
): Promise<ImportOwners> {
  const sent = rows.flatMap((row, index) => (row?.owner === undefined ? [] : [{ index, owner: row.owner }]))
  const people = await selectOwners(db, project.id, [
    ...new Set(sent.flatMap(({ owner }) => owner?.toLowerCase() ?? [])),
  ])
  const owners: ImportOwners = { byRow: new Map(), errors: [] }
  for (const { index, owner } of sent) {
    const found = owner === null ? [null] : findOwners(people, owner)
    const [id] = found
    if (id !== undefined && found.length === 1) owners.byRow.set(index, id)
    else owners.errors.push({ path: `${getRowPath(index)}/owner`, message: describeMisfit(found.length) })
  }
  return owners
}

interface Owner {
  id: string
  email: string
  name: string
}

/** An address is one person's; names can be the same. */
function findOwners(people: readonly Owner[], owner: string): string[] {
  const text = owner.toLowerCase()
  const byEmail = people.filter(({ email }) => email === text)
  return (byEmail.length > 0 ? byEmail : people.filter(({ name }) => name === text)).map(({ id }) => id)
}

const describeMisfit = (count: number) =>
  count === 0
    ? 'is not the email address or name of an admin or member of this project'
    : `is the name of ${count} people: use the email address`

/** Admins and members with one of these addresses or names, which are in lower case. */
async function selectOwners(db: Database, projectId: string, texts: readonly string[]): Promise<Owner[]> {
  if (texts.length === 0) return []
  const { rows } = await sql<Owner>`
    select u.id, lower(u.email) as email, lower(u.name) as name
    from memberships m join users u on u.id = m.user_id
    where m.project_id = ${projectId} and m.role <> 'viewer' and u.disabled_at is null
      and (lower(u.email) = any(${texts}) or lower(u.name) = any(${texts}))`.execute(db)
  return rows
}
