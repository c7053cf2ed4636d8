import type { CaseAlias } from '@caseward/contract/case-aliases'
import type { AliasCandidate, AliasSource } from '@caseward/matching/aliases'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { planChecksAnew, plannedAnew } from '../../platform/database/plans.ts'

/** An id of another tool as it is stored. */
export interface StoredAlias extends CaseAlias {
  number: number
  lookup: string
}

/** The ids of a test case in other tools. */
export async function selectAliases(db: Database, projectId: string, number: number): Promise<CaseAlias[]> {
  const { rows } = await sql<CaseAlias>`
    select system, source, key from case_aliases
    where project_id = ${projectId} and case_number = ${number} order by system, source, key`.execute(db)
  return rows
}

/**
 * Adds ids, except those that a test case has. The caller holds the lock on the project, and stores their sources.
 * @returns those that were added
 */
export async function insertAliases(
  tx: Database,
  projectId: string,
  aliases: readonly StoredAlias[],
): Promise<Pick<StoredAlias, 'number' | 'lookup'>[]> {
  if (aliases.length === 0) return []
  await planChecksAnew(tx, aliases.length)
  const { rows } = await sql<Pick<StoredAlias, 'number' | 'lookup'>>`
    insert into case_aliases as c (project_id, case_number, system, source, key, lookup)
    select ${projectId}::uuid, number, system, source, key, lookup
    from json_to_recordset(${JSON.stringify(aliases)})
      as item (number int, system text, source text, key text, lookup text)
    on conflict do nothing
    returning c.case_number as number, c.lookup`.execute(tx)
  return rows
}

/** Removes ids of a test case, and the links of tests that ids of it have made. */
export async function deleteAliases(
  tx: Database,
  projectId: string,
  number: number,
  removed: readonly Pick<StoredAlias, 'system' | 'source' | 'lookup'>[],
): Promise<void> {
  if (removed.length === 0) return
  await sql`
    delete from case_aliases c using json_to_recordset(${JSON.stringify(removed)}) as item (system text, source text, lookup text)
    where c.project_id = ${projectId} and c.case_number = ${number}
      and c.system = item.system and c.source = item.source and c.lookup = item.lookup`.execute(tx)
  await sql`
    delete from test_links
    where project_id = ${projectId} and source = 'alias' and case_number = ${number}`.execute(tx)
}

/** Stores of which tools the project has ids, which uploads read. */
export async function updateAliasSources(tx: Database, projectId: string): Promise<void> {
  // Two statements, because Citus joins no table that is distributed with one that is not.
  const { rows } = await sql<AliasSource>`
    select distinct system, source from case_aliases where project_id = ${projectId} order by system, source`.execute(
    tx,
  )
  const sources = rows.length === 0 ? null : JSON.stringify(rows)
  await sql`update projects set alias_sources = ${sources}::json where id = ${projectId}`.execute(tx)
}

/** Stores that the project has ids of a source, if it is not stored yet. */
export async function addAliasSource(tx: Database, projectId: string, source: AliasSource): Promise<void> {
  const added = JSON.stringify([source])
  await sql`
    update projects set alias_sources = (coalesce(alias_sources::jsonb, '[]') || ${added}::jsonb)::json
    where id = ${projectId} and not coalesce(alias_sources::jsonb, '[]') @> ${added}::jsonb`.execute(tx)
}

/** As many as can be looked up without holding up other requests. */
const BATCH_SIZE = 5000

/** Returns the ids that test cases of the project have, of those that are looked up. As one text for each source: thousands of rows take longer. */
export async function selectAliasesByLookup(
  db: Database,
  projectId: string,
  lookups: readonly string[],
): Promise<StoredAlias[]> {
  const found: StoredAlias[] = []
  for (let from = 0; from < lookups.length; from += BATCH_SIZE) {
    const { rows } = await sql<
      AliasSource & { aliases: [number: number, lookup: string, key: string][] }
    >`${plannedAnew}
      select system, source, json_agg(json_build_array(case_number, lookup, key)) as aliases from case_aliases
      where project_id = ${projectId} and lookup = any(${lookups.slice(from, from + BATCH_SIZE)}::text[])
      group by system, source order by system, source`.execute(db)
    for (const { system, source, aliases } of rows) {
      for (const [number, lookup, key] of aliases) found.push({ number, system, source, key, lookup })
    }
  }
  return found
}

/** How an id is found: by what it is looked up by, and its tool. */
export const getLookupKey = ({ system, lookup }: Pick<AliasCandidate, 'system' | 'lookup'>): string =>
  `${system}\n${lookup}`
