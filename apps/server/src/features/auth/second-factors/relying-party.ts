import type { Deps } from '../../../deps.ts'

/** Loads the library with the first passkey: it has 280 modules, and takes a tenth of the start. */
export const importWebAuthn = () => import('@simplewebauthn/server')

/** The name that authenticators show. */
export const RELYING_PARTY_NAME = 'Caseward'

/** What passkeys are bound to: the host of the public address, and the origin of its pages. */
export function getRelyingParty({ getPublicUrl }: Pick<Deps, 'getPublicUrl'>): { id: string; origin: string } {
  const { hostname, origin } = new URL(getPublicUrl())
  return { id: hostname, origin }
}

/** Returns the id of a user as authenticators store it with a passkey. */
export const toUserHandle = (userId: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(userId.replaceAll('-', ''), 'hex'))

/** Returns the challenge that an authenticator answers; null for what is no answer. */
export function readChallenge(clientDataJson: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}
