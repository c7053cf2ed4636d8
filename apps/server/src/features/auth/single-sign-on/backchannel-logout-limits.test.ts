import { generateKeyPairSync, randomUUID } from 'node:crypto'

import { useSingleSignOn } from '@caseward/test-support/single-sign-on'
import { importJWK, SignJWT } from 'jose'
import { expect, it } from 'vitest'

const LIMIT = 5
const scenario = useSingleSignOn({ rateLimitInvalidTokens: LIMIT, trustProxy: 1 })
const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })

/** Sends a token that names this service, from an address, signed with a key that the provider does not have. */
async function sendForgedToken(address: string): Promise<number> {
  const { issuer, clientId } = scenario.provider
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const token = await new SignJWT({ sub: 'ada', events })
    .setProtectedHeader({ alg: 'RS256', kid: randomUUID() })
    .setIssuer(issuer)
    .setAudience(clientId)
    .setIssuedAt()
    .setJti(randomUUID())
    .sign(await importJWK({ ...privateKey }, 'RS256'))
  const response = await fetch(`${scenario.server.url}/sign-in/oidc/backchannel-logout`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address },
    body: new URLSearchParams({ logout_token: token }),
  })
  return response.status
}

it('forged logout tokens make the server fetch the keys once, and reach a limit of their address', async () => {
  const statuses: number[] = []
  for (let count = 0; count <= LIMIT; count += 1) statuses.push(await sendForgedToken('198.51.100.1'))
  expect(statuses).toEqual([...Array<number>(LIMIT).fill(400), 429])
  expect(await sendForgedToken('198.51.100.2')).toBe(400)
  expect(scenario.provider.keyRequests).toBe(1)
})

it('a form of more than 16 KB returns 413', async () => {
  const response = await fetch(`${scenario.server.url}/sign-in/oidc/backchannel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: 'x'.repeat(20_000) }),
  })
  expect(response.status).toBe(413)
})
