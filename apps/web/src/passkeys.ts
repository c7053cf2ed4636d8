import type { ActivatePasskeyBody, ConfirmBody } from '@caseward/client/endpoints'

/* What the web app asks of the browser for passkeys (WebAuthn). */

/** What `activatePasskey` takes. */
type CreatedPasskey = ActivatePasskeyBody['credential']
/** What `confirmSession` takes. */
type PasskeyProof = NonNullable<ConfirmBody['passkey']>

/** Returns why passkeys cannot be used in this browser or at this address, as a sentence; null if they can. */
export function findPasskeyObstacle(): string | null {
  if (!window.isSecureContext) return 'Passkeys need a secure connection: open this page with https.'
  const isSupported = 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential
  return isSupported ? null : 'This browser does not support passkeys: update it, or use another one.'
}

/**
 * Asks the user to create a passkey.
 * @param options what `setUpPasskey` returns
 * @throws {DOMException} if there is none; see {@link describePasskeyRefusal}
 */
export async function createPasskey(options: object, signal: AbortSignal): Promise<CreatedPasskey> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  const credential = requireCredential(await navigator.credentials.create({ publicKey, signal }))
  return credential.toJSON() as CreatedPasskey
}

/**
 * Asks the user to prove a passkey.
 * @param options what `startPasskeyConfirmation` returns
 * @throws {DOMException} if there is none; see {@link describePasskeyRefusal}
 */
export async function provePasskey(options: object, signal: AbortSignal): Promise<PasskeyProof> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  const credential = requireCredential(await navigator.credentials.get({ publicKey, signal }))
  return credential.toJSON() as PasskeyProof
}

function requireCredential(credential: Credential | null): PublicKeyCredential {
  // Browsers may return null instead of an error. Not instanceof: password managers answer with objects of their own.
  if (credential === null) throw new DOMException('No credential was returned.', 'NotAllowedError')
  return credential as PublicKeyCredential
}

const refusals: Readonly<Record<string, string>> = {
  NotAllowedError: 'The passkey was not used, because the request was canceled or took too long. Try again.',
  InvalidStateError:
    'This device or password manager already has a passkey for your account. Use another one, or remove that passkey first.',
  SecurityError:
    'Passkeys do not work at this address. Open Caseward at its public address, or ask the administrator of this server.',
}

/** Describes why the browser did not answer with a passkey; null for an error that does not come from the browser. */
export const describePasskeyRefusal = (error: unknown): string | null =>
  error instanceof DOMException
    ? (refusals[error.name] ?? 'The browser could not use a passkey. Try again, or use another device.')
    : null
