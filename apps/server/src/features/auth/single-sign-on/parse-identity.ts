import { Email, Name } from '@caseward/contract/schemas'
import { Type, type TSchema } from 'typebox'

import { compileCheck } from '../../../platform/http/validation.ts'
import { truncateName } from '../users/user-name.ts'

/** The user who has signed in at the provider. */
export interface Identity {
  /** Null when it is missing or not valid for an account. */
  email: string | null
  isVerified: boolean
  name: string | null
}

const parseEmail = createClaimParser(Email('Email address'))
const parseName = createClaimParser(Name('Name'))

/** Parses the claims of a provider. Claims that are not valid by the rules of the API count as missing. */
export function parseIdentity({ email, email_verified: verified, name }: Record<string, unknown>): Identity {
  return {
    email: parseEmail(email),
    isVerified: verified === true,
    // A name that is too long is still useful when truncated.
    name: parseName(typeof name === 'string' ? truncateName(name.trim()) : name),
  }
}

/** Creates a function that returns a claim as a string if it matches the schema of an API field, and null otherwise. */
function createClaimParser(schema: TSchema): (claim: unknown) => string | null {
  const isValid = compileCheck(Type.Object({ claim: schema }))
  return (claim) => {
    // The check trims the text in place.
    const fields = { claim }
    return isValid(fields) && typeof fields.claim === 'string' ? fields.claim : null
  }
}
