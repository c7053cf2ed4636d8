import { CleanedName, Email } from '@caseward/contract/schemas'
import { cleanName } from '@caseward/matching/clean-name'
import { Type, type TSchema } from 'typebox'

import { hashSecret } from '../../../access/secret.ts'
import { compileCheck } from '../../../platform/http/validation.ts'
import { truncateName } from '../users/user-name.ts'
import type { IdentityKey } from './single-sign-on.queries.ts'

/** The user who has signed in at the provider. */
export interface Identity extends IdentityKey {
  /** The digest of the provider's session; null when the provider does not name it. */
  sessionDigest: Buffer | null
  /** Null when it is missing or not valid for an account. */
  email: string | null
  /** When the user has proved at the provider who they are; null when the provider does not say. */
  authenticatedAt: Date | null
  isVerified: boolean
  /** The groups of the user; null when the server reads none, or the provider has not returned all of them. */
  groups: string[] | null
  name: string | null
}

const parseIssuer = createClaimParser(Type.String({ format: 'text', minLength: 1, maxLength: 1000 }))
const parseSubject = createClaimParser(Type.String({ format: 'text', minLength: 1, maxLength: 255 }))
const parseEmail = createClaimParser(Email('Email address'))
const parseName = createClaimParser(CleanedName('Name'))

/**
 * Parses the claims of a provider. Claims of the profile that are not valid by the rules of the API count as missing.
 * @param idToken the claims of the ID token, which is validated
 * @param profile the claims of the ID token or of the UserInfo endpoint
 * @throws {Error} when the provider does not identify the user as the specification requires
 */
export function parseIdentity(
  { iss, sub, sid, auth_time: authTime }: { iss: string; sub: string; sid?: unknown; auth_time?: unknown },
  { email, email_verified: verified, name }: Record<string, unknown>,
  groups: string[] | null = null,
): Identity {
  const [issuer, subject] = [parseIssuer(iss), parseSubject(sub)]
  if (issuer === null || subject === null) throw new Error('The provider returned an invalid issuer or subject')
  return {
    issuer,
    subject,
    sessionDigest: typeof sid === 'string' && sid !== '' ? toSessionDigest(issuer, sid) : null,
    email: parseEmail(email),
    authenticatedAt: parseAuthenticationTime(authTime),
    isVerified: verified === true,
    groups,
    // A name that is too long is still useful when truncated.
    name: parseName(typeof name === 'string' ? truncateName(cleanName(name).trim()) : name),
  }
}

/** Returns null for what is no time after 1970. */
function parseAuthenticationTime(seconds: unknown): Date | null {
  if (typeof seconds !== 'number' || !(seconds > 0)) return null
  return new Date(Math.min(seconds * 1000, Date.now()))
}

/** The claim `sid` identifies a session of one issuer. It has any length, so that its digest is stored. */
export const toSessionDigest = (issuer: string, sid: string): Buffer => hashSecret(`${issuer}\0${sid}`)

/** Creates a function that returns a claim as a string if it matches the schema of an API field, and null otherwise. */
function createClaimParser(schema: TSchema): (claim: unknown) => string | null {
  const isValid = compileCheck(Type.Object({ claim: schema }))
  return (claim) => {
    // The check trims the text in place.
    const fields = { claim }
    return isValid(fields) && typeof fields.claim === 'string' ? fields.claim : null
  }
}
