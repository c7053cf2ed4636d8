import type { Me } from '@caseward/contract/session'
import { describe, expect, it } from 'vitest'

import { openBrowser, type Page } from '@caseward/test-support/browser'
import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUser, openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'

const server = useTestServer()

const data = (page: Page): Me => (JSON.parse(page.text) as { data: Me }).data
const code = ({ text }: Page) => (JSON.parse(text) as { code: string }).code
const next = 'another long password'
const canSignIn = async (email: string, password: string) => {
  const { status } = await openBrowser(server).api('POST', '/v1/session', { email, password })
  return status === 201
}

describe('one’s own account', () => {
  it('is read with a token as with a session', async () => {
    const { id, token } = await makeUser(server)
    const answer = await server.request<{ data: Me }>('GET', '/v1/me', { token })
    expect(answer).toMatchObject({ status: 200, body: { data: { id, has_password: false } } })
  })

  it('is no CI token’s', async () => {
    await server.expectProblem(403, 'GET', '/v1/me', { token: await makeCiToken(server, await makeProject(server)) })
  })

  it('changes in the fields sent alone', async () => {
    const { browser } = await makeSignedInUser(server)
    const before = data(await browser.get('/v1/me'))
    await browser.api('PATCH', '/v1/me', { avatar_url: 'https://example.test/ada.png' })
    const after = data(await browser.api('PATCH', '/v1/me', { name: '  Ada  ' }))
    expect(after).toMatchObject({
      ...before,
      name: 'Ada',
      avatar_url: 'https://example.test/ada.png',
      updated_at: after.updated_at,
    })
    expect(data(await browser.api('PATCH', '/v1/me', { avatar_url: null })).avatar_url).toBeNull()
  })

  it.each([{}, { nickname: 'Ada' }, { current_password: PASSWORD }])(
    'stays as it is, its times too, by %j',
    async (body) => {
      const { browser } = await makeSignedInUser(server)
      const before = data(await browser.get('/v1/me'))
      expect(data(await browser.api('PATCH', '/v1/me', body))).toEqual(before)
      expect(data(await browser.get('/v1/me'))).toEqual(before)
    },
  )

  it.each([
    [{ name: '' }, '/name'],
    [{ avatar_url: 'javascript:alert(1)' }, '/avatar_url'],
    [{ password: 'short', current_password: PASSWORD }, '/password'],
  ])('refuses %j', async (body, path) => {
    const { browser } = await makeSignedInUser(server)
    const answer = await browser.api('PATCH', '/v1/me', body)
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ path }] })
  })
})

describe('a new password', () => {
  it('takes the place of the old one and ends all other sessions', async () => {
    const { browser, email } = await makeSignedInUser(server)
    const other = await openSignedInBrowser(server, email)
    const answer = await browser.api('PATCH', '/v1/me', { password: next, current_password: PASSWORD })
    expect(answer.status).toBe(200)
    expect((await other.get('/v1/me')).status).toBe(401)
    expect((await browser.get('/v1/me')).status).toBe(200)
    expect([await canSignIn(email, PASSWORD), await canSignIn(email, next)]).toEqual([false, true])
  })

  it('needs the current one', async () => {
    const { browser, email } = await makeSignedInUser(server)
    const wrong = await browser.api('PATCH', '/v1/me', { password: next, current_password: 'wrong password' })
    expect([wrong.status, code(wrong)]).toEqual([400, 'wrong_password'])
    expect((await browser.api('PATCH', '/v1/me', { password: next })).status).toBe(400)
    expect(await canSignIn(email, PASSWORD)).toBe(true)
  })

  it('is not set by a token where there is none yet', async () => {
    const { token } = await makeUser(server)
    const problem = await server.expectProblem(400, 'PATCH', '/v1/me', {
      token,
      body: { password: next, current_password: '' },
    })
    expect(problem.code).toBe('no_password')
  })

  it('leaves personal tokens as they are', async () => {
    const { browser } = await makeSignedInUser(server)
    const made = await browser.api('POST', '/v1/tokens', { name: 'laptop' })
    const { token } = (JSON.parse(made.text) as { data: { token: string } }).data
    await browser.api('PATCH', '/v1/me', { password: next, current_password: PASSWORD })
    expect((await server.request('GET', '/v1/me', { token })).status).toBe(200)
  })
})
