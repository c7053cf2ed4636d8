import { createHash, createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import {
  acceptsIdempotencyKey,
  createIdempotencyKeyHeaders,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENT_REPLAYED_HEADER,
} from '@caseward/contract/idempotency'
import { problems } from '@caseward/contract/problem'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

import { type Database, getPool, violatesConstraint } from '../platform/database/connect.ts'
import { beginRequestTransaction, type RequestTransaction } from '../platform/database/request-transaction.ts'
import type { App } from '../platform/http/app.ts'
import { conflictProblem, Problem, unauthenticatedProblem, unprocessableProblem } from '../platform/http/problems.ts'
import { readPayload } from '../platform/http/read-payload.ts'
import {
  insertKey,
  type KeyedRequest,
  type KeyOwner,
  getKeyOwnerId,
  selectResponse,
  type StoredResponse,
  trimKeys,
  tryLockKey,
  updateResponse,
} from './idempotency-keys.queries.ts'
import { getLoadOwnerId } from './principal.ts'
import { requirePrincipal } from './request.ts'

/** A response that is larger is not kept. */
const MAX_RESPONSE_BYTES = 1024 * 1024
/** How long a repeat waits for the request that it repeats. */
const MAX_WAIT_MS = 2000
const WAIT_INTERVAL_MS = 100
/** An owner's keys are counted at about one in a hundred requests, and more often when their responses are large. */
const TRIM_EVERY_KEYS = 100
const TRIM_EVERY_BYTES = 256 * 1024

/** All routes share these: making them for each takes a tenth of the start. */
const keyHeaders = createIdempotencyKeyHeaders()
const keyProblems = problems(400, 409, 422)

/**
 * Lets every POST of a signed-in caller be repeated safely: with the same `Idempotency-Key`, the first response is returned
 * again. Such a request has one transaction, which contains all that its handler writes, and the response: a server that
 * dies leaves both or neither. Handlers do not know of it (`platform/database/request-transaction.ts`), so that it holds for
 * every new route. Only successes are kept: after an error, nothing was stored and the key is free.
 */
export function registerIdempotency(app: App, { db }: { db: Database }): void {
  app.addHook('onRoute', (route) => {
    if (!acceptsKey(route)) return
    route.schema = {
      ...route.schema,
      headers: keyHeaders,
      response: { ...keyProblems, ...(route.schema?.response as object) },
    }
    // Last of all checks: the body of the request is complete, and valid.
    route.preHandler = [...[route.preHandler ?? []].flat(), createKeyHandler(db)]
  })
}

function acceptsKey({ method, config }: RouteOptions): boolean {
  const { permission } = config ?? {}
  return (
    permission !== undefined &&
    [method].flat().some((name) => acceptsIdempotencyKey({ method: name, config: { permission } }))
  )
}

const createKeyHandler =
  (db: Database) =>
  (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const key = request.headers[IDEMPOTENCY_KEY_HEADER]
    if (typeof key !== 'string') {
      done()
      return
    }
    void handleKey(db, key, { request, reply, done })
  }

interface Handling {
  request: FastifyRequest
  reply: FastifyReply
  /** Calls the handler. */
  done: (error?: Error) => void
}

async function handleKey(db: Database, key: string, { request, reply, done }: Handling): Promise<void> {
  let claim: Claim
  try {
    claim = await claimKey(db, describeRequest(request, key), getLoadOwnerId(requirePrincipal(request)))
  } catch (error) {
    done(error as Error)
    return
  }
  if (claim.stored !== undefined) {
    sendAgain(reply, claim.stored)
    return
  }
  const { tx } = claim
  const newClaim: NewClaim = claim
  request.beforeSend = (sentReply, payload) => finish(newClaim, sentReply, payload)
  tx.run(done)
}

function describeRequest(request: FastifyRequest, key: string): KeyedRequest {
  const requestDigest = createHmac('sha256', key)
    .update(`${request.method} ${request.url}\n`)
    .update(request.bodyDigest ?? '')
    .digest()
  return { owner: getOwner(request), keyDigest: createHash('sha256').update(key).digest(), requestDigest }
}

/** The sessions of a user share their keys. */
function getOwner(request: FastifyRequest): KeyOwner {
  const principal = requirePrincipal(request)
  return principal.kind === 'session'
    ? { tokenId: null, userId: principal.userId }
    : { tokenId: principal.key, userId: null }
}

interface NewClaim {
  request: KeyedRequest
  tx: RequestTransaction
  stored?: never
  /** Lets others have the key. */
  forget(): void
}

/** The key is new, and belongs to this request; or it was used, and there is a response. */
type Claim = NewClaim | { stored: StoredResponse }

/**
 * @throws {Problem} 409 while another request has the key; 422 when it was used for another request; 503 when too many others
 *   have keys
 */
async function claimKey(db: Database, request: KeyedRequest, loadOwnerId: string): Promise<Claim> {
  const startedAt = performance.now()
  for (;;) {
    const claim = await claimKeyOnServer(db, request, loadOwnerId)
    if (claim !== null) return claim
    if (performance.now() - startedAt > MAX_WAIT_MS) throw requestInProgressProblem()
    // Holds no connection meanwhile.
    await sleep(WAIT_INTERVAL_MS)
  }
}

/** The keys of the requests that this server has, by their database: a repeat needs no connection to know of them. */
const keysInProgress = new WeakMap<Database, Set<string>>()

/** Returns null when another request has the key. */
async function claimKeyOnServer(db: Database, request: KeyedRequest, loadOwnerId: string): Promise<Claim | null> {
  let keys = keysInProgress.get(db)
  if (keys === undefined) keysInProgress.set(db, (keys = new Set()))
  const id = `${getKeyOwnerId(request.owner)} ${request.keyDigest.toString('base64')}`
  if (keys.has(id)) return null
  keys.add(id)
  const forget = () => void keys.delete(id)
  let isNew = false
  try {
    const claim = await tryClaimKey(db, request, loadOwnerId)
    if (claim === null || claim.stored !== undefined) return claim
    isNew = true
    return { ...claim, forget }
  } finally {
    if (!isNew) forget()
  }
}

/** The same, for the requests of all servers. */
async function tryClaimKey(
  db: Database,
  request: KeyedRequest,
  loadOwnerId: string,
): Promise<Omit<NewClaim, 'forget'> | { stored: StoredResponse } | null> {
  const tx = await beginRequestTransaction(getPool(db), loadOwnerId)
  let isNew = false
  try {
    if (!(await tryLockKey(tx, request))) return null
    isNew = await insertKey(tx, request)
    if (isNew) return { request, tx }
    const stored = await selectResponse(tx, request)
    if (stored === null) return null
    if (!stored.request_digest.equals(request.requestDigest)) throw keyReusedProblem()
    return { stored }
  } catch (error) {
    isNew = false
    throw isOwnerGone(error) ? unauthenticatedProblem('The token or session has just ended.') : error
  } finally {
    if (!isNew) await tx.rollback()
  }
}

const isOwnerGone = (error: unknown): boolean =>
  violatesConstraint(error, 'idempotency_keys_token_id_fkey') ||
  violatesConstraint(error, 'idempotency_keys_user_id_fkey')

/** Keeps a success and commits; after an error, undoes all that the request has written. */
async function finish({ tx, request, forget }: NewClaim, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const { statusCode: status } = reply
  if (status < 200 || status >= 300) {
    await tx.rollback().finally(forget)
    return payload
  }
  try {
    const read = await readPayload(payload, MAX_RESPONSE_BYTES)
    const isSecret = reply.request.routeOptions.config.returnsSecret === true
    const body = isSecret ? null : read.text
    const type = reply.getHeader('content-type')
    await updateResponse(tx, request, { status, content_type: type === undefined ? null : String(type), body })
    const bytes = body?.length ?? 0
    if (Math.random() < 1 / TRIM_EVERY_KEYS + bytes / TRIM_EVERY_BYTES) await trimKeys(tx, request.owner)
    await tx.commit()
    return read.payload
  } catch (error) {
    await tx.rollback()
    throw error
  } finally {
    forget()
  }
}

function sendAgain(reply: FastifyReply, { status, content_type: type, body }: StoredResponse): void {
  void reply.header(IDEMPOTENT_REPLAYED_HEADER, 'true')
  if (body === null) {
    void reply.send(responseNotKeptProblem(status, reply.request.routeOptions.config.returnsSecret === true))
    return
  }
  void reply.code(status)
  if (type !== null) void reply.header('content-type', type)
  void (body === '' ? reply.send() : reply.send(body))
}

const requestInProgressProblem = () =>
  new Problem(
    409,
    'request_in_progress',
    'A request with this Idempotency-Key is still in progress. Send it again in a moment.',
    { headers: { 'retry-after': '1' } },
  )

const keyReusedProblem = () =>
  unprocessableProblem(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request, with another URL or body. Use a new key for each request, and the same one only to repeat it.',
  )

const responseNotKeptProblem = (status: number, isSecret: boolean) =>
  conflictProblem(
    'response_not_kept',
    `The first request with this Idempotency-Key was successful (status ${status}), and nothing was done now. ${
      isSecret
        ? 'Its response contained a secret and was not kept. If you did not receive it, revoke what was created, and create another with a new key.'
        : 'Its response was too large to be kept. Read what it created.'
    }`,
  )
