import type { Database } from '../../../platform/database/connect.ts'
import { revokePendingInvitations } from '../../invitations/invitations.queries.ts'
import { deletePersonalTokens, markCiTokensForReview } from '../../tokens/tokens.queries.ts'
import { revokeSharesOfUser } from '../../shares/shares.queries.ts'
import { deleteEmailChange } from '../email-change/email-changes.queries.ts'
import { deleteResets } from '../password-reset/password-reset.queries.ts'
import { deleteChallenges } from '../second-factors/passkeys.queries.ts'
import { deletePendingSignIns } from '../second-factors/pending-sign-ins.queries.ts'
import { deleteSecondFactors } from '../second-factors/second-factors.queries.ts'
import { deleteKnownBrowsers } from '../session/known-browsers.queries.ts'
import { deleteUserSessions } from '../session/session.queries.ts'
import { deleteSignInLinks } from '../session/sign-in-link.queries.ts'
import { deletePendingIdentities } from '../single-sign-on/single-sign-on.queries.ts'

/**
 * The ways to take an account back.
 * - `password_change`: with the current password. `password_reset`: with a link, without more.
 * - `secured_reset`: a reset by a user who says that somebody else may have used the account.
 * - `take_over`: the owner of an address that was never confirmed proves to be it. Another person may have made everything.
 * - `end_sessions`: all of a user, by an administrator, or with the link in the email about a new factor; all others, by the user.
 * - `revoke_tokens`: all personal tokens, by an administrator or the user.
 * - `remove_factors`: all second factors, by an administrator or the operator of the server.
 * - `disable`: by an administrator, and again when the user is enabled: a sign-in may have raced with the first one.
 */
export const WAYS = [
  'password_change',
  'password_reset',
  'secured_reset',
  'take_over',
  'end_sessions',
  'revoke_tokens',
  'remove_factors',
  'disable',
] as const
export type Way = (typeof WAYS)[number]

/** `lists`: stays, and the user is asked to check it (`GET /v1/me/review`). `keeps`: stays, because of the reason. */
type Treatment = 'ends' | 'lists' | { keeps: string }

/** Whose traces end, except for the session and the browser of the caller. */
export interface TraceOwner {
  userId: string
  sessionId: string | null
  /** The secret of the cookie. */
  browser: string | null
}

/** What ended, for the audit log. */
export interface EndedTraces {
  sessionCount: number
  revokedInvitations: string[]
  revokedShareCount: number
}

/** Something that somebody else may leave in an account, to come back later. */
export interface Trace {
  /** The tables that consist of it. Every table with a user or a secret is in one of these or in `otherColumns`. */
  tables: readonly string[]
  /** Ends it. @param tx transaction that has locked the user */
  end?: (tx: Database, owner: TraceOwner) => Promise<Partial<EndedTraces> | void>
  /** Marks it, where others have to see it, too. */
  mark?: (tx: Database, owner: TraceOwner) => Promise<void>
  ways: Readonly<Record<Way, Treatment>>
}

const keeps = (reason: string) => ({ keeps: reason })
const all = <T extends Treatment>(treatment: T) =>
  Object.fromEntries(WAYS.map((way) => [way, treatment])) as Record<Way, T>

const BY_SESSIONS_ONLY = keeps('A token cannot create it: it needs a session, and those are not in question.')
const NOT_IN_QUESTION = keeps('The user did not say that someone else has used the account; it is part of daily work.')
const PROGRAMS = keeps('Programs use it, and the user chooses whether to revoke it.')
const OWNER_ONLY = keeps('It goes only to the address of the account. Its owner may be about to use it.')
const OF_PROJECT = keeps('Customers read it. It is listed for review in its project, where every member can revoke it.')
const OWN_FACTOR = keeps(
  'A mailbox or a password must not be enough to remove it. The email about it has a link for a day.',
)

/** What is or leads to a session. */
const signIns = { ...all('ends'), revoke_tokens: BY_SESSIONS_ONLY } as const

