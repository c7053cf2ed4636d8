import type { Me } from '@caseward/contract/session'
import { describe, expect, it } from 'vitest'

import { openBrowser, type Page } from '@caseward/test-support/browser'
import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUser, openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'

const server = useSharedServer()

const newPassword = 'another long password'
const getMe = (page: Page): Me => (JSON.parse(page.text) as { data: Me }).data
const getCode = ({ text }: Page) => (JSON.parse(text) as { code: string }).code
const canSignIn = async (email: string, password: string) => {
  const { status } = await openBrowser(server).api('POST', '/v1/session', { email, password })
  return status === 201
}

describe('GET /v1/me', () => {
  it('returns the user of a personal token', async () => {
    const { id, token } = await makeUser(server)
    const response = await server.request<{ data: Me }>('GET', '/v1/me', { token })
    expect(response).toMatchObject({ status: 200, body: { data: { id, has_password: false } } })
  })

  it('returns 403 for a CI token', async () => {
    await server.expectProblem(403, 'GET', '/v1/me', { token: await makeCiToken(server, await makeProject(server)) })
  })
})

describe('PATCH /v1/me', () => {
  it('changes only the fields that are sent', async () => {
    const { browser } = await makeSignedInUser(server)
    const before = getMe(await browser.get('/v1/me'))
    const avatar_url = 'https://example.test/ada.png'
    await browser.api('PATCH', '/v1/me', { avatar_url })
    const after = getMe(await browser.api('PATCH', '/v1/me', { name: '  Ada  ' }))
    expect(after).toMatchObject({ ...before, name: 'Ada', avatar_url, updated_at: after.updated_at })
  })

  it('removes the avatar when avatar_url is null', async () => {
    const { browser } = await makeSignedInUser(server)
    await browser.api('PATCH', '/v1/me', { avatar_url: 'https://example.test/ada.png' })
    expect(getMe(await browser.api('PATCH', '/v1/me', { avatar_url: null })).avatar_url).toBeNull()
  })

  it.each([{}, { nickname: 'Ada' }, { current_password: PASSWORD }])(
    'changes nothing, not even updated_at, when the body is %j',
    async (body) => {
      const { browser } = await makeSignedInUser(server)
      const before = getMe(await browser.get('/v1/me'))
      expect(getMe(await browser.api('PATCH', '/v1/me', body))).toEqual(before)
      expect(getMe(await browser.get('/v1/me'))).toEqual(before)
    },
  )

  it.each([
    [{ name: '' }, '/name'],
    [{ avatar_url: 'javascript:alert(1)' }, '/avatar_url'],
    [{ password: 'short', current_password: PASSWORD }, '/password'],
  ])('returns 400 with the invalid field when the body is %j', async (body, path) => {
    const { browser } = await makeSignedInUser(server)
    const response = await browser.api('PATCH', '/v1/me', body)
    expect(response.status).toBe(400)
    expect(JSON.parse(response.text)).toMatchObject({ errors: [{ path }] })
  })
})

describe('PATCH /v1/me with a new password', () => {
  const change = { password: newPassword, current_password: PASSWORD }

  it('replaces the old password', async () => {
    const { browser, email } = await makeSignedInUser(server)
    expect((await browser.api('PATCH', '/v1/me', change)).status).toBe(200)
    expect([await canSignIn(email, PASSWORD), await canSignIn(email, newPassword)]).toEqual([false, true])
  })

  it('ends all sessions except the one that sent the request', async () => {
    const { browser, email } = await makeSignedInUser(server)
    const otherBrowser = await openSignedInBrowser(server, email)
    await browser.api('PATCH', '/v1/me', change)
    expect((await otherBrowser.get('/v1/me')).status).toBe(401)
    expect((await browser.get('/v1/me')).status).toBe(200)
  })

  it('returns 400 and keeps the password when the current password is wrong or missing', async () => {
    const { browser, email } = await makeSignedInUser(server)
    const wrong = await browser.api('PATCH', '/v1/me', { ...change, current_password: 'wrong password' })
    expect([wrong.status, getCode(wrong)]).toEqual([400, 'wrong_password'])
    expect((await browser.api('PATCH', '/v1/me', { password: newPassword })).status).toBe(400)
    expect(await canSignIn(email, PASSWORD)).toBe(true)
  })

  it('returns 400 when the user has no password yet', async () => {
    const { token } = await makeUser(server)
    const body = { password: newPassword, current_password: '' }
    const problem = await server.expectProblem(400, 'PATCH', '/v1/me', { token, body })
    expect(problem.code).toBe('no_password')
  })

  it('keeps personal tokens valid', async () => {
    const { browser } = await makeSignedInUser(server)
    const created = await browser.api('POST', '/v1/tokens', { name: 'laptop' })
    const { token } = (JSON.parse(created.text) as { data: { token: string } }).data
    await browser.api('PATCH', '/v1/me', change)
    expect((await server.request('GET', '/v1/me', { token })).status).toBe(200)
  })
})
