import type { TimelineEntry } from '@caseward/contract/activity'
import { type RawBuilder, sql } from 'kysely'

import { isUuid } from '../../platform/http/ids.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { AttachmentPlace } from '../attachments/attachment-places.queries.ts'
import { NEWEST_RUN_GROUP, RECENT_RUN_GROUPS } from '../runs/run-groups.ts'
import { isCommentAt } from './comments.queries.ts'

/*
 * There is no table of events: each source reads one page of its own rows before the cursor, by an index that is in the order
 * of time, and the pages are merged. Ids are UUIDv7, and their time is that of the entry, so that the order of the ids is that of
 * the times.
 */

/** The place of an entry in the list: the newest are first. */
export interface ActivityCursor {
  /** Milliseconds since 1970. */
  at: number
  /** Tells entries of the same time apart. */
  key: string
}

/** Before this one are all entries. */
export const FIRST_CURSOR: ActivityCursor = { at: 9_999_999_999_999, key: '~' }

export interface ActivityRow extends ActivityCursor {
  kind: TimelineEntry['kind']
  actor: string | null
  id: string | null
  /** A comment or a note is cut, but not to its first line. */
  text: string | null
  status: TimelineEntry['detail']['status']
}

/** The milliseconds of a UUIDv7: its first 48 bits (RFC 9562, section 5.7). */
const timeOf = (id: string) =>
  sql.raw<number>(`('x' || lpad(translate(left(${id}::text, 13), '-', ''), 16, '0'))::bit(64)::bigint`)
const toMs = (time: string) => sql.raw<number>(`round(extract(epoch from ${time}) * 1000)::bigint`)

/** Before this id are all entries of a kind, whose id is their time, that come after the cursor in the list. */
function getBound({ at, key }: ActivityCursor, kind: ActivityRow['kind']): string {
  const [cursorKind = '', id = ''] = key.split(':')
  if (cursorKind === kind && isUuid(id)) return id
  const hex = at.toString(16).padStart(12, '0')
  const rest = kind < cursorKind ? 'ffff-ffff-ffffffffffff' : '0000-0000-000000000000'
  return `${hex.slice(0, 8)}-${hex.slice(8)}-${rest}`
}

interface Page {
  before: ActivityCursor
  /** One more than the page has. */
  limit: number
}

const NO_STATUS = sql`null::result_status`
const LONGEST_TEXT = sql.raw('1000')

/** Cuts rows of a source to those before the cursor. `source` has all columns of {@link ActivityRow} but the key, which tells rows apart. */
const cut = (source: RawBuilder<unknown>, { before, limit }: Page) => sql`
  select * from (${source}) source
  where (at, key collate "C") < (${before.at}::bigint, ${before.key}) order by at desc, key collate "C" desc limit ${limit}`

/** The comments of a place. */
const readComments = (place: AttachmentPlace, page: Page) =>
  cut(
    sql`
      select ${timeOf('id')} as at, 'comment:' || id as key, 'comment' as kind, created_by as actor, id::text,
        left(body, ${LONGEST_TEXT}) as text, ${NO_STATUS} as status
      from comments
      where project_id = ${place.projectId} and ${isCommentAt(place)} and id < ${getBound(page.before, 'comment')}
      order by comments.id desc limit ${page.limit}`,
    page,
  )

/** What people and uploads have attached to a place itself, without what belongs to comments and attempts. */
function readAttachments(place: AttachmentPlace, page: Page) {
  const { projectId } = place
  const from =
    place.kind === 'testCase'
      ? sql`case_attachments a where project_id = ${projectId} and case_number = ${place.caseNumber}`
      : sql`run_attachments a where project_id = ${projectId} and run_id = ${place.runId} and test_id is null and ${
          place.resultId === null ? sql`result_id is null` : sql`result_id = ${place.resultId}`
        }`
  return cut(
    sql`
      select ${timeOf('id')} as at, 'attachment:' || id as key, 'attachment' as kind, created_by as actor, id::text,
        name as text, ${NO_STATUS} as status
      from ${from} and comment_id is null and a.id < ${getBound(page.before, 'attachment')}
      order by a.id desc limit ${page.limit}`,
    page,
  )
}

/** The links of a test case or result: few, so that all are read. */
const readLinks = (place: AttachmentPlace, page: Page) =>
  cut(
    sql`
      select ${timeOf('id')} as at, 'link:' || id as key, 'link' as kind, created_by as actor, id::text, label as text,
        ${NO_STATUS} as status
      from links where project_id = ${place.projectId} and ${isCommentAt(place)}`,
    page,
  )

/** Merges sources, which are common table expressions: on a distributed database, each runs on one node or the coordinator. */
async function merge(db: Database, sources: readonly RawBuilder<unknown>[], limit: number): Promise<ActivityRow[]> {
  const names = sources.map((_, index) => sql.raw(`source_${index}`))
  const expressions = sources.map((source, index) => sql`${names[index]} as materialized (${source})`)
  const union = sql.join(
    names.map((name) => sql`select at, key, kind, actor, id, text, status from ${name}`),
    sql` union all `,
  )
  const { rows } = await sql<Omit<ActivityRow, 'at'> & { at: string }>`
    with ${sql.join(expressions)}
    select * from (${union}) entries order by at desc, key collate "C" desc limit ${limit}`.execute(db)
  return rows.map(({ at, ...row }) => ({ ...row, at: Number(at) }))
}