/** What has to be checked where somebody else may have used the whole account. */
const judgedByUser = (otherwise: Treatment) => ({
  ...all(otherwise),
  secured_reset: 'lists' as const,
  take_over: 'lists' as const,
  disable: 'lists' as const,
})

/** Every kind of trace. They end in this order: sessions first, so that none of them creates another one meanwhile. */
export const traces = {
  sessions: {
    tables: ['sessions'],
    end: async (tx, { userId, sessionId }) => ({ sessionCount: await deleteUserSessions(tx, userId, sessionId) }),
    ways: signIns,
  },
  known_browsers: {
    tables: ['known_browsers'],
    end: (tx, { userId, browser }) => deleteKnownBrowsers(tx, userId, browser),
    ways: signIns,
  },
  email_changes: {
    tables: ['email_changes', 'email_change_links'],
    end: async (tx, { userId, sessionId }) => void (await deleteEmailChange(tx, userId, sessionId)),
    ways: signIns,
  },
  pending_sign_ins: {
    tables: ['pending_sign_ins', 'passkey_challenges'],
    async end(tx, { userId, sessionId }) {
      await deletePendingSignIns(tx, userId)
      // The caller's session may be using one.
      if (sessionId === null) await deleteChallenges(tx, userId)
    },
    ways: signIns,
  },
  pending_identities: {
    tables: ['pending_identities'],
    end: (tx, { userId }) => deletePendingIdentities(tx, userId),
    ways: signIns,
  },
  sign_in_links: {
    tables: ['sign_in_links'],
    end: (tx, { userId }) => deleteSignInLinks(tx, userId),
    ways: signIns,
  },
  reset_links: {
    tables: ['password_resets', 'password_reset_links'],
    end: (tx, { userId }) => deleteResets(tx, userId),
    ways: { ...signIns, end_sessions: OWNER_ONLY, remove_factors: OWNER_ONLY },
  },
  personal_tokens: {
    tables: ['api_tokens'],
    // The tokens that were created with them end, too, also those of projects.
    end: (tx, { userId }) => deletePersonalTokens(tx, userId),
    ways: {
      ...all('ends'),
      password_change: PROGRAMS,
      password_reset: PROGRAMS,
      end_sessions: PROGRAMS,
      remove_factors: PROGRAMS,
    },
  },
  ci_tokens: {
    tables: ['api_tokens'],
    mark: (tx, { userId }) => markCiTokensForReview(tx, userId),
    // They belong to their project, whose builds would fail.
    ways: { ...judgedByUser(NOT_IN_QUESTION), revoke_tokens: 'lists' },
  },
  invitations: {
    tables: ['invitations', 'invitation_links'],
    end: async (tx, { userId }) => ({ revokedInvitations: await revokePendingInvitations(tx, { userId }) }),
    ways: {
      ...all('ends'),
      password_change: NOT_IN_QUESTION,
      password_reset: NOT_IN_QUESTION,
      end_sessions: NOT_IN_QUESTION,
      remove_factors: NOT_IN_QUESTION,
    },
  },
  shares: {
    tables: ['shares'],
    end: async (tx, { userId }) => ({ revokedShareCount: await revokeSharesOfUser(tx, userId) }),
    ways: { ...all(NOT_IN_QUESTION), secured_reset: 'ends', take_over: 'ends', disable: OF_PROJECT },
  },
  second_factors: {
    tables: ['second_factors', 'second_factor_links', 'recovery_codes'],
    end: async (tx, { userId }) => void (await deleteSecondFactors(tx, userId)),
    ways: { ...judgedByUser(OWN_FACTOR), take_over: 'ends', remove_factors: 'ends' },
  },
  identities: { tables: ['sign_in_identities'], ways: judgedByUser(NOT_IN_QUESTION) },
  /** Members who joined with an invitation of the user. */
  invited_members: { tables: ['memberships', 'membership_groups'], ways: judgedByUser(NOT_IN_QUESTION) },
  /** Instance administrators whom the user made one. */
  instance_admins: { tables: [], ways: judgedByUser(NOT_IN_QUESTION) },
} as const satisfies Record<string, Trace>
