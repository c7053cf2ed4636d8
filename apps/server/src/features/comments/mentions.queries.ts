import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import type { CommentPlace } from './comments.queries.ts'

/** Those of these users who are members of a project and can sign in. */
export async function selectMentionable(
  tx: Database,
  projectId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select u.id from memberships m join users u on u.id = m.user_id
    where m.project_id = ${projectId} and m.user_id = any(${userIds}::uuid[]) and u.disabled_at is null`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

export interface NewMention {
  userId: string
  /** The email that tells of it; null for none. */
  mailAt: Date | null
}

/** Stores mentions of members in a comment. Those whose membership ends meanwhile are left out. */
export async function insertMentions(
  tx: Database,
  place: CommentPlace,
  commentId: string,
  mentions: readonly NewMention[],
): Promise<void> {
  const caseNumber = place.kind === 'testCase' ? place.caseNumber : null
  const runId = place.kind === 'run' ? place.runId : null
  const userIds = mentions.map(({ userId }) => userId)
  const mailTimes = mentions.map(({ mailAt }) => mailAt?.toISOString() ?? null)
  const ids = mentions.map(() => uuidv7())
  await sql`
    insert into mentions (user_id, id, project_id, comment_id, case_number, run_id, mail_at)
    select member.user_id, input.id, ${place.projectId}, ${commentId}, ${caseNumber}::int, ${runId}::uuid, input.mail_at
    from (
      select user_id from memberships
      where project_id = ${place.projectId} and user_id = any(${userIds}::uuid[])
      order by user_id for key share
    ) member
    join unnest(${userIds}::uuid[], ${ids}::uuid[], ${mailTimes}::timestamptz[]) as input (user_id, id, mail_at)
      on input.user_id = member.user_id
    on conflict do nothing`.execute(tx)
}

/** Those of these users whom a comment has mentioned before, whatever its text is now. */
export async function selectMentioned(
  tx: Database,
  projectId: string,
  { commentId, userIds }: { commentId: string; userIds: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from mentions
    where user_id = any(${userIds}::uuid[]) and project_id = ${projectId} and comment_id = ${commentId}`.execute(tx)
  return new Set(rows.map(({ user_id: userId }) => userId))
}

/** Deletes the mentions in a comment. */
export async function deleteMentionsOfComment(tx: Database, place: CommentPlace, commentId: string): Promise<void> {
  const isAt =
    place.kind === 'run' ? sql`run_id = ${place.runId}` : sql`run_id is null and case_number = ${place.caseNumber}`
  await sql`
    delete from mentions
    where project_id = ${place.projectId} and ${isAt} and comment_id = ${commentId}`.execute(tx)
}

export interface MentionRow {
  id: string
  projectId: string
  commentId: string
  createdAt: Date
  readAt: Date | null
}

/** Selects mentions of a user before a cursor, the newest first; one more than `limit` if there are more. */
export async function selectMentions(
  db: Database,
  userId: string,
  { after = null, limit, isUnread }: { after?: string | null | undefined; limit: number; isUnread: boolean },
): Promise<MentionRow[]> {
  const { rows } = await sql<MentionRow>`
    select id, project_id as "projectId", comment_id as "commentId", created_at as "createdAt", read_at as "readAt"
    from mentions
    where user_id = ${userId} and (${after}::uuid is null or id < ${after}::uuid)
      and (read_at is null or not ${isUnread}::boolean)
    order by id desc limit ${limit + 1}`.execute(db)
  return rows
}

/** Selects the unread mentions that an email tells of, the oldest first. */
export async function selectMentionsOfMail(
  db: Database,
  userId: string,
  { mailAt, limit }: { mailAt: Date; limit: number },
): Promise<MentionRow[]> {
  const { rows } = await sql<MentionRow>`
    select id, project_id as "projectId", comment_id as "commentId", created_at as "createdAt", read_at as "readAt"
    from mentions where user_id = ${userId} and read_at is null and mail_at = ${mailAt}
    order by id limit ${limit}`.execute(db)
  return rows
}

export async function countUnreadMentions(db: Database, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from mentions where user_id = ${userId} and read_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

/** Marks mentions of a user as read. @param ids null for all @returns how many were unread */
export async function updateReadMentions(db: Database, userId: string, ids: readonly string[] | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with read as (
      update mentions set read_at = now()
      where user_id = ${userId} and read_at is null and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))
      returning id
    )
    select count(*)::int as count from read`.execute(db)
  return rows[0]?.count ?? 0
}

/** What a list of mentions shows of a comment. */
export interface MentioningComment {
  projectName: string
  prefix: string
  caseNumber: number | null
  runId: string | null
  resultId: string | null
  title: string
  authorName: string
  body: string
}

/**
 * Selects the comments of mentions, by id. Deleted ones are missing. Projects, runs and users are read apart: on a distributed
 * database, they are not on the nodes.
 */
export async function selectMentioningComments(
  db: Database,
  mentions: readonly MentionRow[],
): Promise<Map<string, MentioningComment>> {
  if (mentions.length === 0) return new Map()
  const projectIds = [...new Set(mentions.map(({ projectId }) => projectId))]
  const ids = mentions.map(({ commentId }) => commentId)
  const { rows: comments } = await sql<Row>`
    select c.id, c.project_id as "projectId", c.run_id as "runId", c.result_id as "resultId", c.created_by as "createdBy",
      left(c.body, 1000) as body, coalesce(c.case_number, r.case_number) as "caseNumber", coalesce(t.title, r.title) as title
    from comments c
      left join test_cases t on t.project_id = c.project_id and t.number = c.case_number
      left join test_results r on r.project_id = c.project_id and r.run_id = c.run_id and r.id = c.result_id
    where c.project_id = any(${projectIds}::uuid[]) and c.id = any(${ids}::uuid[]) and c.body is not null`.execute(db)
  const names = await selectNames(db, projectIds, comments)
  return new Map(
    comments.map(({ id, projectId, createdBy, title, ...comment }) => [
      id,
      {
        ...comment,
        projectName: names.get(projectId)?.name ?? '',
        prefix: names.get(projectId)?.prefix ?? '',
        title: title ?? names.get(comment.runId ?? '')?.name ?? '',
        authorName: names.get(createdBy)?.name ?? '',
      },
    ]),
  )
}

type Row = Pick<MentioningComment, 'caseNumber' | 'runId' | 'resultId' | 'body'> & {
  id: string
  projectId: string
  createdBy: string
  title: string | null
}

/** The names of projects, runs and authors by id, with the prefixes of projects. */
async function selectNames(
  db: Database,
  projectIds: readonly string[],
  comments: readonly Row[],
): Promise<Map<string, { name: string; prefix: string | null }>> {
  const runIds = comments.map(({ runId }) => runId).filter((id) => id !== null)
  const userIds = comments.map(({ createdBy }) => createdBy)
  const { rows } = await sql<{ id: string; name: string; prefix: string | null }>`
    select id, name, prefix from projects where id = any(${projectIds}::uuid[])
    union all
    select id, name, null from runs where id = any(${runIds}::uuid[])
    union all
    select id, name, null from users where id = any(${userIds}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}
