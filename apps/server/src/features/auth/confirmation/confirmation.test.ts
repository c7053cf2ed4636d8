import type { Problem } from '@caseward/contract/problem'
import { describe, expect, it } from 'vitest'

import type { Browser } from '@caseward/test-support/browser'
import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUser, openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'

const server = useTestServer()

/** Makes the last confirmation of all sessions of a user this old. */
const ageConfirmation = async (userId: string, minutes: number) => {
  const confirmed_at = new Date(Date.now() - minutes * 60_000)
  await server.db.updateTable('sessions').set({ confirmed_at }).where('user_id', '=', userId).execute()
}
const createToken = (browser: Browser) => browser.api('POST', '/v1/tokens', { name: 'Laptop' })
const confirm = (browser: Browser, password: string) => browser.api('POST', '/v1/session/confirm', { password })
const getCode = (text: string) => (JSON.parse(text) as Problem).code

describe('an endpoint that requires a recent confirmation', () => {
  it('accepts a session that signed in less than 10 minutes ago', async () => {
    const { id, browser } = await makeSignedInUser(server)
    await ageConfirmation(id, 9.5)
    expect((await createToken(browser)).status).toBe(201)
  })

  it('returns 403 with the ways to confirm to a session that signed in earlier', async () => {
    const { id, browser } = await makeSignedInUser(server)
    await ageConfirmation(id, 10.5)
    const { status, text } = await createToken(browser)
    expect([status, JSON.parse(text)]).toEqual([
      403,
      expect.objectContaining({
        code: 'confirmation_required',
        detail: expect.stringContaining('with your password'),
        confirmation_methods: ['password'],
      }),
    ])
  })

  it('returns 403 to a session from before confirmations were recorded', async () => {
    const { id, browser } = await makeSignedInUser(server)
    await server.db.updateTable('sessions').set({ confirmed_at: null }).where('user_id', '=', id).execute()
    expect(getCode((await createToken(browser)).text)).toBe('confirmation_required')
  })

  it.each([
    ['POST', (projectId: string) => `/v1/projects/${projectId}/tokens`, { name: 'CI' }],
    ['DELETE', () => '/v1/me/identities/019aa5b8-2c4d-7e5f-8a6b-7c8d9e0f1a2b', undefined],
    ['PATCH', (_: string, id: string) => `/v1/admin/users/${id}`, { is_instance_admin: true }],
  ])('is also the one to %s %s', async (method, getPath, body) => {
    const { id, browser } = await makeSignedInUser(server)
    const project = await makeProject(server)
    await server.db.updateTable('users').set({ is_instance_admin: true }).where('id', '=', id).execute()
    await server.db.insertInto('memberships').values({ project_id: project.id, user_id: id, role: 'admin' }).execute()
    await ageConfirmation(id, 11)
    const { status, text } = await browser.api(method, getPath(project.id, id), body)
    expect([status, getCode(text)]).toEqual([403, 'confirmation_required'])
  })

  it('accepts a token, which cannot confirm', async () => {
    const { token } = await makeUser(server)
    expect((await server.request('POST', '/v1/tokens', { token, body: { name: 'Laptop' } })).status).toBe(201)
  })

  it('is not the one to change the password, which requires the current one, without a second factor', async () => {
    const { id, browser } = await makeSignedInUser(server)
    await ageConfirmation(id, 11)
    const change = { password: 'unusual purple lantern', current_password: PASSWORD }
    expect((await browser.api('PATCH', '/v1/me', change)).status).toBe(200)
  })
})

describe('POST /v1/session/confirm', () => {
  it('confirms the session with the password for ten minutes, and records it', async () => {
    const { id, browser } = await makeSignedInUser(server)
    await ageConfirmation(id, 60)
    const { status, text } = await confirm(browser, PASSWORD)
    const { confirmed_until: until } = (JSON.parse(text) as { data: { confirmed_until: string } }).data
    expect(status).toBe(200)
    expect(Math.round((Date.parse(until) - Date.now()) / 60_000)).toBe(10)
    expect((await createToken(browser)).status).toBe(201)
    const entry = server.db.selectFrom('audit_log').select('detail').where('action', '=', 'session.confirm')
    expect(await entry.where('actor_id', '=', id).execute()).toEqual([{ detail: { method: 'password' } }])
  })

  it('confirms no other session of the user', async () => {
    const { id, email, browser } = await makeSignedInUser(server)
    const other = await openSignedInBrowser(server, email)
    await ageConfirmation(id, 60)
    await confirm(browser, PASSWORD)
    expect((await createToken(other)).status).toBe(403)
  })

  it('returns 400 for a wrong password', async () => {
    const { id, browser } = await makeSignedInUser(server)
    await ageConfirmation(id, 60)
    const { status, text } = await confirm(browser, 'wrong password')
    expect([status, getCode(text)]).toEqual([400, 'wrong_password'])
    expect((await createToken(browser)).status).toBe(403)
  })

  it('returns 400 for a body without any proof', async () => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.api('POST', '/v1/session/confirm', {})).status).toBe(400)
  })

  it('does not accept the password alone for a session that signed in with a second factor', async () => {
    const { id, browser } = await makeSignedInUser(server)
    await server.db.updateTable('sessions').set({ has_second_factor: true }).where('user_id', '=', id).execute()
    await ageConfirmation(id, 60)
    const { status, text } = await confirm(browser, PASSWORD)
    expect([status, getCode(text)]).toEqual([400, 'password_not_enough'])
  })
})
