import { ATTACHMENT_LIMIT } from '@caseward/contract/attachments'
import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { FoundPlace } from './apply-places.queries.ts'
import type { PlannedAttachment } from './plan-attachments.ts'

export type AttachmentRow = PlannedAttachment & FoundPlace & { file_id: string | null; test_id: string | null }

/** Inserts attachments. A place that has as many as it can gets no more. @returns the ids of those that were inserted */
export async function insertAttachments(
  tx: Database,
  projectId: string,
  rows: readonly AttachmentRow[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const accepted = await limitByPlace(tx, projectId, rows)
  const ofCases = accepted.filter(({ case_number: number }) => number !== null)
  const ofRuns = accepted.filter(({ case_number: number }) => number === null)
  if (ofCases.length > 0) {
    await sql`
      insert into case_attachments (project_id, case_number, id, step, name, file_id, comment_id, created_by, created_at)
      select ${projectId}::uuid, case_number, id, step, name, file_id, comment_id, created_by, created_at
      from json_to_recordset(${toStoredJson(ofCases)}) as item (
        case_number int, id uuid, step smallint, name text, file_id uuid, comment_id uuid, created_by uuid,
        created_at timestamptz
      )`.execute(tx)
  }
  if (ofRuns.length > 0) {
    await sql`
      insert into run_attachments (project_id, run_id, result_id, id, step, place, name, file_id, comment_id, created_by, created_at,
        digest, byte_count, is_trace, removed_at, test_id, attempt, source)
      select ${projectId}::uuid, run_id, result_id, id, step, place, name, file_id, comment_id, created_by, created_at,
        case when file_id is null then decode(sha256, 'hex') end, case when file_id is null then byte_count end,
        case when file_id is null and removed_at is null then nullif(is_trace, false) end, removed_at,
        test_id, attempt, source
      from json_to_recordset(${toStoredJson(ofRuns)}) as item (
        run_id uuid, result_id uuid, id uuid, step smallint, place smallint, name text, file_id uuid, comment_id uuid, created_by uuid,
        created_at timestamptz, sha256 text, byte_count bigint, is_trace boolean, removed_at timestamptz,
        test_id uuid, attempt smallint, source int
      )`.execute(tx)
  }
  await recountAttachments(tx, projectId, accepted)
  return new Set(accepted.map(({ id }) => id))
}

/** Which of these rows belong to a combination that their result does not have here. */
export async function selectWithoutCombination(
  tx: Database,
  projectId: string,
  rows: readonly AttachmentRow[],
): Promise<ReadonlySet<string>> {
  const placed = rows.filter(({ place }) => (place ?? null) !== null)
  if (placed.length === 0) return new Set()
  const items = placed.map(({ id, run_id, result_id, place }) => ({ id, run_id, result_id, place }))
  const { rows: found } = await sql<{ id: string }>`
    select item.id from json_to_recordset(${JSON.stringify(items)}) as item (
      id text, run_id uuid, result_id uuid, place smallint
    )
    join result_combinations k on k.project_id = ${projectId} and k.run_id = item.run_id
      and k.result_id = item.result_id and k.place = item.place`.execute(tx)
  const known = new Set(found.map(({ id }) => id))
  return new Set(items.filter(({ id }) => !known.has(id)).map(({ id }) => id))
}

const toPlaceKey = ({ case_number: number, run_id: run, result_id: result }: FoundPlace) =>
  number === null ? `${run} ${result}` : String(number)

/** Leaves out what is more than a place can have. */
async function limitByPlace(
  tx: Database,
  projectId: string,
  rows: readonly AttachmentRow[],
): Promise<readonly AttachmentRow[]> {
  const counts = new Map<string, number>()
  const places = [...new Map(rows.map((row) => [toPlaceKey(row), row])).values()].map(
    ({ case_number, run_id, result_id }) => ({ case_number, run_id, result_id }),
  )
  const { rows: known } = await sql<FoundPlace & { count: number }>`
    select item.case_number, item.run_id, item.result_id, case
      when item.case_number is not null then (
        select count(*) from case_attachments a where a.project_id = ${projectId} and a.case_number = item.case_number)
      when item.result_id is not null then (
        select count(*) from run_attachments a
        where a.project_id = ${projectId} and a.run_id = item.run_id and a.result_id = item.result_id)
      else (select count(*) from run_attachments a where a.project_id = ${projectId} and a.run_id = item.run_id)
    end::int as count
    from json_to_recordset(${JSON.stringify(places)}) as item (case_number int, run_id uuid, result_id uuid)`.execute(
    tx,
  )
  for (const { count, ...place } of known) counts.set(toPlaceKey(place), count)
  return rows.filter((row) => {
    const key = toPlaceKey(row)
    const count = (counts.get(key) ?? 0) + 1
    const limit =
      row.case_number !== null
        ? ATTACHMENT_LIMIT.testCase
        : row.result_id !== null
          ? ATTACHMENT_LIMIT.result
          : ATTACHMENT_LIMIT.run
    if (count > limit) return false
    counts.set(key, count)
    return true
  })
}

/** Counts the attachments of places again. The caller has locked the runs. */
export async function recountAttachments(
  tx: Database,
  projectId: string,
  places: readonly (FoundPlace & { test_id?: string | null })[],
): Promise<void> {
  const tests = [...new Set(places.flatMap(({ test_id: id }) => id ?? []))]
  const cases = [...new Set(places.flatMap(({ case_number: number }) => number ?? []))]
  const runs = [...new Set(places.flatMap(({ run_id: id }) => id ?? []))]
  const results = [...new Set(places.flatMap(({ result_id: id }) => id ?? []))]
  if (cases.length > 0) {
    await sql`
      update test_cases c set attachment_count = nullif((
        select count(*) from case_attachments a where a.project_id = ${projectId} and a.case_number = c.number
      ), 0) where c.project_id = ${projectId} and c.number = any(${cases}::int[])`.execute(tx)
  }
  if (runs.length > 0) {
    const { rows } = await sql<{ id: string; count: number | null; waiting: number | null }>`
      select input.id, nullif(count(a.id), 0)::int as count,
        nullif(count(a.id) filter (where a.file_id is null and a.removed_at is null), 0)::int as waiting
      from unnest(${runs}::uuid[]) as input (id)
      left join run_attachments a on a.project_id = ${projectId} and a.run_id = input.id
      group by input.id`.execute(tx)
    await sql`
      update runs r set attachment_count = item.count, waiting_file_count = item.waiting
      from json_to_recordset(${JSON.stringify(rows)}) as item (id uuid, count int, waiting int)
      where r.project_id = ${projectId} and r.id = item.id`.execute(tx)
  }
  if (results.length > 0) {
    await sql`
      update test_results r set changed_at = statement_timestamp(), attachment_count = nullif((
        select count(*) from run_attachments a where a.project_id = ${projectId} and a.run_id = r.run_id and a.result_id = r.id
      ), 0) where r.project_id = ${projectId} and r.run_id = any(${runs}::uuid[]) and r.id = any(${results}::uuid[])`.execute(
      tx,
    )
  }
  if (tests.length > 0) {
    await sql`
      update test_outcomes o set attachment_count = nullif((
        select count(*) from run_attachments a where a.project_id = ${projectId} and a.run_id = o.run_id and a.test_id = o.test_id
      ), 0) where o.project_id = ${projectId} and o.run_id = any(${runs}::uuid[]) and o.test_id = any(${tests}::uuid[])`.execute(
      tx,
    )
  }
}
