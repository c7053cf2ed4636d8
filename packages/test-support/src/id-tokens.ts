import { createPrivateKey, type JsonWebKey, sign } from 'node:crypto'

import type { OidcProvider } from './oidc-provider.ts'

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns the claims of an ID token. */
export const readIdToken = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

/**
 * Signs the claims of an ID token (RS256).
 * @param key the private key, by default that of the provider
 * @param kid the id of the key that the token names, by default that of the provider
 */
export function signIdToken(
  { signingKey }: Pick<OidcProvider, 'signingKey'>,
  claims: object,
  { key = signingKey, kid = signingKey.kid }: { key?: JsonWebKey; kid?: string } = {},
): string {
  const content = `${encode({ alg: 'RS256', typ: 'JWT', kid })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(content), createPrivateKey({ key, format: 'jwk' }))
  return `${content}.${signature.toString('base64url')}`
}
