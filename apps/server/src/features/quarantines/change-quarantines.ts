import {
  type CreateQuarantinesBody,
  DEFAULT_QUARANTINE_DAYS,
  MAX_ACTIVE_QUARANTINES,
  MAX_QUARANTINE_DAYS,
  MAX_QUARANTINE_DAYS_AHEAD,
  type Quarantine,
  type UpdateQuarantineBody,
} from '@caseward/contract/quarantines'
import { v7 as uuidv7 } from 'uuid'

import type { UserPrincipal } from '../../access/principal.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { isUuid } from '../../platform/http/ids.ts'
import {
  conflictProblem,
  invalidFieldProblem,
  invalidProblem,
  notFoundProblem,
  unprocessableProblem,
} from '../../platform/http/problems.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'
import { type AuditActor, recordAudit, recordAudits } from '../audit/record-audit.ts'
import { requireActiveCaller } from '../auth/session/require-active-caller.ts'
import { invalidateOpenEvaluations } from '../evaluation/evaluated-run.queries.ts'
import { normalizeLinkAddress } from '../links/link-address.ts'
import { lockMembers, selectMember } from '../members/members.queries.ts'
import { requireRole } from '../members/require-role.ts'
import { endExpired } from './end-expired.ts'
import * as quarantines from './quarantines.queries.ts'

const DAY_MS = 86_400_000
/** A client counts the days from its own time. */
const TOLERANCE_MS = 60 * 60 * 1000

/** Who changes quarantines of which project. */
export interface QuarantineCaller {
  actor: AuditActor
  user: UserPrincipal
  project: ProjectRef
}

/**
 * Quarantines tests: all of them, or none.
 * @throws {Problem} 400 for a field, or `expires_too_late`; 403; 409 `already_quarantined`; 422 `too_many_quarantines`
 */
export async function createQuarantines(
  db: Database,
  caller: QuarantineCaller,
  body: CreateQuarantinesBody,
): Promise<Quarantine[]> {
  const { project, actor } = caller
  const now = new Date()
  const { ids, pathOf } = readTestIds(body)
  const expiresAt = parseEnd(body.expires_at, { now, createdAt: now })
  const link = parseLink(body.link ?? null)
  return await inTransaction(db, caller, async (tx) => {
    const tests = await quarantines.selectQuarantinedTests(tx, project, ids)
    const unknown = ids.filter((id) => !tests.has(id))
    if (unknown.length > 0)
      throw invalidProblem(unknown.map((id) => ({ path: pathOf(id), message: 'is no test of the project' })))
    const ownerId = body.owner_id ?? caller.user.userId
    await requireOwner(tx, project.id, ownerId)
    await endExpired(tx, project.id)
    if ((await quarantines.countActive(tx, project.id)) + ids.length > MAX_ACTIVE_QUARANTINES)
      throw tooManyQuarantinesProblem()
    const entries = ids.map((testId) => ({ id: uuidv7(), testId, reason: body.reason }))
    const quarantined = await quarantines.insertQuarantines(tx, project.id, entries, {
      ownerId,
      createdBy: caller.user.userId,
      link,
      branches: body.branches ?? [],
      expiresAt,
      isAutomatic: false,
    })
    if (quarantined.size > 0) throw alreadyQuarantinedProblem([...quarantined], pathOf)
    await recordAudits(
      tx,
      actor,
      entries.map(({ id, testId }) => ({
        action: 'quarantine.add',
        subject: { kind: 'quarantine', id, name: tests.get(testId)?.name ?? '' },
        projectId: project.id,
        detail: { test_id: testId, reason: body.reason, owner_id: ownerId, expires_at: expiresAt },
      })),
    )
    const rows = await quarantines.selectQuarantines(tx, project.id, { ids: entries.map(({ id }) => id) }, ids.length)
    return await quarantines.presentQuarantines(tx, project, rows.toReversed())
  })
}

/** @throws {Problem} 400 for a field, or `expires_too_late`; 403; 404; 409 `quarantine_ended` */
export async function changeQuarantine(
  db: Database,
  caller: QuarantineCaller,
  id: string,
  changes: UpdateQuarantineBody,
): Promise<Quarantine> {
  const { project, actor } = caller
  return await inTransaction(db, caller, async (tx) => {
    const before = await requireQuarantine(tx, project.id, id)
    if (!before.is_active) throw quarantineEndedProblem()
    const { reason, owner_id, branches } = changes
    if (owner_id !== undefined && owner_id !== before.owner_id) await requireOwner(tx, project.id, owner_id)
    const after: quarantines.QuarantineRow = {
      ...before,
      ...(reason === undefined ? {} : { reason }),
      ...(owner_id === undefined ? {} : { owner_id }),
      ...(branches === undefined ? {} : { branches }),
      ...(changes.link === undefined ? {} : { link: parseLink(changes.link) }),
      ...(changes.expires_at === undefined
        ? {}
        : { expires_at: parseEnd(changes.expires_at, { now: new Date(), createdAt: before.created_at }) }),
    }
    await quarantines.updateQuarantine(tx, project.id, after)
    const detail = listChanges(before, after)
    if (Object.keys(detail).length > 0)
      await recordAudit(tx, actor, {
        action: 'quarantine.change',
        subject: await toSubject(tx, project, before),
        projectId: project.id,
        detail: { test_id: before.test_id, ...detail },
      })
    return await present(tx, project, id)
  })
}

