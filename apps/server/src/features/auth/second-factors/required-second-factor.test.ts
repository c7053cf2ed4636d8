import { beforeEach, describe, expect, it } from 'vitest'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { addTotp, computeTotpCode, makeUserWithTotp } from '@caseward/test-support/second-factors'
import { useSingleSignOn } from '@caseward/test-support/single-sign-on'
import { makeInstanceAdmin, makeSignedInUser, makeUserWithPassword } from '@caseward/test-support/users'
import { resetSecondFactors } from '../../admin/recover-access.ts'

const { server, signOn } = useSingleSignOn()

const SETTINGS = '/v1/admin/settings'
const SETUP = '/sign-in/set-up-second-factor'
const getCode = (text: string) => (JSON.parse(text) as { code: string }).code
const makeAdmin = (userId: string) =>
  server.db.updateTable('users').set({ is_instance_admin: true }).where('id', '=', userId).execute()
const setRequired = async (isRequired: boolean) => {
  await server.db.updateTable('instance_settings').set({ require_second_factor: isRequired }).execute()
  // Sessions are cached for less than a second: any change of sessions clears the cache.
  await (await makeSignedInUser(server)).browser.api('DELETE', '/v1/session')
}

beforeEach(() => setRequired(false))

describe('PATCH /v1/admin/settings of require_second_factor', () => {
  it('returns 422 to an administrator without a second factor, and changes nothing', async () => {
    const { id, browser } = await makeSignedInUser(server)
    await makeAdmin(id)
    const { status, text } = await browser.api('PATCH', SETTINGS, { require_second_factor: true })
    expect([status, getCode(text)]).toEqual([422, 'own_second_factor_required'])
    expect(JSON.parse((await browser.get(SETTINGS)).text)).toMatchObject({ data: { require_second_factor: false } })
  })

  it('can be turned on with a second factor, and off only after a recent confirmation', async () => {
    const { id, browser } = await makeUserWithTotp(server)
    await makeAdmin(id)
    expect((await browser.api('PATCH', SETTINGS, { require_second_factor: true })).status).toBe(200)
    await server.db.updateTable('sessions').set({ confirmed_at: null }).where('user_id', '=', id).execute()
    const off = await browser.api('PATCH', SETTINGS, { require_second_factor: false })
    expect([off.status, getCode(off.text)]).toEqual([403, 'confirmation_required'])
  })
})

describe('where a second factor is required', () => {
  it('a session without one may do nothing but set one up and sign out', async () => {
    const { browser } = await makeSignedInUser(server)
    await setRequired(true)
    for (const path of ['/v1/projects', '/v1/tokens', '/v1/sessions']) {
      const { status, text } = await browser.get(path)
      expect([status, getCode(text)]).toEqual([403, 'second_factor_setup_required'])
    }
    expect((await browser.get('/v1/me')).status).toBe(200)
    await addTotp(browser)
    expect((await browser.get('/v1/projects')).status).toBe(200)
  })

  it('the last factor cannot be removed', async () => {
    const { browser, factorId } = await makeUserWithTotp(server)
    await setRequired(true)
    const { status, text } = await browser.api('DELETE', `/v1/me/second-factors/${factorId}`)
    expect([status, getCode(text)]).toEqual([422, 'last_second_factor'])
  })

  it('tokens of users without one work', async () => {
    await setRequired(true)
    const { token } = await makeInstanceAdmin(server)
    expect((await server.request('GET', '/v1/projects', { token })).status).toBe(200)
  })

  it('a session that began with single sign-on is exempt', async () => {
    await setRequired(true)
    const { email } = await makeUserWithPassword(server, { password: null })
    const browser = openBrowser(server)
    await signOn(browser, { email })
    expect((await browser.get('/v1/projects')).status).toBe(200)
  })
})

describe('the page where a second factor is set up', () => {
  const readSecret = (text: string) => /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(' ', '') ?? ''
  const readPath = (text: string) => /action="([^"]+)"/.exec(/<main>[^]*/.exec(text)?.[0] ?? '')?.[1] ?? ''

  async function startSetup(): Promise<{ browser: Browser; text: string }> {
    const { browser } = await makeSignedInUser(server)
    await setRequired(true)
    expect((await browser.get('/projects/anything')).location).toBe(SETUP)
    expect((await browser.get(SETUP)).text).toContain('requires a second factor')
    return { browser, text: (await browser.post(SETUP)).text }
  }

  it('is where the web app leads, and sets up an authenticator app with its first code', async () => {
    const { browser, text } = await startSetup()
    expect(text).toContain('aria-label="QR code"')
    const done = await browser.post(readPath(text), { code: computeTotpCode(readSecret(text)) })
    expect(done.text.match(/<li>/g)).toHaveLength(10)
    expect((await browser.get('/v1/projects')).status).toBe(200)
  })

  it('shows a wrong code with the same secret', async () => {
    const { browser, text } = await startSetup()
    const wrong = await browser.post(readPath(text), { code: '000000' })
    expect([wrong.status, readSecret(wrong.text)]).toEqual([400, readSecret(text)])
  })

  it('offers a passkey as well, with its script and a place for the recovery codes', async () => {
    const { browser } = await makeSignedInUser(server)
    await setRequired(true)
    const { text, headers } = await browser.get(SETUP)
    expect(text).toMatch(/data-task="set-up"[^]+hidden[^]+Set up a passkey[^]+<template id="recovery-codes"/)
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
  })

  it('leads to sign-in without a session', async () => {
    expect((await openBrowser(server).get(SETUP)).location).toBe('/sign-in')
  })
})

describe('a user who has lost all second factors', () => {
  it('is helped by an instance administrator', async () => {
    const { id, email } = await makeUserWithTotp(server)
    const admin = await makeInstanceAdmin(server)
    const { status } = await server.request('DELETE', `/v1/admin/users/${id}/second-factors`, admin)
    const signIn = await openBrowser(server).api('POST', '/v1/session', { email, password: 'correct horse battery' })
    expect([status, signIn.status]).toEqual([204, 201])
  })

  it('is helped by the operator of the server, which is recorded', async () => {
    const { id, email } = await makeUserWithTotp(server)
    expect([await resetSecondFactors(server.db, email), await resetSecondFactors(server.db, email)]).toEqual([1, 0])
    const entries = server.db.selectFrom('audit_log').select(['actor_kind', 'detail'])
    expect(
      await entries.where('subject_id', '=', id).where('action', '=', 'user.reset_second_factors').execute(),
    ).toMatchObject([
      { actor_kind: 'system', detail: { command: 'admin reset-second-factors', count: 1 } },
      { detail: { count: 0 } },
    ])
  })
})
