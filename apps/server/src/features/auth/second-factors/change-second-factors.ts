import type { AddedFactor } from '@caseward/contract/second-factors'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { requireUserPrincipal } from '../../../access/request.ts'
import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { isUuid } from '../../../platform/http/ids.ts'
import {
  invalidFieldProblem,
  notFoundProblem,
  unauthenticatedProblem,
  unprocessableProblem,
} from '../../../platform/http/problems.ts'
import { SecretKeyMissingError } from '../../../platform/secret-key.ts'
import { type AuditActor, getActor, recordAudit } from '../../audit/record-audit.ts'
import { enqueueSecurityNotice } from '../security-mail/enqueue-security-notice.ts'
import { selectInstanceSettings } from '../../admin/instance-settings.queries.ts'
import { limitPasswordChangeFailures } from '../session/limit-password-failures.ts'
import { requireActiveCaller } from '../session/require-active-caller.ts'
import { markSessionSecondFactor } from '../session/session.queries.ts'
import { findUser, lockUser, type UserRow } from '../users/users.queries.ts'
import { presentSecondFactor } from './present-second-factor.ts'
import { generateRecoveryCodes } from './recovery-codes.ts'
import * as queries from './second-factors.queries.ts'
import { findTimeStep, generateTotpSecret } from './totp.ts'

/** How many factors a user can have. */
const MAX_FACTORS = 10

/**
 * Stores an authenticator app that has not given a code yet.
 * @returns its id and secret
 * @throws {Problem} 422 `secret_key_missing`, `second_factor_limit`
 */
export async function setUpTotp({ db, secretBox }: Deps, userId: string, name: string) {
  const id = queries.generateFactorId()
  const secret = generateTotpSecret()
  const encrypted = await secretBox.encrypt(secret, id).catch((error: unknown) => {
    throw error instanceof SecretKeyMissingError ? secretKeyMissingProblem() : error
  })
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    await requireRoomForFactor(tx, userId)
    await queries.insertPendingTotp(tx, { id, userId, name, secret: encrypted })
  })
  return { id, secret, expiresAt: new Date(Date.now() + queries.SETUP_MINUTES * 60_000) }
}

/**
 * Returns the secret of an authenticator app that waits for its first code, to show it again.
 * @throws {Problem} 404
 */
export async function readPendingSecret(deps: Deps, userId: string, factorId: string): Promise<Buffer> {
  const factor = isUuid(factorId) ? await queries.findPendingTotp(deps.db, userId, factorId) : undefined
  const secret = factor === undefined ? null : await deps.secretBox.decrypt(factor.totp_secret, factor.id)
  if (secret === null) throw notFoundProblem('authenticator app that waits for its first code')
  return secret
}

/**
 * Takes an authenticator app into use with its first code.
 * @throws {Problem} 400 for a wrong code; 404; 429
 */
export async function activateTotp(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { factorId, code }: { factorId: string; code: string },
): Promise<AddedFactor> {
  const { userId, key: sessionId } = requireUserPrincipal(request)
  const user = await requireUser(deps.db, userId)
  const secret = await readPendingSecret(deps, userId, factorId)
  const attempt = { request, reply, email: user.email, client: sessionId, secretKind: 'codes' } as const
  const timeStep = await limitPasswordChangeFailures(deps, attempt, () =>
    Promise.resolve(findTimeStep(secret, code.replaceAll(/\s/g, ''), null)),
  )
  if (timeStep === null) throw wrongCodeProblem()
  return await deps.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const row = await queries.activateTotp(tx, factorId, timeStep)
    if (row === undefined) throw notFoundProblem('authenticator app that waits for its first code')
    return await completeNewFactor(tx, request, row)
  })
}