/** Ends a quarantine. One that has ended stays as it is. @throws {Problem} 403; 404 */
export async function endQuarantine(
  db: Database,
  caller: QuarantineCaller,
  id: string,
  reason: string | null,
): Promise<Quarantine> {
  const { project, actor } = caller
  return await inTransaction(db, caller, async (tx) => {
    const before = await requireQuarantine(tx, project.id, id)
    if (before.is_active) {
      await quarantines.updateEnded(tx, project.id, id, { endedBy: caller.user.userId, reason })
      await recordAudit(tx, actor, {
        action: 'quarantine.end',
        subject: await toSubject(tx, project, before),
        projectId: project.id,
        detail: { test_id: before.test_id, reason },
      })
    }
    return await present(tx, project, id)
  })
}

/**
 * Locks the project, so that its quarantines are counted rightly, and checks the caller again under the lock. Runs that are not
 * settled are evaluated again.
 */
async function inTransaction<T>(
  db: Database,
  { user, project }: QuarantineCaller,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  const result = await transactionWithRowMutex(db, project.id, async (tx) => {
    await lockMembers(tx, project.id)
    await requireRole(tx, { projectId: project.id, userId: user.userId }, 'quarantine:manage')
    await requireActiveCaller(tx, user)
    return await work(tx)
  })
  // Afterwards, because uploads lock their run before the project.
  await invalidateOpenEvaluations(db, project.id)
  return result
}

async function requireQuarantine(tx: Database, projectId: string, id: string): Promise<quarantines.QuarantineRow> {
  const row = isUuid(id) ? await quarantines.selectQuarantine(tx, projectId, id, { forUpdate: true }) : undefined
  if (row === undefined) throw notFoundProblem('quarantine')
  return row
}

async function requireOwner(tx: Database, projectId: string, userId: string): Promise<void> {
  if (isUuid(userId) && (await selectMember(tx, projectId, userId)) !== undefined) return
  throw invalidFieldProblem('/owner_id', 'must be a member of the project')
}

async function present(tx: Database, project: ProjectRef, id: string): Promise<Quarantine> {
  const row = await quarantines.selectQuarantine(tx, project.id, id)
  const [quarantine] = await quarantines.presentQuarantines(tx, project, row === undefined ? [] : [row])
  if (quarantine === undefined) throw notFoundProblem('quarantine')
  return quarantine
}

const toSubject = async (tx: Database, project: ProjectRef, { id, test_id: testId }: quarantines.QuarantineRow) => {
  const tests = await quarantines.selectQuarantinedTests(tx, project, [testId])
  return { kind: 'quarantine', id, name: tests.get(testId)?.name ?? '' } as const
}

/** Returns the tests, each once, and the field that names each. */
function readTestIds({ test_id: one, test_ids: several }: CreateQuarantinesBody) {
  if ((one === undefined) === (several === undefined))
    throw invalidFieldProblem('/test_id', 'is required, or test_ids in its place')
  const ids = [...new Set(several ?? [one ?? ''])]
  const pathOf = (id: string) => (several === undefined ? '/test_id' : `/test_ids/${several.indexOf(id)}`)
  const invalid = ids.filter((id) => !isUuid(id))
  if (invalid.length > 0)
    throw invalidProblem(invalid.map((id) => ({ path: pathOf(id), message: 'is no test of the project' })))
  return { ids, pathOf }
}

function parseLink(link: string | null): string | null {
  if (link === null || link === '') return null
  normalizeLinkAddress(link, '/link')
  return link
}

/** @throws {Problem} 400, with `expires_too_late` for a time after the limits */
function parseEnd(text: string | undefined, { now, createdAt }: { now: Date; createdAt: Date }): Date {
  if (text === undefined) return new Date(now.getTime() + DEFAULT_QUARANTINE_DAYS * DAY_MS)
  const end = parseTimestamp(text)
  if (end === null || end <= now) throw invalidFieldProblem('/expires_at', 'must be in the future')
  if (end.getTime() > now.getTime() + MAX_QUARANTINE_DAYS_AHEAD * DAY_MS + TOLERANCE_MS)
    throw expiresTooLateProblem(`must be at most ${MAX_QUARANTINE_DAYS_AHEAD} days from now`)
  if (end.getTime() > createdAt.getTime() + MAX_QUARANTINE_DAYS * DAY_MS + TOLERANCE_MS)
    throw expiresTooLateProblem(
      `must be at most ${MAX_QUARANTINE_DAYS} days after the quarantine began. Let it end, and add one with a new reason`,
    )
  return end
}

/** Lists what changed, for the audit log. */
function listChanges(before: quarantines.QuarantineRow, after: quarantines.QuarantineRow): Record<string, unknown> {
  const names = ['reason', 'owner_id', 'link', 'branches', 'expires_at'] as const
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
}

const expiresTooLateProblem = (message: string) => invalidFieldProblem('/expires_at', message, 'expires_too_late')

const alreadyQuarantinedProblem = (ids: readonly string[], pathOf: (id: string) => string) =>
  conflictProblem(
    'already_quarantined',
    `${ids.length === 1 ? 'The test is' : `${ids.length} of the tests are`} quarantined already, and nothing was stored. Change the existing quarantine, or leave the test out.`,
    ids.map((id) => ({ path: pathOf(id), message: 'is quarantined already' })),
  )

const quarantineEndedProblem = () =>
  conflictProblem('quarantine_ended', 'This quarantine has ended. Add a new one with a new reason.')

const tooManyQuarantinesProblem = () =>
  unprocessableProblem(
    'too_many_quarantines',
    `The project would have more than ${MAX_ACTIVE_QUARANTINES.toLocaleString('en')} quarantines in effect, which is the limit. Nothing was stored; end some that are no longer needed first.`,
  )
