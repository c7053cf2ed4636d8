import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { planChecksAnew } from '../../platform/database/plans.ts'
import { EARLIER_BY_SENT, SENT_DEFINITIONS, type SentFields, toSentItem } from '../test-cases/test-case-fields.ts'
import type { CaseAuthor } from './case-author.ts'
import { MAX_CASE_VERSIONS } from '@caseward/contract/case-versions'

/*
 * Every change of test cases keeps what they were. The caller holds the locks on the test cases, and changes them afterwards
 * in the same transaction.
 */

/** What a test case was before a change. */
export interface EarlierVersion {
  number: number
  version: number
  /** Earlier values of what changes, by name; those of custom fields by `fields.<number>`. */
  before: Readonly<Record<string, unknown>>
}

/** Keeps versions whose earlier values the caller has read. */
export async function recordVersions(
  tx: Database,
  projectId: string,
  { userId, tokenId, via, summary }: CaseAuthor,
  versions: readonly EarlierVersion[],
): Promise<void> {
  if (versions.length === 0) return
  const items = versions.map(({ before, ...rest }) => ({ ...rest, before, changed: Object.keys(before) }))
  await planChecksAnew(tx, items.length)
  await sql`
    insert into case_versions
      (project_id, case_number, version, next_version, before, changed, changed_by, token_id, via, summary, changed_at)
    select ${projectId}, number, version, version + 1, before, changed, ${userId}::uuid, ${tokenId}::uuid,
      ${via}::version_source, ${summary}::text, statement_timestamp()
    from json_to_recordset(${JSON.stringify(items)}) as item (number int, version int, before json, changed text[])`.execute(
    tx,
  )
  await forgetOldest(tx, projectId, versions)
}

/** A test case and the values that it gets. */
export interface SentValues {
  number: number
  sent: SentFields
}

/**
 * Keeps versions of test cases that get new values: earlier texts, which may be long, never leave the database. What one person
 * saves in the browser within some minutes is one change.
 */
export async function recordVersionsOfSent(
  tx: Database,
  projectId: string,
  author: CaseAuthor,
  items: readonly SentValues[],
): Promise<void> {
  if (items.length === 0) return
  await planChecksAnew(tx, items.length)
  const { rows } = await sql<{ number: number; version: number }>`
    with ${buildRecordedVersions(projectId, author, items)} select number, version from recorded`.execute(tx)
  await forgetOldest(tx, projectId, rows)
}

/**
 * Returns `with` queries that do what {@link recordVersionsOfSent} does, for the statement that changes the test cases. The
 * caller calls {@link forgetOldest} afterwards. The last query, `recorded`, has number and version of each new version.
 */
export function buildRecordedVersions(
  projectId: string,
  { userId, tokenId, via, summary }: CaseAuthor,
  items: readonly SentValues[],
): RawBuilder<unknown> {
  const extend = via === 'web' && summary === null && userId !== null
  const input = JSON.stringify(items.map(({ number, sent }) => toSentItem(number, sent)))
  return sql`item as (
      select * from json_to_recordset(${input}) as (number int, ${sql.raw(SENT_DEFINITIONS)})
    ), change as materialized (
      select c.number, c.version, c.last_pinned_version, coalesce(earlier.before, '{}') as before,
        coalesce(earlier.changed, '{}') as changed
      from item
      join test_cases c on c.project_id = ${projectId} and c.number = item.number
      cross join lateral ${sql.raw(EARLIER_BY_SENT)} earlier
    ) ${extend ? buildExtended(projectId, userId) : sql``}, recorded as (
      insert into case_versions
        (project_id, case_number, version, next_version, before, changed, changed_by, token_id, via, summary, changed_at)
      select ${projectId}::uuid, number, version, version + 1, before, changed, ${userId}::uuid, ${tokenId}::uuid,
        ${via}::version_source, ${summary}::text, statement_timestamp()
      from change ${extend ? sql`where number not in (select case_number from extended)` : sql``}
      returning case_number as number, version
    )`
}

/**
 * Adds a save to the change before it, if that was made by the same person in the browser some minutes ago, and nobody has
 * tested the version meanwhile. Earlier values that the change has already stay.
 */
const buildExtended = (projectId: string, userId: string) => sql`, extended as (
    update case_versions v set
      next_version = change.version + 1, changed_at = statement_timestamp(), started_at = coalesce(v.started_at, v.changed_at),
      changed = v.changed || array(select name from unnest(change.changed) name where name <> all(v.changed)),
      before = coalesce((
        select json_object_agg(key, value) from (
          select key, value from json_each(v.before)
          union all
          select key, value from json_each(change.before) where key <> all(v.changed)
        ) merged
      ), '{}')
    from change
    where v.project_id = ${projectId} and v.case_number = change.number
      and v.version = (
        select max(version) from case_versions where project_id = ${projectId} and case_number = change.number
      )
      and v.next_version = change.version and v.via = 'web' and v.changed_by = ${userId}::uuid and v.summary is null
      and v.changed_at > statement_timestamp() - interval '10 minutes'
      and coalesce(v.started_at, v.changed_at) > statement_timestamp() - interval '30 minutes'
      and coalesce(change.last_pinned_version, 0) < change.version
    returning v.case_number
  )`

/** Keeps the versions of all test cases in a folder, which will come to another one. Locks them. */
export async function recordFolderMove(
  tx: Database,
  projectId: string,
  { userId, tokenId, via, summary }: CaseAuthor,
  folderId: string,
): Promise<void> {
  await sql`
    select from test_cases where project_id = ${projectId} and folder_id = ${folderId} for no key update`.execute(tx)
  const { rows } = await sql<{ number: number; version: number }>`
    insert into case_versions
      (project_id, case_number, version, next_version, before, changed, changed_by, token_id, via, summary, changed_at)
    select ${projectId}, number, version, version + 1, json_build_object('folder_id', folder_id), '{folder_id}',
      ${userId}::uuid, ${tokenId}::uuid, ${via}::version_source, ${summary}::text, statement_timestamp()
    from test_cases where project_id = ${projectId} and folder_id = ${folderId}
    returning case_number as number, version`.execute(tx)
  await forgetOldest(tx, projectId, rows)
}

/** Deletes the oldest versions of test cases that have too many. Rows are fewer than versions, so most need no look. */
export async function forgetOldest(
  tx: Database,
  projectId: string,
  versions: readonly { number: number; version: number }[],
): Promise<void> {
  const numbers = versions.filter(({ version }) => version > MAX_CASE_VERSIONS).map(({ number }) => number)
  if (numbers.length === 0) return
  await sql`
    delete from case_versions v using unnest(${numbers}::int[]) as item (number)
    where v.project_id = ${projectId} and v.case_number = item.number and v.version < (
      select o.version from case_versions o where o.project_id = ${projectId} and o.case_number = item.number
      order by o.version desc offset ${MAX_CASE_VERSIONS - 1} limit 1
    )`.execute(tx)
}
