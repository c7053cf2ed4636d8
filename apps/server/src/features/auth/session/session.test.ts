import { setTimeout as sleep } from 'node:timers/promises'

import type { Me, Session } from '@caseward/contract/session'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { openBrowser, type Page } from '@caseward/test-support/browser'
import { makeProject, makeRun } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUser, openSignedInBrowser } from '@caseward/test-support/users'

const server = useSharedServer()

const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'
/** Longer than the principal cache keeps an entry. */
const CACHE_EXPIRY_MS = 1000
const getMe = ({ text }: Page) => (JSON.parse(text) as { data: Me }).data
const getSessions = ({ text }: Page) => (JSON.parse(text) as { data: Session[] }).data
const getCode = ({ text }: Page) => (JSON.parse(text) as { code: string }).code

/** Signing out clears the server's cache of principals. */
async function clearPrincipalCache(): Promise<void> {
  const { browser } = await makeSignedInUser(server)
  await browser.api('DELETE', '/v1/session')
}

describe('DELETE /v1/session', () => {
  it('ends the session and clears its cookie', async () => {
    const { browser } = await makeSignedInUser(server)
    const cookie = `caseward-session=${browser.cookies.get('caseward-session')}`
    expect((await browser.api('DELETE', '/v1/session')).status).toBe(204)
    expect(browser.cookies.has('caseward-session')).toBe(false)
    expect((await openBrowser(server, { cookie }).get('/v1/me')).status).toBe(401)
  })

  it('returns 404 when the request is authenticated with a token', async () => {
    const { token } = await makeUser(server)
    await server.expectProblem(404, 'DELETE', '/v1/session', { token })
  })
})

describe('a session', () => {
  it.each([
    ['90 days after sign-in', 'expires_at', "now() - interval '1 second'"],
    ['14 days after its last use', 'last_seen_at', "now() - interval '14 days 1 second'"],
  ])('expires %s', async (_, column, time) => {
    const { browser, id } = await makeSignedInUser(server)
    await sql`update sessions set ${sql.ref(column)} = ${sql.raw(time)} where user_id = ${id}`.execute(server.db)
    expect((await browser.get('/v1/me')).status).toBe(401)
  })

  it('stores the time of its last use at most once a minute', async () => {
    const { browser, id } = await makeSignedInUser(server)
    const useAfter = async (seconds: number) => {
      const lastUse = new Date(Date.now() - seconds * 1000)
      await server.db.updateTable('sessions').set({ last_seen_at: lastUse }).where('user_id', '=', id).execute()
      await clearPrincipalCache()
      await browser.get('/v1/me')
      const [row] = await server.db.selectFrom('sessions').select('last_seen_at').where('user_id', '=', id).execute()
      return (row?.last_seen_at.getTime() ?? 0) - lastUse.getTime()
    }
    expect(await useAfter(50)).toBe(0)
    expect(await useAfter(70)).toBeGreaterThan(60_000)
  })

  it('is rejected within a second after another server has ended it', async () => {
    const { browser, id } = await makeSignedInUser(server)
    expect((await browser.get('/v1/me')).status).toBe(200)
    await server.db.deleteFrom('sessions').where('user_id', '=', id).execute()
    await sleep(CACHE_EXPIRY_MS)
    expect((await browser.get('/v1/me')).status).toBe(401)
  })

  it('has the permissions of its user’s roles', async () => {
    const { browser, id } = await makeSignedInUser(server)
    const project = await makeProject(server)
    expect((await browser.get(`/v1/projects/${project.id}`)).status).toBe(403)
    await server.db.insertInto('memberships').values({ project_id: project.id, user_id: id, role: 'viewer' }).execute()
    await sleep(CACHE_EXPIRY_MS)
    expect((await browser.get(`/v1/projects/${project.id}`)).status).toBe(200)
    expect((await browser.api('PATCH', `/v1/projects/${project.id}`, { name: 'x' })).status).toBe(403)
  })

  it('cannot upload CI results, which requires a CI token', async () => {
    const { browser } = await makeSignedInUser(server)
    const run = await makeRun(server, await makeProject(server))
    const response = await browser.api('POST', '/v1/results', { run_id: run.id, results: [] })
    expect([response.status, getCode(response)]).toEqual([403, 'ci_token_required'])
  })

  it('is ignored when the request has a token, even an invalid one', async () => {
    const { browser, id } = await makeSignedInUser(server)
    const other = await makeUser(server)
    const authorization = `Bearer ${other.token}`
    expect(getMe(await browser.send('GET', '/v1/me', { headers: { authorization } })).id).toBe(other.id)
    expect((await browser.send('GET', '/v1/me', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
    expect(getMe(await browser.get('/v1/me')).id).toBe(id)
  })
})

describe('GET /v1/sessions', () => {
  it('returns the sessions of the user, newest first, and marks the current one', async () => {
    const { browser, email } = await makeSignedInUser(server)
    const otherBrowser = await openSignedInBrowser(server, email)
    const sessions = getSessions(await browser.get('/v1/sessions'))
    expect(sessions.map(({ current }) => current)).toEqual([false, true])
    expect(sessions[0]).toMatchObject({ user_agent: 'Test browser', expires_at: expect.stringMatching(/Z$/) })
    expect(getSessions(await otherBrowser.get('/v1/sessions')).map(({ current }) => current)).toEqual([true, false])
  })
})

describe('DELETE /v1/sessions/:session_id', () => {
  it('ends only that session', async () => {
    const { browser, email } = await makeSignedInUser(server)
    const otherBrowser = await openSignedInBrowser(server, email)
    const [newest] = getSessions(await browser.get('/v1/sessions'))
    expect((await browser.api('DELETE', `/v1/sessions/${newest?.id}`)).status).toBe(204)
    expect((await otherBrowser.get('/v1/me')).status).toBe(401)
    expect((await browser.get('/v1/me')).status).toBe(200)
  })

  it('returns 404 for a session of another user, which stays valid, and for unknown ids', async () => {
    const { browser } = await makeSignedInUser(server)
    const victim = await makeSignedInUser(server)
    const [session] = getSessions(await victim.browser.get('/v1/sessions'))
    for (const id of [session?.id, unknownId, 'nonsense']) {
      expect((await browser.api('DELETE', `/v1/sessions/${id}`)).status).toBe(404)
    }
    expect((await victim.browser.get('/v1/me')).status).toBe(200)
  })
})
