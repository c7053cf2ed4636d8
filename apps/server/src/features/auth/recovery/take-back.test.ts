import type { TotpSetup } from '@caseward/contract/second-factors'
import type { CiToken } from '@caseward/contract/tokens'
import { describe, expect, it } from 'vitest'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { makeProject } from '@caseward/test-support/factories'
import { resetMailLimits } from '@caseward/test-support/mails'
import { addPasskey, readPasskeyOptions } from '@caseward/test-support/passkeys'
import { computeTotpCode } from '@caseward/test-support/second-factors'
import { useTestServer } from '@caseward/test-support/test-server'
import {
  makeInstanceAdmin,
  makeSignedInUser,
  makeTokenInBrowser,
  openSignedInBrowser,
  PASSWORD,
} from '@caseward/test-support/users'
import { createEmailChangeLink } from '../email-change/email-changes.queries.ts'
import { createResetLink } from '../password-reset/password-reset.queries.ts'

const server = useTestServer()
const NEW_PASSWORD = 'another long password'

/** The owner, and somebody else who has signed in with the password. */
async function makeIntrusion(fields: { isEmailConfirmed?: boolean } = {}) {
  const owner = await makeSignedInUser(server, fields)
  return { owner, intruder: await openSignedInBrowser(server, owner.email) }
}
type Intrusion = Awaited<ReturnType<typeof makeIntrusion>>

/** Resets the password in the owner's browser. */
async function resetPassword({ id, email, browser }: Intrusion['owner'], body: object = {}): Promise<number> {
  await resetMailLimits(server)
  await browser.api('POST', '/v1/password-resets', { email })
  const secret = (await createResetLink(server.db, id))?.secret
  return (await browser.api('POST', `/v1/password-resets/${secret}`, { password: NEW_PASSWORD, ...body })).status
}

async function actAsAdmin(requests: [method: string, path: string, body?: object][], userId: string): Promise<void> {
  const { token } = await makeInstanceAdmin(server)
  for (const [method, path, body] of requests) {
    const options = body === undefined ? { token } : { token, body }
    const { status } = await server.request(method, `/v1/admin/users/${userId}${path}`, options)
    expect([200, 204]).toContain(status)
  }
}

let addressCount = 0
async function requestEmailChange({ owner, intruder }: Intrusion): Promise<string> {
  addressCount += 1
  const { status } = await intruder.api('POST', '/v1/me/email', { email: `eve${addressCount}@evil.example.test` })
  expect(status).toBe(200)
  return `/confirm-email/${(await createEmailChangeLink(server.db, owner.id))?.secret}`
}

describe('a change of the email address that an intruder has requested', () => {
  it.each<[string, (intrusion: Intrusion) => Promise<unknown>, { isEmailConfirmed?: boolean }?]>([
    ['resets the password', ({ owner }) => resetPassword(owner)],
    [
      'resets the password and says that somebody else used the account',
      ({ owner }) => resetPassword(owner, { revoke_tokens: true }),
    ],
    [
      'changes the password',
      ({ owner }) => owner.browser.api('PATCH', '/v1/me', { password: NEW_PASSWORD, current_password: PASSWORD }),
    ],
    ['ends the other sessions', ({ owner }) => owner.browser.api('DELETE', '/v1/sessions')],
    [
      'takes over the account, whose address was never confirmed, with a reset',
      ({ owner }) => resetPassword(owner),
      { isEmailConfirmed: false },
    ],
    ['has an administrator end the sessions', ({ owner }) => actAsAdmin([['DELETE', '/sessions']], owner.id)],
    [
      'has an administrator disable and enable the account',
      ({ owner }) =>
        actAsAdmin(
          [
            ['PATCH', '', { disabled: true }],
            ['PATCH', '', { disabled: false }],
          ],
          owner.id,
        ),
    ],
    [
      'has an administrator remove the second factors',
      ({ owner }) => actAsAdmin([['DELETE', '/second-factors']], owner.id),
    ],
  ])('ends when the owner %s', async (_what, takeBack, fields = {}) => {
    const intrusion = await makeIntrusion(fields)
    const path = await requestEmailChange(intrusion)
    expect((await openBrowser(server).get(path)).status).toBe(200)
    await takeBack(intrusion)
    expect((await openBrowser(server).post(path)).status).toBe(410)
    const user = server.db.selectFrom('users').select('email').where('id', '=', intrusion.owner.id)
    expect(await user.executeTakeFirst()).toEqual({ email: intrusion.owner.email })
  })

  it('ends with the session that requested it, and that of the owner stays', async () => {
    const intrusion = await makeIntrusion()
    const path = await requestEmailChange(intrusion)
    await intrusion.intruder.api('DELETE', '/v1/session')
    expect((await openBrowser(server).get(path)).status).toBe(410)
    await resetMailLimits(server)
    const own = await requestEmailChange({ ...intrusion, intruder: intrusion.owner.browser })
    await intrusion.owner.browser.api('DELETE', '/v1/sessions')
    expect((await openBrowser(server).get(own)).status).toBe(200)
  })
})

