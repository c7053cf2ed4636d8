import type { AuditEntry, AuditQuery } from '@caseward/contract/audit'
import { type RawBuilder, sql } from 'kysely'

import { defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TextQuery, TextRow } from '../../platform/database/fast-reads/text-rows.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { type JsonCursorPage, readCursorPage, toTextQuery } from '../../platform/database/reads.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'

/** The part of the audit log that is read: one project's entries, or all. */
export interface AuditFilter extends Omit<AuditQuery, 'format' | 'per_page'> {
  projectId: string | null
}

const auditColumns = defineColumns<AuditEntry>({
  id: { sql: 'a.id', encode: toPlainJsonString },
  at: { sql: 'a.at', encode: toJsonTimestamp },
  action: { sql: 'a.action', encode: toJsonString },
  actor: {
    sql: `json_build_object('kind', a.actor_kind, 'id', a.actor_id, 'name', a.actor_name, 'email', a.actor_email,
      'token_id', a.token_id, 'token_name', a.token_name)`,
    encode: toRawJson,
  },
  subject: {
    sql: `json_build_object('kind', a.subject_kind, 'id', a.subject_id, 'name', a.subject_name,
      'email', a.subject_email)`,
    encode: toRawJson,
  },
  project: {
    sql: `case when a.project_id is not null
      then json_build_object('id', a.project_id, 'name', coalesce(a.project_name, '')) end`,
    encode: toRawJson,
  },
  address: { sql: 'a.address', encode: toJsonString },
  detail: { sql: 'a.detail', encode: toRawJson },
})

/** Reads a page of the audit log, the newest entries first. */
export async function selectAuditPage(db: Database, filter: AuditFilter, perPage: number): Promise<JsonCursorPage> {
  const query = buildQuery(db, `${auditColumns.selectList}, a.id`, filter, perPage + 1)
  return await readCursorPage(db, query, perPage, auditColumns.toJson)
}

/** The columns of a CSV file, by their headers. */
const csvColumns = {
  id: 'a.id',
  at: 'a.at',
  action: 'a.action',
  actor_kind: 'a.actor_kind',
  actor_id: 'a.actor_id',
  actor_name: 'a.actor_name',
  actor_email: 'a.actor_email',
  token_id: 'a.token_id',
  token_name: 'a.token_name',
  subject_kind: 'a.subject_kind',
  subject_id: 'a.subject_id',
  subject_name: 'a.subject_name',
  subject_email: 'a.subject_email',
  project_id: 'a.project_id',
  project_name: 'a.project_name',
  address: 'a.address',
  detail: 'a.detail',
}

export const CSV_HEADERS = Object.keys(csvColumns)

/** Reads entries as rows of {@link CSV_HEADERS}, the newest first. */
export async function selectAuditRows(db: Database, filter: AuditFilter, limit: number): Promise<readonly TextRow[]> {
  return await runTextQuery(db, buildQuery(db, Object.values(csvColumns).join(', '), filter, limit))
}

/** The index that serves a combination of filters depends on their values, so every page is planned for them. */
const buildQuery = (db: Database, selectList: string, filter: AuditFilter, limit: number): TextQuery => ({
  ...toTextQuery(
    db,
    sql`select ${sql.raw(selectList)} from audit_log a
      where ${sql.join(buildConditions(filter), sql` and `)} order by a.id desc limit ${limit}`,
  ),
  useCustomPlan: true,
})

function buildConditions({ projectId, actor, action, from, to, after }: AuditFilter): RawBuilder<unknown>[] {
  const conditions = [sql`true`]
  if (projectId !== null) conditions.push(sql`a.project_id = ${projectId}`)
  if (actor !== undefined) conditions.push(sql`a.actor_id = ${actor}`)
  if (action !== undefined) conditions.push(sql`a.action = ${action}`)
  if (from !== undefined) conditions.push(sql`a.id >= ${toFirstId(parseTimestamp(from))}`)
  if (to !== undefined) conditions.push(sql`a.id < ${toFirstId(parseTimestamp(to))}`)
  if (after !== undefined) conditions.push(sql`a.id < ${after}`)
  return conditions
}

const MINUTE_MS = 60_000

/** Returns an id below all ids that are created at or after a time, and above all earlier ones. */
function toFirstId(time: Date | null): string {
  const milliseconds = Math.max(0, time?.getTime() ?? 0)
  const digits = milliseconds.toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}

/** Counts the rejected sign-ins of the last minute: those of an account and address, and those without an account. */
export async function countRejections(
  tx: Database,
  { userId, address }: { userId: string | null; address: string },
): Promise<{ same: number; unknown: number }> {
  const { rows } = await sql<{ same: number; unknown: number }>`
    select
      count(*) filter (where subject_id is not distinct from ${userId}::text and address = ${address}::text) as same,
      count(*) filter (where subject_id is null) as unknown
    from audit_log where action = 'session.reject' and id >= ${toFirstId(new Date(Date.now() - MINUTE_MS))}`.execute(tx)
  return rows[0] ?? { same: 0, unknown: 0 }
}

/**
 * Deletes the oldest entries from before a time.
 * @returns the number of deleted entries, at most `limit`
 */
export async function deleteOldestEntries(db: Database, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from audit_log where id in (
      select id from audit_log where id < ${toFirstId(before)} order by id limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
