import { MAX_SHARES, type Share, type SharePart } from '@caseward/contract/shares'
import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { presentNullableTime, presentTime } from '../../platform/http/timestamps.ts'

/** What a report is about. */
export type ShareSubject = { kind: 'run'; id: string } | { kind: 'milestone'; id: string }

/** Who may share reports in a project. */
export type ShareSetting = 'members' | 'admins' | 'off'

export interface NewShareInput {
  id: string
  projectId: string
  subject: ShareSubject
  name: string
  secretDigest: Buffer
  include: readonly SharePart[]
  createdBy: string
  expiresAt: Date
}

interface ShareRow {
  id: string
  name: string
  kind: 'run' | 'milestone'
  subject_id: string
  subject_name: string
  include: SharePart[]
  state: Share['state']
  created_by: string | null
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
  view_count: number
  viewed_at: Date | null
  review_reason: Share['review_reason']
}

const STATE = sql`case when s.revoked_at is not null then 'revoked' when s.expires_at <= now() then 'expired' else 'open' end`
const isOpen = sql`s.revoked_at is null and s.expires_at > now()`

const fields = sql`
  s.id, s.name, s.include, s.created_by, s.created_at, s.expires_at, s.revoked_at, s.view_count, s.viewed_at,
  case when s.run_id is null then 'milestone' else 'run' end as kind, coalesce(s.run_id, s.milestone_id) as subject_id,
  coalesce(r.name, m.name) as subject_name, ${STATE} as state,
  case when ${isOpen} and not exists (
    select from memberships member join users u on u.id = member.user_id
    where member.project_id = s.project_id and member.user_id = s.created_by and member.role <> 'viewer'
      and u.disabled_at is null
  ) then 'creator_left' end as review_reason`
const tables = sql`
  shares s
  left join runs r on r.id = s.run_id
  left join milestones m on m.project_id = s.project_id and m.id = s.milestone_id`

export const presentShare = ({ kind, subject_id, subject_name, ...row }: ShareRow): Share => ({
  id: row.id,
  name: row.name,
  subject: { kind, id: subject_id, name: subject_name },
  include: row.include,
  state: row.state,
  created_by: row.created_by,
  created_at: presentTime(row.created_at),
  expires_at: presentTime(row.expires_at),
  revoked_at: presentNullableTime(row.revoked_at),
  view_count: row.view_count,
  viewed_at: presentNullableTime(row.viewed_at),
  review_reason: row.review_reason,
})

const isAbout = ({ kind, id }: ShareSubject): RawBuilder<boolean> =>
  kind === 'run' ? sql<boolean>`s.run_id = ${id}` : sql<boolean>`s.milestone_id = ${id}`

/** Selects the shared reports of a project, or those of one subject, the newest first. Their number is limited. */
export async function selectShares(db: Database, projectId: string, subject?: ShareSubject): Promise<ShareRow[]> {
  const { rows } = await sql<ShareRow>`
    select ${fields} from ${tables}
    where s.project_id = ${projectId} ${subject === undefined ? sql`` : sql`and ${isAbout(subject)}`}
    order by s.id desc`.execute(db)
  return rows
}

/** Inserts a share. Violates a foreign key when its subject is gone. */
export async function insertShare(tx: Database, input: NewShareInput): Promise<ShareRow> {
  const { id, projectId, subject, name, secretDigest, include, createdBy, expiresAt } = input
  await tx
    .insertInto('shares')
    .values({
      id,
      project_id: projectId,
      [subject.kind === 'run' ? 'run_id' : 'milestone_id']: subject.id,
      name,
      secret_digest: secretDigest,
      include: [...include],
      created_by: createdBy,
      expires_at: expiresAt,
    })
    .execute()
  const { rows } = await sql<ShareRow>`select ${fields} from ${tables} where s.id = ${id}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('A share is gone within its own transaction')
  return row
}

/** Counts the shares of a project that can be opened, whose lock the caller holds, and deletes all but the last ones that ended. */
export async function countOpenShares(tx: Database, projectId: string): Promise<number> {
  await sql`
    delete from shares where id in (
      select s.id from shares s where s.project_id = ${projectId} and not (${isOpen})
      order by s.id desc offset ${sql.lit(MAX_SHARES)}
    )`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from shares s where s.project_id = ${projectId} and ${isOpen}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Revokes a share. Returns its name and subject; undefined when the project has none that can be revoked with this id. */
export async function updateRevoked(tx: Database, projectId: string, id: string) {
  return await tx
    .updateTable('shares')
    .set({ revoked_at: sql<Date>`now()` })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(['name', 'run_id', 'milestone_id'])
    .executeTakeFirst()
}

/** Whether a project has a share with this id, in whatever state. */
export async function hasShare(tx: Database, projectId: string, id: string): Promise<boolean> {
  const { rows } = await sql`select from shares where project_id = ${projectId} and id = ${id}`.execute(tx)
  return rows.length > 0
}

/** Revokes the shares of all projects that a user has created, and returns how many there were. */
export async function revokeSharesOfUser(tx: Database, userId: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('shares')
    .set({ revoked_at: sql<Date>`now()` })
    .where('created_by', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Who may share reports in a project; undefined when the project is gone. */
export async function selectShareSetting(db: Database, projectId: string): Promise<ShareSetting | undefined> {
  const row = await db.selectFrom('projects').select('shares').where('id', '=', projectId).executeTakeFirst()
  return row?.shares as ShareSetting | undefined
}

/** A share that somebody opens. */
export interface OpenedShare {
  id: string
  name: string
  subject: ShareSubject
  include: ReadonlySet<SharePart>
  state: Share['state']
  project: { id: string; prefix: string; name: string }
  setting: ShareSetting
}

/** Finds a share by the digest of its secret: one look-up in an index, whatever its state is. */
export async function selectShareByDigest(db: Database, secretDigest: Buffer): Promise<OpenedShare | undefined> {
  const { rows } = await sql<{
    id: string
    name: string
    runId: string | null
    milestoneId: string | null
    include: SharePart[]
    state: Share['state']
    projectId: string
    prefix: string
    projectName: string
    setting: ShareSetting
  }>`
    select s.id, s.name, s.run_id as "runId", s.milestone_id as "milestoneId", s.include, ${STATE} as state,
      p.id as "projectId", p.prefix, p.name as "projectName", p.shares as setting
    from shares s join projects p on p.id = s.project_id
    where s.secret_digest = ${secretDigest}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { id, name, runId, milestoneId, include, state, projectId, prefix, projectName, setting } = row
  return {
    id,
    name,
    subject: runId === null ? { kind: 'milestone', id: milestoneId ?? '' } : { kind: 'run', id: runId },
    include: new Set(include),
    state,
    project: { id: projectId, prefix, name: projectName },
    setting,
  }
}

/** Adds views of shares, with the time of the last one of each. */
export async function addViews(
  db: Database,
  views: readonly { shareId: string; count: number; viewedAt: Date }[],
): Promise<void> {
  await sql`
    update shares s set view_count = s.view_count + viewed.count, viewed_at = greatest(s.viewed_at, viewed.at)
    from unnest(
      ${views.map(({ shareId }) => shareId)}::uuid[], ${views.map(({ count }) => count)}::int[],
      ${views.map(({ viewedAt }) => viewedAt.toISOString())}::timestamptz[]
    ) as viewed (id, count, at)
    where s.id = viewed.id`.execute(db)
}
