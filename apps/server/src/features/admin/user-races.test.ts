import { beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin, makeUserWithPassword, openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'

const server = useTestServer()
let token: string
beforeAll(async () => {
  token = (await makeInstanceAdmin(server)).token
})

const ROUNDS = 10

describe('changes of one user at the same moment', () => {
  it('never deadlock, and leave a disabled user without sessions', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, email } = await makeUserWithPassword(server)
      const browser = await openSignedInBrowser(server, email)
      const path = `/v1/admin/users/${id}`
      const administer = (method: string, url: string, body?: object) =>
        server.request(method, url, { token, ...(body === undefined ? {} : { body }) })
      const signIn = () => openBrowser(server).api('POST', '/v1/session', { email, password: PASSWORD })
      const responses = await Promise.all([
        signIn(),
        browser.api('POST', '/v1/session', { email, password: PASSWORD }),
        browser.api('PATCH', '/v1/me', { current_password: PASSWORD, password: 'another long password' }),
        browser.api('POST', '/v1/tokens', { name: 'Laptop' }),
        administer('DELETE', `${path}/sessions`),
        administer('PATCH', path, { disabled: true }),
        administer('DELETE', `${path}/tokens`),
        administer('PATCH', path, { is_instance_admin: round % 2 === 0 }),
        signIn(),
      ])
      expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
      expect((await administer('GET', `/v1/admin/users?q=${email}`)).body).toMatchObject({
        data: [{ disabled_at: expect.any(String), session_count: 0 }],
      })
    }
  })
})
