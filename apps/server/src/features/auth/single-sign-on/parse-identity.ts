import { Email, Name } from '@caseward/contract/schemas'
import { Type, type TSchema } from 'typebox'

import { compileCheck } from '../../../platform/http/validation.ts'
import { cutName } from '../users/names.ts'

/** Whom the provider says that it is. */
export interface Identity {
  /** Null where it tells none, or none that could be an account's. */
  email: string | null
  isVerified: boolean
  name: string | null
}

const readEmail = reader(Email('E-mail address'))
const readName = reader(Name('Name'))

/** Reads what a provider says of somebody. It holds to other rules than we do: what is none of ours counts as absent. */
export function parseIdentity({ email, email_verified: verified, name }: Record<string, unknown>): Identity {
  return {
    email: readEmail(email),
    isVerified: verified === true,
    // Too long, a name is still one.
    name: readName(typeof name === 'string' ? cutName(name.trim()) : name),
  }
}

/** Takes a claim at the rules by which the API takes a field. */
function reader(schema: TSchema): (claim: unknown) => string | null {
  const holds = compileCheck(Type.Object({ claim: schema }))
  return (claim) => {
    const read = { claim }
    return holds(read) && typeof read.claim === 'string' ? read.claim : null
  }
}
