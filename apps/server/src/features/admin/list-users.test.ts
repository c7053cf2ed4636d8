import type { InstanceUser } from '@caseward/contract/admin'
import { beforeAll, describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin, makeSignedInUser, makeUser } from '@caseward/test-support/users'

interface UserPage {
  data: InstanceUser[]
  meta: { next_after: string | null }
}

const server = useTestServer()
let token: string
beforeAll(async () => {
  token = (await makeInstanceAdmin(server, { email: 'root@admins.test' })).token
})

const listUsers = async (query = '') => {
  const { status, body } = await server.request<UserPage>('GET', `/v1/admin/users${query}`, { token })
  expect(status).toBe(200)
  return body
}
const listEmails = async (query: string) => (await listUsers(query)).data.map(({ email }) => email)

describe('GET /v1/admin/users', () => {
  it('returns all users by pages, the newest first', async () => {
    for (let count = 0; count < 5; count += 1) await makeUser(server)
    const expected = await server.db.selectFrom('users').select('id').orderBy('id', 'desc').execute()
    const ids: string[] = []
    let after: string | null = null
    do {
      const page: UserPage = await listUsers(`?per_page=2${after === null ? '' : `&after=${after}`}`)
      expect(page.data.length).toBeLessThanOrEqual(2)
      ids.push(...page.data.map(({ id }) => id))
      after = page.meta.next_after
    } while (after !== null)
    expect(ids).toEqual(expected.map(({ id }) => id))
  })

  it('returns no further page after a page that is exactly full', async () => {
    const { data } = await listUsers('?per_page=100')
    expect((await listUsers(`?per_page=${data.length}`)).meta.next_after).toBeNull()
  })

  it('finds users by a part of the name or email address, in upper or lower case', async () => {
    const { id, email } = await makeUser(server, { email: 'grace.hopper@navy.test' })
    await server.db.updateTable('users').set({ name: 'Amazing Grace' }).where('id', '=', id).execute()
    for (const text of ['GRACE', 'hopper@', 'navy', 'azing gr']) {
      expect(await listEmails(`?q=${encodeURIComponent(text)}`)).toEqual([email])
    }
    for (const text of ['grace%navy', '_opper', 'grace.*navy']) {
      expect(await listEmails(`?q=${encodeURIComponent(text)}`)).toEqual([])
    }
  })

  it('finds a text of fewer than three letters at the start of the email address and of the words of the name', async () => {
    const { id, email } = await makeUser(server, { email: 'q.ö-1@äther.test' })
    await server.db.updateTable('users').set({ name: 'Xu Ünal' }).where('id', '=', id).execute()
    for (const text of ['xu', 'X', 'ün', 'q.', 'xu ü', 'Q.ö']) {
      expect(await listEmails(`?q=${encodeURIComponent(text)}`)).toEqual([email])
    }
    for (const text of ['al', 'te', '.', '%', '\\', 'x_', 'x%ü']) {
      expect(await listEmails(`?q=${encodeURIComponent(text)}`)).toEqual([])
    }
  })

  it('filters by status', async () => {
    const { id, email } = await makeUser(server)
    const body = { disabled: true }
    expect((await server.request('PATCH', `/v1/admin/users/${id}`, { token, body })).status).toBe(200)
    expect(await listEmails('?status=disabled')).toEqual([email])
    const active = await listEmails('?status=active&per_page=100')
    expect([active.includes(email), active.includes('root@admins.test')]).toEqual([false, true])
    expect(await listEmails(`?status=disabled&q=${email}`)).toEqual([email])
    expect(await listEmails(`?status=active&q=${email}`)).toEqual([])
  })

  it('returns the number of sessions and tokens, the last sign-in and the last use', async () => {
    const startMs = Date.now() - 1000
    const { id, email, browser } = await makeSignedInUser(server)
    await browser.api('POST', '/v1/tokens', { name: 'Laptop' })
    await browser.api('POST', '/v1/tokens', { name: 'Expired', expires_at: '2199-01-01' })
    const expires_at = new Date(startMs)
    await server.db.updateTable('api_tokens').set({ expires_at }).where('name', '=', 'Expired').execute()
    const [user] = (await listUsers(`?q=${email}`)).data
    expect(user).toEqual({
      id,
      name: expect.stringMatching(/^Somebody/),
      email,
      is_instance_admin: false,
      has_second_factor: false,
      disabled_at: null,
      session_count: 1,
      token_count: 1,
      last_sign_in_at: expect.any(String),
      last_seen_at: expect.any(String),
      created_at: expect.any(String),
    })
    for (const time of [user?.last_sign_in_at, user?.last_seen_at]) {
      expect(new Date(time ?? 0).getTime()).toBeGreaterThan(startMs)
    }
  })

  it('remembers the last sign-in after the session has ended, and returns null before the first one', async () => {
    const { email, browser } = await makeSignedInUser(server)
    await browser.api('DELETE', '/v1/session')
    const [user] = (await listUsers(`?q=${email}`)).data
    expect(user).toMatchObject({
      session_count: 0,
      last_sign_in_at: expect.any(String),
      last_seen_at: expect.any(String),
    })
    const newUser = await makeUser(server)
    const [unused] = (await listUsers(`?q=${newUser.email}`)).data
    expect(unused).toMatchObject({ last_sign_in_at: null, last_seen_at: null, token_count: 1 })
  })

  it.each(['after=x', 'after=', 'per_page=0', 'per_page=101', 'status=x', 'q=%00'])(
    'returns 400 for ?%s',
    async (query) => {
      const { errors } = await server.expectProblem(400, 'GET', `/v1/admin/users?${query}`, { token })
      expect(errors?.map(({ path }) => path)).toEqual([`/${query.split('=')[0]}`])
    },
  )
})