/** What follows when a factor of the caller was stored: the first one brings recovery codes. */
export async function completeNewFactor(
  tx: Database,
  request: FastifyRequest,
  row: queries.SecondFactorRow,
): Promise<AddedFactor> {
  const caller = requireUserPrincipal(request)
  const { userId, key: sessionId } = caller
  await requireActiveCaller(tx, caller)
  const actor = getActor(request)
  const isFirst = (await findUser(tx, userId))?.has_second_factor === false
  await recordAudit(tx, actor, {
    action: 'second_factor.add',
    subject: { kind: 'user', id: userId },
    detail: { kind: row.kind, name: row.name },
  })
  await enqueueSecurityNotice(tx, actor, { kind: 'factor_add', userId, detail: { name: row.name, user: userId } })
  // The user has just proved it in this session.
  await markSessionSecondFactor(tx, sessionId)
  if (!isFirst) return { factor: presentSecondFactor(row), recovery_codes: null }
  await queries.updateHasSecondFactor(tx, userId, true)
  await queries.markFirstFactor(tx, row.id)
  return { factor: presentSecondFactor(row), recovery_codes: await createRecoveryCodes(tx, actor, userId) }
}

/** @throws {Problem} 404 for an unknown factor; 422 `last_second_factor` where the instance requires one */
export async function removeSecondFactor(
  { db }: Deps,
  actor: AuditActor,
  userId: string,
  factorId: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const isLast = await removeFactor(tx, actor, userId, factorId)
    if (isLast && (await selectInstanceSettings(tx)).require_second_factor) throw lastFactorProblem()
  })
}

/**
 * Removes a factor, and the recovery codes with the last one.
 * @param tx transaction that has locked the user
 * @returns whether it was the last one
 * @throws {Problem} 404 for an unknown factor
 */
export async function removeFactor(
  tx: Database,
  actor: AuditActor,
  userId: string,
  factorId: string,
  detail: Record<string, string> = {},
): Promise<boolean> {
  const removed = isUuid(factorId) ? await queries.deleteSecondFactor(tx, userId, factorId) : undefined
  if (removed === undefined) throw notFoundProblem('second factor')
  await recordAudit(tx, actor, {
    action: 'second_factor.remove',
    subject: { kind: 'user', id: userId },
    detail: { kind: removed.kind, name: removed.name, ...detail },
  })
  await enqueueSecurityNotice(tx, actor, { kind: 'factor_remove', userId, detail: { name: removed.name } })
  const isLast = (await queries.selectSecondFactors(tx, userId)).length === 0
  if (isLast) await queries.deleteSecondFactors(tx, userId)
  return isLast
}

/** @throws {Problem} 422 `no_second_factor` */
export async function renewRecoveryCodes({ db }: Deps, actor: AuditActor, userId: string): Promise<string[]> {
  return await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    if ((await findUser(tx, userId))?.has_second_factor !== true) throw noSecondFactorProblem()
    await enqueueSecurityNotice(tx, actor, { kind: 'recovery_codes', userId })
    return await createRecoveryCodes(tx, actor, userId)
  })
}

async function createRecoveryCodes(tx: Database, actor: AuditActor, userId: string): Promise<string[]> {
  const codes = generateRecoveryCodes()
  await queries.replaceRecoveryCodes(tx, userId, codes)
  await recordAudit(tx, actor, { action: 'recovery_codes.create', subject: { kind: 'user', id: userId } })
  return codes
}

/** @throws {Problem} 422 `second_factor_limit` */
export async function requireRoomForFactor(tx: Database, userId: string): Promise<void> {
  if ((await queries.selectSecondFactors(tx, userId)).length >= MAX_FACTORS) throw factorLimitProblem()
}

async function requireUser(db: Database, userId: string): Promise<UserRow> {
  const user = await findUser(db, userId)
  if (user === undefined) throw unauthenticatedProblem('Your account was deleted.')
  return user
}

const wrongCodeProblem = () =>
  invalidFieldProblem(
    '/code',
    'is wrong: enter the code that your app shows now, and check the time of the device',
    'wrong_second_factor',
  )

const factorLimitProblem = () =>
  unprocessableProblem(
    'second_factor_limit',
    `You have ${MAX_FACTORS} second factors, which is the limit. Remove one that you no longer use first.`,
  )

const lastFactorProblem = () =>
  unprocessableProblem(
    'last_second_factor',
    'This server requires a second factor, and this is your last one. Add another one first.',
  )

const noSecondFactorProblem = () =>
  unprocessableProblem('no_second_factor', 'You have no second factor, so you need no recovery codes.')

const secretKeyMissingProblem = () =>
  unprocessableProblem(
    'secret_key_missing',
    'This server cannot store the secrets of authenticator apps: with DATABASE_URL, its operator has to set SECRET_KEY, to the same value on all servers. Passkeys need no such key.',
  )
