import type { SecondFactorMethod } from '@caseward/contract/second-factor-proofs'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Cookies } from '../../../access/cookies.ts'
import type { SessionMethod } from '../../../access/principals.queries.ts'
import { forbiddenProblem } from '../../../platform/http/problems.ts'
import { recordAudit, toUserActor } from '../../audit/record-audit.ts'
import {
  insertPendingSignIn,
  PENDING_SIGN_IN_MINUTES,
  type PendingSession,
} from '../second-factors/pending-sign-ins.queries.ts'
import { enqueueSecurityNotice } from '../security-mail/enqueue-security-notice.ts'
import { recordSignIn } from '../users/users.queries.ts'
import { saveKnownBrowser } from './known-browsers.queries.ts'
import {
  deleteEndedSessions,
  deleteSessionBySecret,
  insertSession,
  PASSWORD_SESSION,
  type SessionStart,
} from './session.queries.ts'

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS
const DAY_SECONDS = 24 * HOUR_SECONDS
/** The longest time for which browsers keep a cookie. */
const KNOWN_BROWSER_DAYS = 400

/** The secrets of the cookies that a sign-in sets: `pending` while the second factor is missing. */
export type SignInSecrets = SessionSecrets | { pending: string }

interface SessionSecrets {
  session: string
  sessionHours: number
  /** Marks the browser as one in which the user has signed in; null for a program, which would not keep it. */
  browser: string | null
}

interface StartOptions {
  /** How the session begins; by default with a password. */
  start?: SessionStart
  /** Whether another email to the user names this sign-in already. */
  isAnnounced?: boolean
  /** How the user has proved a second factor. */
  secondFactor?: SecondFactorMethod
}

/**
 * Starts a session for the browser that sent the request, or a sign-in that waits for the second factor if the user has one.
 * The session that the browser already had is deleted, so that a cookie planted by an attacker never becomes the user's
 * session. The user gets an email about a sign-in in a new browser, except for the first sign-in of all.
 * @param tx transaction of the caller, who clears the principal cache and sets the cookies after the commit
 * @returns the secrets for {@link setSignInCookies}
 * @throws {Problem} 403 `account_disabled`; call it only after the user has proved who they are
 */
export async function startSession(
  tx: Database,
  cookies: Cookies,
  request: FastifyRequest,
  userId: string,
  { start = PASSWORD_SESSION, isAnnounced = false, secondFactor }: StartOptions = {},
): Promise<SignInSecrets> {
  const hasSecondFactor = secondFactor !== undefined
  const signIn = await recordSignIn(tx, userId, { hasSecondFactor })
  if (signIn === undefined) throw accountDisabledProblem()
  if (!signIn.isComplete)
    return { pending: await startPendingSignIn(tx, cookies, request, userId, { start, isAnnounced }) }
  const previousSecret = cookies.read(request, 'session')
  if (previousSecret !== null) await deleteSessionBySecret(tx, previousSecret)
  await deleteEndedSessions(tx, userId)
  const actor = toUserActor(userId, request)
  await recordAudit(tx, actor, {
    action: 'session.create',
    subject: { kind: 'user', id: userId },
    detail: { ...methodDetails[start.method], ...(hasSecondFactor ? { second_factor: secondFactor } : {}) },
  })
  const session = await insertSession(tx, userId, request.headers['user-agent'], { ...start, hasSecondFactor })
  const sessionHours = start.hours
  if (!isFromBrowser(request)) return { session, sessionHours, browser: null }
  const browser = await saveKnownBrowser(tx, userId, cookies.read(request, 'browser'))
  const isUnexpected = browser.isNew && !signIn.isFirst && !isAnnounced
  if (isUnexpected) await enqueueSecurityNotice(tx, actor, { kind: 'new_browser', userId })
  return { session, sessionHours, browser: browser.secret }
}

/** Stores the sign-in with where it comes from, for the email to the user if it is not completed. */
async function startPendingSignIn(
  tx: Database,
  cookies: Cookies,
  request: FastifyRequest,
  userId: string,
  pending: PendingSession,
): Promise<string> {
  return await insertPendingSignIn(tx, userId, pending, {
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    previousSecret: cookies.read(request, 'sign-in'),
  })
}

/** What the audit log says about a session. */
const methodDetails: Record<SessionMethod, Record<string, string>> = {
  password: {},
  passkey: { by: 'passkey' },
  single_sign_on: { by: 'single sign-on' },
  link: { by: 'sign-in link' },
}

const accountDisabledProblem = () =>
  forbiddenProblem('Your account is disabled. Ask an administrator of this server to enable it.', 'account_disabled')

/** Browsers send their `Origin` with every POST request. A user returns from a sign-in provider with GET. */
const isFromBrowser = ({ method, headers }: FastifyRequest) => method === 'GET' || headers.origin !== undefined

/**
 * Hands the session of {@link startSession} to the browser, after the commit.
 * @returns false when the second factor is missing
 */
export function setSignInCookies(
  { cookies, principalCache }: Deps,
  reply: FastifyReply,
  secrets: SignInSecrets,
): boolean {
  if ('pending' in secrets) {
    cookies.set(reply, 'sign-in', secrets.pending, PENDING_SIGN_IN_MINUTES * MINUTE_SECONDS)
    return false
  }
  const { session, sessionHours, browser } = secrets
  principalCache.rememberSession(session)
  cookies.set(reply, 'session', session, sessionHours * HOUR_SECONDS)
  if (browser !== null) cookies.set(reply, 'browser', browser, KNOWN_BROWSER_DAYS * DAY_SECONDS)
  return true
}

/** Ends the session in the browser's cookie, and clears the cookie and what the browser has cached of this site. */
export async function endSession(
  { db, cookies, principalCache }: Deps,
  secret: string,
  reply: FastifyReply,
): Promise<void> {
  await deleteSessionBySecret(db, secret)
  principalCache.clear()
  cookies.clear(reply, 'session')
  // Storage is left to the page, which asks first when it contains what was never sent.
  void reply.header('clear-site-data', '"cache"')
}
