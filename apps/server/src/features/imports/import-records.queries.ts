import type { RecordAction, RecordKind } from '@caseward/contract/import-kinds'
import type { StagedBatch } from '@caseward/importers/staged-batch'
import { toStoredJson, toStoredLines } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import type { ClaimedImport } from './imports.queries.ts'

/*
 * Statements are planned each time: a prepared one would keep the plan from when the table was empty, and read all records of the import for
 * each batch. The kind is part of the text, so that the index of records of a kind can be used.
 */

/** Values as rows, one to a line, or an empty one: PostgreSQL needs half the time of what it needs to take them out of one JSON text. */
const unnestLines = (lines: string) => sql`unnest(string_to_array(${lines}, chr(10), '')::json[])`

/** @param after the number of the record before them */
export async function insertRecords(
  db: Database,
  { projectId, id }: ClaimedImport,
  { rows, records, prepared }: StagedBatch,
  after: number,
): Promise<void> {
  await sql`${plannedAnew}
    insert into import_records (project_id, import_id, seq, kind, key, title, read_losses, record, prepared, place)
    select ${projectId}, ${id}, ${after}::int + nth, kind, key, title, array(select json_array_elements_text(read_losses)),
      record, prepared, case when kind = 'result' then ${after}::int + nth else 0 end
    from rows from (
      json_to_recordset(${rows}) as (kind text, key text, title text, read_losses json),
      ${unnestLines(records)},
      ${unnestLines(prepared)}
    ) with ordinality as item (kind, key, title, read_losses, record, prepared, nth)`.execute(db)
}

export async function deleteRecords(db: Database, { projectId, id }: ClaimedImport): Promise<void> {
  await sql`${plannedAnew} delete from import_records where project_id = ${projectId} and import_id = ${id}`.execute(db)
}

export interface StoredRecord<R, P = null> {
  seq: number
  key: string | null
  record: R
  prepared: P
  read_losses: string[]
}

/** Selects records of a kind in their order, page by page. */
export async function selectRecords<R, P = null>(
  db: Database,
  { projectId, id }: ClaimedImport,
  { kind, after, limit }: { kind: RecordKind; after: number; limit: number },
): Promise<StoredRecord<R, P>[]> {
  const { rows } = await sql<StoredRecord<R, P>>`${plannedAnew}
    select seq, key, record, prepared, read_losses from import_records
    where project_id = ${projectId} and import_id = ${id} and kind = ${sql.lit(kind)} and seq > ${after}
    order by seq limit ${limit}`.execute(db)
  return rows
}

export interface StoredPlan<R, P> {
  seq: number
  record: R
  planned: P
}

/** Selects records of a kind in their order with what the plan says so far, page by page. */
export async function selectPlannedRecords<R, P>(
  db: Database,
  { projectId, id }: ClaimedImport,
  { kind, after, limit }: { kind: RecordKind; after: number; limit: number },
): Promise<StoredPlan<R, P>[]> {
  const { rows } = await sql<StoredPlan<R, P>>`${plannedAnew}
    select seq, record, planned from import_records
    where project_id = ${projectId} and import_id = ${id} and kind = ${sql.lit(kind)} and seq > ${after}
    order by seq limit ${limit}`.execute(db)
  return rows
}

/** Whether test cases that the plan was compared with have another version now, or are gone. */
export async function hasChangedCases(tx: Database, { projectId, id }: ClaimedImport): Promise<boolean> {
  const { rows } = await sql`${plannedAnew}
    select from import_records r
    left join test_cases c
      on c.project_id = r.project_id and c.number = case when r.kind = 'case' then r.target::int end
    where r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'case' and not r.is_done
      and r.planned ->> 'compared_version' is not null
      and c.version is distinct from (r.planned ->> 'compared_version')::int
    limit 1`.execute(tx)
  return rows.length > 0
}

/**
 * The record `r` is one of those of a batch. Without the list of their numbers, PostgreSQL reads all records of the import for each batch: it
 * knows nothing yet of an import that was just read.
 */
export const isAmong = (
  { projectId, id }: Pick<ClaimedImport, 'projectId' | 'id'>,
  batch: readonly { seq: number }[],
) => sql`r.project_id = ${projectId} and r.import_id = ${id} and r.seq = any(${batch.map(({ seq }) => seq)}::int[])`

/** What the plan does with a record. */
export interface PlannedRecord {
  seq: number
  action: RecordAction
  losses: readonly string[]
  changed: readonly string[]
  planned: unknown
  place: number
  target: string | null
  is_done: boolean
}

