import type { LinkKind } from '@caseward/contract/link-schemas'
import { type RawBuilder, sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { presentTime } from '../../platform/http/timestamps.ts'

/** Where links are: at a test case, or at a result of a run. */
export type LinkPlace =
  | { projectId: string; caseNumber: number }
  | { projectId: string; runId: string; resultId: string }

export interface NewLink {
  id: string
  kind: LinkKind
  url: string
  /** Of the normalized address. */
  digest: string
  label: string
  createdBy: string | null
}

const fields = ['id', 'kind', 'url', 'label', 'created_by', 'created_at'] as const

export type LinkRow = Awaited<ReturnType<typeof selectLinks>>[number]

export const presentLink = ({ created_at, ...link }: LinkRow) => ({ ...link, created_at: presentTime(created_at) })

const isAt = (place: LinkPlace): RawBuilder<boolean> =>
  'runId' in place
    ? sql<boolean>`run_id = ${place.runId} and result_id = ${place.resultId}`
    : sql<boolean>`case_number = ${place.caseNumber}`

/** Selects the links of a place, the oldest first. */
export async function selectLinks(db: Database, place: LinkPlace) {
  return await db
    .selectFrom('links')
    .select(fields)
    .where('project_id', '=', place.projectId)
    .where(isAt(place))
    .orderBy('id')
    .execute()
}

export async function insertLink(
  tx: Database,
  place: LinkPlace,
  { id, kind, url, digest, label, createdBy }: NewLink,
): Promise<LinkRow> {
  const { projectId } = place
  const columns =
    'runId' in place ? { run_id: place.runId, result_id: place.resultId } : { case_number: place.caseNumber }
  return await tx
    .insertInto('links')
    .values({ project_id: projectId, ...columns, id, kind, url, url_digest: digest, label, created_by: createdBy })
    .returning(fields)
    .executeTakeFirstOrThrow()
}

/** Returns whether there was such a link. */
export async function deleteLink(tx: Database, place: LinkPlace, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('links')
    .where('project_id', '=', place.projectId)
    .where('id', '=', id)
    .where(isAt(place))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Counts the links of locked results again. Returns when the transaction began. */
export async function updateLinkCounts(
  tx: Database,
  { id, project }: RunRef,
  resultIds: readonly string[],
): Promise<Date> {
  // Citus allows no time in what an update returns.
  const { rows } = await sql<{ at: Date }>`
    with counted as (
      update test_results r set changed_at = statement_timestamp(), link_count = nullif((
        select count(*) from links l where l.project_id = ${project.id} and l.run_id = ${id} and l.result_id = r.id
      ), 0)
      where r.project_id = ${project.id} and r.run_id = ${id} and r.id = any(${[...resultIds]}::uuid[])
      returning r.id
    )
    select now()::timestamptz(3) as at from counted limit 1`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('The results are not locked')
  return row.at
}
