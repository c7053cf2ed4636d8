import { openBrowser } from '@caseward/test-support/browser'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

async function signIn(email: string) {
  const browser = openBrowser(server)
  expect((await browser.api('POST', '/v1/session', { email, password: PASSWORD })).status).toBe(201)
  return browser
}

describe('DELETE /v1/sessions', () => {
  it('ends all other sessions of the user, and records how many', async () => {
    const { id, email } = await makeUserWithPassword(server)
    const other = await makeUserWithPassword(server)
    const [own, second, third] = [await signIn(email), await signIn(email), await signIn(email)]
    const ofOther = await signIn(other.email)
    expect((await own.api('DELETE', '/v1/sessions')).status).toBe(204)
    for (const browser of [second, third]) expect((await browser.api('GET', '/v1/me')).status).toBe(401)
    for (const browser of [own, ofOther]) expect((await browser.api('GET', '/v1/me')).status).toBe(200)
    const entries = server.db.selectFrom('audit_log').select(['subject_id', 'actor_id', 'detail'])
    expect(await entries.where('action', '=', 'session.end_others').execute()).toEqual([
      { subject_id: id, actor_id: id, detail: { count: 2 } },
    ])
  })

  it('ends all sessions of the user of a token', async () => {
    const { id, email } = await makeUserWithPassword(server)
    const { id: tokenUserId, token } = await makeUser(server)
    const browser = await signIn(email)
    await server.db.updateTable('api_tokens').set({ user_id: id }).where('user_id', '=', tokenUserId).execute()
    expect((await server.request('DELETE', '/v1/sessions', { token })).status).toBe(204)
    expect((await browser.api('GET', '/v1/me')).status).toBe(401)
  })
})
