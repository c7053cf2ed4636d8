import { startOidcProvider } from '@caseward/test-support/oidc-provider'
import { makeProject } from '@caseward/test-support/factories'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { PASSWORD } from '@caseward/test-support/users'

import { createSetupLink } from '../../src/features/auth/setup/create-setup-link.ts'
import type { SharedSetup } from './scenario.ts'

/** Starts a server with a first user and single sign-on. */
export async function startSharedSetup(): Promise<SharedSetup & { close(): Promise<void> }> {
  let url = ''
  const provider = await startOidcProvider(() => `${url.replace('127.0.0.1', 'localhost')}/sign-in/oidc/callback`)
  const { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret } = provider
  const server = await startTestServer({ oidcIssuer, oidcClientId, oidcClientSecret })
  url = server.url
  const close = async () => {
    await server.close()
    provider.close()
  }
  const usedSetupSecret = await createFirstUser(server)
  return { server, provider, usedSetupSecret, revokedToken: await revokeToken(server), close }
}

/** Creates the first user with a setup link and returns the used secret. */
async function createFirstUser(server: TestServer): Promise<string> {
  const secret = (await createSetupLink(server.db)) ?? ''
  const body = new URLSearchParams({ name: 'Ada', email: 'ada@example.test', password: PASSWORD }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: server.url }
  const { status } = await server.request('POST', `/setup/${secret}`, { headers, body })
  if (status !== 303) throw new Error(`POST /setup/:secret returned ${status}`)
  return secret
}

/** Creates a project, and returns the token of its admin, who has revoked it. */
async function revokeToken(server: TestServer): Promise<string> {
  const { token } = (await makeProject(server)).admin
  const { body } = await server.request<{ data: { id: string }[] }>('GET', '/v1/tokens', { token })
  const { status } = await server.request('DELETE', `/v1/tokens/${body.data[0]?.id}`, { token })
  if (status !== 204) throw new Error(`DELETE /v1/tokens/:id returned ${status}`)
  return token
}
