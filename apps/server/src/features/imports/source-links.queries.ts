import { hash } from 'node:crypto'

import { toStoredJson } from '@caseward/importers/stored-json'
import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'

/** The project of a tool. */
export interface Source {
  system: string
  source: string
}

/** What an object of a source is here. */
export interface SourceLink {
  key_digest: string
  key: string
  /** A folder's id, or the number of a test case. */
  target: string
  format: string
  raw_digest: string
  field_digests: Record<string, string>
  details: Record<string, unknown> | null
}

type LinkedKind = 'folder' | 'case' | 'shared_steps' | 'configuration' | 'milestone' | 'run'

export const toKeyDigest = (key: string): string => hash('sha256', key, 'hex').slice(0, 32)
/** 64 bits: enough to see that a value of one object is another one. */
export const toShortDigest = (text: string): string => hash('sha256', text, 'hex').slice(0, 16)

/**
 * Joins the link of a digest to a test case or another object, as `link`. One by one, and in the order of the primary key: PostgreSQL, which knows nothing
 * yet of links that were just written, would read all of the project for each batch.
 */
export const joinLink = (
  projectId: string,
  { system, source }: Source,
  kind: LinkedKind,
  digest: RawBuilder<unknown>,
) => sql`
    cross join lateral (
      select l.* from source_links l
      where l.project_id = ${projectId} and l.system = ${system} and l.source = ${source} and l.kind = ${sql.lit(kind)}
        and l.key_digest >= ${digest} and l.key_digest <= ${digest}
      order by l.key_digest limit 1
    ) link`

/** Selects links by the digests of their keys. */
export async function selectLinks(
  db: Database,
  projectId: string,
  source: Source,
  kind: LinkedKind,
  digests: readonly string[],
): Promise<Map<string, SourceLink>> {
  if (digests.length === 0) return new Map()
  const { rows } = await sql<SourceLink>`${plannedAnew}
    select link.key_digest, link.key, link.target, link.format, link.raw_digest, link.field_digests, link.details
    from unnest(${[...new Set(digests)]}::text[]) as wanted (digest)
    ${joinLink(projectId, source, kind, sql`wanted.digest`)}`.execute(db)
  return new Map(rows.map((row) => [row.key_digest, row]))
}

/** Saves links, also those that are there. */
export async function saveLinks(
  tx: Database,
  projectId: string,
  { system, source }: Source,
  kind: LinkedKind,
  importId: string,
  links: readonly SourceLink[],
): Promise<void> {
  if (links.length === 0) return
  await sql`${plannedAnew}
    insert into source_links
      (project_id, system, source, kind, key_digest, key, target, format, raw_digest, field_digests, details, import_id,
       imported_at)
    select ${projectId}, ${system}, ${source}, ${kind}, key_digest, key, target, format, raw_digest, field_digests, details,
      ${importId}::uuid, ${new Date()}::timestamptz
    from json_to_recordset(${toStoredJson(links)}) as item (
      key_digest text, key text, target text, format text, raw_digest text, field_digests json, details json
    )
    on conflict (project_id, system, source, kind, key_digest) do update set
      target = excluded.target, format = excluded.format, raw_digest = excluded.raw_digest,
      field_digests = excluded.field_digests, details = excluded.details, import_id = excluded.import_id,
      imported_at = excluded.imported_at`.execute(tx)
}

/** Deletes the links of test cases or folders that an import has created, and that are gone. */
export async function deleteLinks(
  tx: Database,
  projectId: string,
  kind: LinkedKind,
  targets: readonly string[],
): Promise<void> {
  await sql`${plannedAnew}
    delete from source_links
    where project_id = ${projectId} and kind = ${kind} and target = any(${[...targets]}::text[])`.execute(tx)
}

/** Counts the links of a source to test cases. */
export async function countLinks(db: Database, projectId: string, { system, source }: Source): Promise<number> {
  const { rows } = await sql<{ count: number }>`${plannedAnew}
    select count(*)::int as count from source_links
    where project_id = ${projectId} and system = ${system} and source = ${source} and kind = 'case'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Selects where a test case comes from. */
export async function selectCaseSources(db: Database, projectId: string, number: number) {
  const { rows } = await sql<{
    system: string
    source: string
    key: string
    imported_at: Date
    details: Record<string, unknown> | null
  }>`${plannedAnew}
    select system, source, key, imported_at, details from source_links
    where project_id = ${projectId} and kind = 'case' and target = ${String(number)} order by imported_at desc`.execute(
    db,
  )
  return rows
}
