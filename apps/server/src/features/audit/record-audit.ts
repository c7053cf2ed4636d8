import type { AuditAction, AuditSubjectKind } from '@caseward/contract/audit'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Principal } from '../../access/principal.ts'
import { requirePrincipal } from '../../access/request.ts'
import type { Database } from '../../platform/database/connect.ts'

/** Who makes a change: a user with a session or a personal token, a CI token, or the service itself. */
export interface AuditActor {
  kind: 'user' | 'token' | 'system'
  userId: string | null
  tokenId: string | null
  /** The IP address of the client; null for the system. */
  address: string | null
  /** What the client says it is, for emails to the user; missing for the system. */
  userAgent?: string | undefined
}

/** The service itself, or the person who runs a command on its server. */
export const SYSTEM_ACTOR: AuditActor = { kind: 'system', userId: null, tokenId: null, address: null }

type ActorRequest = Pick<FastifyRequest, 'ip' | 'headers'>

/** Returns the caller of a route that is not public. */
export const getActor = (request: ActorRequest & Pick<FastifyRequest, 'principal'>): AuditActor =>
  toActor(requirePrincipal(request), request)

/** Returns a principal as the actor of a request. */
export function toActor(principal: Principal, { ip: address, headers }: ActorRequest): AuditActor {
  const userAgent = headers['user-agent']
  if (principal.kind === 'ci') return { kind: 'token', userId: null, tokenId: principal.key, address, userAgent }
  const tokenId = principal.kind === 'personal' ? principal.key : null
  return { kind: 'user', userId: principal.userId, tokenId, address, userAgent }
}

/** Returns a user as the actor of a public request, such as sign-in. */
export const toUserActor = (userId: string, { ip: address, headers }: ActorRequest): AuditActor => ({
  kind: 'user',
  userId,
  tokenId: null,
  address,
  userAgent: headers['user-agent'],
})

/** What was changed. The name of a user is looked up. */
type AuditSubject =
  | { kind: 'user'; id: string }
  | { kind: Exclude<AuditSubjectKind, 'user'>; id: string | null; name: string }

export interface NewAuditEntry {
  action: AuditAction
  subject: AuditSubject
  /** The project of the change; missing outside of projects. */
  projectId?: string
  detail?: Record<string, unknown>
}

/** Longer than any IP address: behind a proxy that passes on headers of its clients, it may be any text. */
const ADDRESS_LENGTH = 64

/**
 * Records a change in the audit log.
 * @param tx the transaction of the change, so that there is an entry if, and only if, the change is committed. Record the
 *   deletion of a project before it: names are looked up
 */
export const recordAudit = (tx: Database, actor: AuditActor, entry: NewAuditEntry): Promise<void> =>
  recordAudits(tx, actor, [entry])

/** Records several changes, as {@link recordAudit} does, in one statement. */
export async function recordAudits(
  tx: Database,
  { kind, userId, tokenId, address }: AuditActor,
  entries: readonly NewAuditEntry[],
): Promise<void> {
  const rows = entries.map(({ action, subject, projectId, detail = {} }) => {
    const id = uuidv7()
    return {
      id,
      at: getTime(id),
      action,
      subject_kind: subject.kind,
      subject_id: subject.id,
      subject_user_id: subject.kind === 'user' ? subject.id : null,
      subject_name: subject.kind === 'user' ? '' : subject.name,
      project_id: projectId ?? null,
      detail,
      // A token that has revoked itself is gone already.
      deleted_token_name: subject.kind === 'token' && subject.id === tokenId ? subject.name : '',
    }
  })
  await sql`
    insert into audit_log (
      id, at, action,
      actor_kind, actor_id, actor_name, actor_email, token_id, token_name,
      subject_kind, subject_id, subject_name, subject_email,
      project_id, project_name, address, detail
    )
    select entry.id, entry.at, entry.action,
      ${kind}::audit_actor_kind, ${userId ?? tokenId}::uuid,
      coalesce(actor.name, token.name, case when ${kind}::text = 'system' then 'System' else entry.deleted_token_name end),
      actor.email,
      case when ${kind}::text = 'user' then ${tokenId}::uuid end,
      case when ${kind}::text = 'user' and ${tokenId}::uuid is not null
        then coalesce(token.name, entry.deleted_token_name) end,
      entry.subject_kind, entry.subject_id, coalesce(subject.name, entry.subject_name), subject.email,
      entry.project_id, project.name, ${address?.slice(0, ADDRESS_LENGTH) ?? null}::text, entry.detail
    from json_to_recordset(${JSON.stringify(rows)}) as entry (
      id uuid, at timestamptz, action text, subject_kind text, subject_id text, subject_user_id uuid, subject_name text,
      project_id uuid, detail json, deleted_token_name text
    )
    left join users actor on actor.id = ${userId}::uuid
    left join api_tokens token on token.id = ${tokenId}::uuid
    left join users subject on subject.id = entry.subject_user_id
    left join projects project on project.id = entry.project_id`.execute(tx)
}

/** Returns the time at which a UUIDv7 was created, so that the order of ids is exactly that of their times. */
const getTime = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