/** Selects what happened to a test case before a cursor, the newest first. */
export async function selectTestCaseActivity(
  db: Database,
  place: AttachmentPlace & { kind: 'testCase' },
  page: Page,
): Promise<ActivityRow[]> {
  const { projectId, caseNumber } = place
  const own = (kind: string, time: string, actor: string) => sql`
    select ${toMs(time)} as at, ${sql.raw(`'${kind}:'`)} as key, ${sql.raw(`'${kind}'`)} as kind, ${sql.ref(actor)} as actor,
      null::text as id, null::text as text, ${NO_STATUS} as status
    from test_cases where project_id = ${projectId} and number = ${caseNumber}`
  return await merge(
    db,
    [
      cut(own('created', 'created_at', 'created_by'), page),
      cut(sql`${own('updated', 'updated_at', 'updated_by')} and version > 1`, page),
      readComments(place, page),
      readAttachments(place, page),
      readLinks(place, page),
      readRuns(place, page),
    ],
    page.limit,
  )
}

/**
 * The runs that contain a test case, at the time when they were created. Goes from one group of runs to the one before it, as
 * recent results do, and compares rows for the same reason.
 */
function readRuns({ projectId, caseNumber }: AttachmentPlace & { kind: 'testCase' }, page: Page) {
  const before = getBound(page.before, 'run')
  return cut(
    sql`
      select ${timeOf('r.run_id')} as at, 'run:' || r.run_id as key, 'run' as kind,
        (select created_by from runs where id = r.run_id) as actor, r.run_id::text as id,
        (select name from runs where id = r.run_id) as text, r.status
      from (
        select result.run_id, result.status
        from (
          select coalesce((
            select run_group from runs where project_id = ${projectId} and id < ${before}
            order by id desc limit 1
          ), ${sql.raw(NEWEST_RUN_GROUP)}) as newest_group from projects where id = ${projectId}
        ) project,
        generate_series(newest_group, greatest(newest_group - ${sql.lit(RECENT_RUN_GROUPS - 1)}, 0), -1)
          with ordinality run_groups (number, place),
        lateral (
          select t.run_id, t.status from test_results t
          where t.project_id = ${projectId} and t.run_id < ${before}
            and (t.run_group, t.case_number) >= (run_groups.number, ${caseNumber}::int)
            and (t.run_group, t.case_number) <= (run_groups.number, ${caseNumber}::int)
          order by t.run_group desc, t.case_number desc, t.run_id desc limit ${page.limit}
        ) result
        order by run_groups.place, result.run_id desc limit ${page.limit}
      ) r`,
    page,
  )
}

/** Selects what happened to a result before a cursor, the newest first. */
export async function selectResultActivity(
  db: Database,
  place: AttachmentPlace & { kind: 'run' },
  page: Page,
): Promise<ActivityRow[]> {
  const isResult = (id: string) =>
    sql`project_id = ${place.projectId} and run_id = ${place.runId} and ${sql.ref(id)} = ${place.resultId}`
  const values = (key: string) => sql`
    select ${toMs('tested_at')} as at, ${sql.raw(key)} as key, 'result' as kind, tested_by as actor, null::text as id,
      left(note, ${LONGEST_TEXT}) as text, status`
  return await merge(
    db,
    [
      cut(sql`${values(`'result:f'`)} from test_results where ${isResult('id')} and tested_at is not null`, page),
      cut(
        sql`${values(`'result:' || lpad(place::text, 10, '0')`)} from result_changes where ${isResult('result_id')}`,
        page,
      ),
      readComments(place, page),
      readAttachments(place, page),
      readLinks(place, page),
    ],
    page.limit,
  )
}

/** Selects what happened to a run itself before a cursor, the newest first. */
export async function selectRunActivity(
  db: Database,
  place: AttachmentPlace & { kind: 'run' },
  page: Page,
): Promise<ActivityRow[]> {
  const { projectId, runId } = place
  const own = (kind: string, time: string, actor: string) =>
    cut(
      sql`
        select ${toMs(time)} as at, ${sql.raw(`'${kind}:'`)} as key, ${sql.raw(`'${kind}'`)} as kind,
          ${sql.ref(actor)} as actor, null::text as id, null::text as text, ${NO_STATUS} as status
        from runs where id = ${runId} and ${sql.ref(time)} is not null`,
      page,
    )
  const reruns = sql`
    select ${timeOf('id')} as at, 'rerun:' || id as key, 'rerun' as kind, created_by as actor, id::text, name as text,
      ${NO_STATUS} as status
    from runs where project_id = ${projectId} and rerun_of = ${runId}
      and root_run_id = (select coalesce(root_run_id, id) from runs where id = ${runId})`
  return await merge(
    db,
    [
      own('created', 'created_at', 'created_by'),
      own('completed', 'completed_at', 'completed_by'),
      readComments(place, page),
      readAttachments(place, page),
      cut(reruns, page),
    ],
    page.limit,
  )
}