describe('after a reset by an owner who says that somebody else used the account', () => {
  it('invitations and personal tokens of the intruder are revoked, and CI tokens wait for a review by an admin', async () => {
    const { owner, intruder } = await makeIntrusion()
    const own = await makeTokenInBrowser(intruder)
    const project = await makeProject(server, { token: own.token })
    const path = `/v1/projects/${project.id}`
    const invited = await intruder.api('POST', `${path}/members/invite`, {
      email: 'eve@evil.example.test',
      role: 'admin',
    })
    const { join_url: joinUrl } = JSON.parse(invited.text) as { join_url: string }
    const created = await intruder.api('POST', `${path}/tokens`, { name: 'CI' })
    const { id, token } = (JSON.parse(created.text) as { data: { id: string; token: string } }).data

    expect(await resetPassword(owner, { revoke_tokens: true })).toBe(200)
    const secret = joinUrl.split('/').at(-1)
    const joining = { body: { name: 'Eve', password: PASSWORD } }
    await server.expectProblem(410, 'POST', `/v1/invitations/${secret}/accept`, joining)
    await server.expectProblem(401, 'GET', '/v1/me', { token: own.token })
    // Builds go on until an admin has decided.
    expect((await server.request('GET', path, { token })).status).toBe(200)
    const list = async () =>
      (JSON.parse((await owner.browser.get(`${path}/tokens`)).text) as { data: CiToken[] }).data.map(
        ({ needs_review, review_reason }) => ({ needs_review, review_reason }),
      )
    expect(await list()).toEqual([{ needs_review: true, review_reason: 'creator_secured_account' }])
    const keep = (body: unknown) => owner.browser.api('PATCH', `${path}/tokens/${id}`, body)
    expect((await keep({ needs_review: true })).status).toBe(400)
    expect((await keep({ needs_review: false })).status).toBe(200)
    expect(await list()).toEqual([{ needs_review: false, review_reason: null }])
    expect((JSON.parse((await owner.browser.get('/v1/me')).text) as { data: object }).data).toMatchObject({
      review_since: expect.any(String),
    })
  })

  it('the page of the reset opens the review', async () => {
    const { owner } = await makeIntrusion()
    await owner.browser.api('POST', '/v1/password-resets', { email: owner.email })
    const secret = (await createResetLink(server.db, owner.id))?.secret
    const { location } = await owner.browser.post(`/reset/${secret}`, { password: NEW_PASSWORD, revoke_tokens: 'yes' })
    expect(location).toBe('/account/review')
  })
})

describe('a passkey that an intruder has added', () => {
  const signInWithPasskey = async (browser: Browser, authenticator: { get: (options: never) => object }) => {
    const options = await readPasskeyOptions(browser, '/v1/session/passkey-options')
    return await browser.api('POST', '/v1/session/passkey', { passkey: authenticator.get(options as never) })
  }

  it('ends with the sessions that it has started when an administrator removes the second factors', async () => {
    const { owner, intruder } = await makeIntrusion()
    const { authenticator } = await addPasskey(server, intruder)
    expect(await resetPassword(owner, { revoke_tokens: true })).toBe(401)
    const again = openBrowser(server)
    expect((await signInWithPasskey(again, authenticator)).status).toBe(201)
    await actAsAdmin([['DELETE', '/second-factors']], owner.id)
    expect((await again.get('/v1/me')).status).toBe(401)
    expect((await signInWithPasskey(openBrowser(server), authenticator)).status).toBe(401)
  })

  it('cannot be added once the session that asked for it has ended, although a server has cached the session', async () => {
    const { owner, intruder } = await makeIntrusion()
    const setup = await intruder.api('POST', '/v1/me/second-factors/totp', {})
    const { id, secret } = (JSON.parse(setup.text) as { data: TotpSetup }).data
    // As another server does.
    await server.db.deleteFrom('sessions').where('user_id', '=', owner.id).execute()
    const body = { code: computeTotpCode(secret) }
    expect((await intruder.api('POST', `/v1/me/second-factors/totp/${id}/activate`, body)).status).toBe(401)
    const factors = server.db.selectFrom('second_factors').select('activated_at').where('user_id', '=', owner.id)
    expect(await factors.execute()).toEqual([{ activated_at: null }])
  })
})