export async function updatePlannedRecords(
  db: Database,
  { projectId, id }: ClaimedImport,
  records: readonly PlannedRecord[],
): Promise<void> {
  if (records.length === 0) return
  const items = records.map(({ seq, action, losses, changed, place, target, is_done }) => ({
    seq,
    action,
    losses,
    changed,
    place,
    target,
    is_done,
  }))
  await sql`${plannedAnew}
    update import_records r set action = item.action, planned = item.planned, place = item.place,
      target = item.target, is_done = item.is_done, losses = array(select json_array_elements_text(item.losses)),
      changed = array(select json_array_elements_text(item.changed))
    from rows from (
      json_to_recordset(${toStoredJson(items)}) as (
        seq int, action text, losses json, changed json, place int, target text, is_done boolean
      ),
      ${unnestLines(toStoredLines(records.map(({ planned }) => planned)))}
    ) as item (seq, action, losses, changed, place, target, is_done, planned)
    where ${isAmong({ projectId, id }, records)} and r.seq = item.seq`.execute(db)
}

/** Says what became of kinds that are not imported. */
export async function leaveOutRecords(
  db: Database,
  { projectId, id }: ClaimedImport,
  kinds: readonly RecordKind[],
): Promise<void> {
  await sql`${plannedAnew}
    update import_records set action = 'not_imported', losses = array['not_imported:' || kind], is_done = true
    where project_id = ${projectId} and import_id = ${id} and kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))})`.execute(
    db,
  )
}

/** A record whose action waits. */
export interface WaitingRecord<P> {
  seq: number
  key: string | null
  action: RecordAction
  planned: P
  target: string | null
  losses: string[]
  changed: string[]
}

/** Selects records that are not done, in the order in which they are written. */
export async function selectWaiting<P>(
  db: Database,
  { projectId, id }: ClaimedImport,
  kind: RecordKind,
  limit: number,
): Promise<WaitingRecord<P>[]> {
  const { rows } = await sql<WaitingRecord<P>>`${plannedAnew}
    select seq, key, action, planned, target, losses, changed from import_records
    where project_id = ${projectId} and import_id = ${id} and kind = ${sql.lit(kind)} and not is_done
    order by place, seq limit ${limit}`.execute(db)
  return rows
}

/** Saves plans again that tell what was stored, by which an undo knows it. */
export async function savePlanned(
  tx: Database,
  { projectId, id }: ClaimedImport,
  records: readonly { seq: number; planned: unknown }[],
): Promise<void> {
  if (records.length === 0) return
  const items = records.map(({ seq, planned }) => ({ seq, planned }))
  await sql`${plannedAnew}
    update import_records r set planned = item.planned
    from json_to_recordset(${toStoredJson(items)}) as item (seq int, planned json)
    where ${isAmong({ projectId, id }, items)} and r.seq = item.seq`.execute(tx)
}

/** What became of a record. */
export interface DoneRecord {
  seq: number
  action: RecordAction
  target: string | null
  losses: readonly string[]
  changed?: readonly string[]
}

export async function markDone(
  tx: Database,
  { projectId, id }: ClaimedImport,
  records: readonly DoneRecord[],
): Promise<void> {
  if (records.length === 0) return
  await sql`${plannedAnew}
    update import_records r set is_done = true, action = item.action, target = item.target,
      losses = array(select json_array_elements_text(item.losses)),
      changed = case when item.changed is null then r.changed
        else array(select json_array_elements_text(item.changed)) end
    from json_to_recordset(${toStoredJson(records)}) as item (
      seq int, action text, target text, losses json, changed json
    )
    where ${isAmong({ projectId, id }, records)} and r.seq = item.seq`.execute(tx)
}

/** Counts the records of an import by kind and action. */
export async function countActions(
  db: Database,
  { projectId, id }: ClaimedImport,
): Promise<{ kind: RecordKind; action: RecordAction; count: number }[]> {
  const { rows } = await sql<{ kind: RecordKind; action: RecordAction; count: number }>`${plannedAnew}
    select kind, action, count(*)::int as count from import_records
    where project_id = ${projectId} and import_id = ${id} and action is not null
    group by kind, action order by kind, action`.execute(db)
  return rows
}

/** Counts how many records wait, and how many there are. */
export async function countWaiting(
  db: Database,
  { projectId, id }: ClaimedImport,
): Promise<{ waiting: number; all: number }> {
  const { rows } = await sql<{ waiting: number; all: number }>`${plannedAnew}
    select count(*) filter (where not is_done)::int as waiting, count(*)::int as all
    from import_records where project_id = ${projectId} and import_id = ${id}`.execute(db)
  return rows[0] ?? { waiting: 0, all: 0 }
}

/** Counts what got lost, with the first records of each code. */
export async function countLosses(
  db: Database,
  { projectId, id }: ClaimedImport,
  examplesPerCode: number,
): Promise<{ code: string; count: number; examples: { key: string | null; title: string; place: string }[] }[]> {
  const { rows } = await sql<{
    code: string
    count: number
    examples: { key: string | null; title: string; place: string }[]
  }>`${plannedAnew}
    select code, count(*)::int as count,
      json_agg(json_build_object('key', key, 'title', title, 'place', '') order by seq)
        filter (where nth <= ${examplesPerCode}) as examples
    from (
      select code, key, title, seq, row_number() over (partition by code order by seq) as nth
      from import_records cross join lateral unnest(losses) code
      where project_id = ${projectId} and import_id = ${id}
    ) loss
    group by code order by count(*) desc, code`.execute(db)
  return rows
}
