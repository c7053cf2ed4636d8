import type { InstanceUser } from '@caseward/contract/admin'
import type { Me } from '@caseward/contract/session'
import { beforeEach, describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin, makeUser, removeUsers } from '@caseward/test-support/users'
import { updateUser } from './change-users.ts'
import { createSetupLink } from '../auth/setup/create-setup-link.ts'
import { ensureFirstAdmin } from '../auth/setup/ensure-first-admin.ts'

const server = useTestServer()
/** There are no other instance administrators than those of the test. */
beforeEach(() => removeUsers(server))

interface User {
  id: string
  token: string
}

const update = (caller: User, user: User, body: object) =>
  server.request<{ data: InstanceUser; code?: string }>('PATCH', `/v1/admin/users/${user.id}`, {
    token: caller.token,
    body,
  })
const getOutcome = async (caller: User, user: User, body: object) => {
  const response = await update(caller, user, body)
  return response.body.code ?? response.status
}
const isInstanceAdmin = async ({ token }: Pick<User, 'token'>) =>
  (await server.request<{ data: Me }>('GET', '/v1/me', { token })).body.data.is_instance_admin

describe('the first user', () => {
  const adminToken = 'an-admin-token-of-32-characters-or-more'

  it('is an instance administrator when created with a setup link', async () => {
    const body = { name: 'Ada', email: 'ada@example.test', password: 'correct horse battery' }
    const path = `/v1/setup/${await createSetupLink(server.db)}`
    const response = await server.request<{ data: Me }>('POST', path, { body })
    expect([response.status, response.body.data.is_instance_admin]).toEqual([201, true])
  })

  it('is an instance administrator when created by ADMIN_EMAIL', async () => {
    const settings = { adminEmail: 'ada@example.test', adminPassword: null, adminToken }
    await ensureFirstAdmin(server.db, settings)
    expect(await isInstanceAdmin({ token: adminToken })).toBe(true)
  })

  it('is the only one: later users are none', async () => {
    const user = await makeUser(server)
    // The server remembers for a moment whose the other one was.
    const token = `${adminToken}-too`
    await ensureFirstAdmin(server.db, { adminEmail: user.email, adminPassword: null, adminToken: token })
    expect([await isInstanceAdmin(user), await isInstanceAdmin({ token })]).toEqual([false, false])
  })
})

describe('PATCH /v1/admin/users/:user_id with is_instance_admin', () => {
  it('grants and withdraws the right, at once', async () => {
    const [admin, user] = [await makeInstanceAdmin(server), await makeUser(server)]
    expect(await getOutcome(user, admin, {})).toBe('instance_admin_required')
    expect((await update(admin, user, { is_instance_admin: true })).body.data.is_instance_admin).toBe(true)
    expect([await isInstanceAdmin(user), await getOutcome(user, user, {})]).toEqual([true, 200])
    expect(await getOutcome(user, admin, { is_instance_admin: false })).toBe(200)
    expect(await getOutcome(admin, user, {})).toBe('instance_admin_required')
  })

  it.each([{ is_instance_admin: false }, { disabled: true }])(
    'is refused when the caller has just been changed with %j, and the guard has let the request through before',
    async (body) => {
      const [admin, former] = [await makeInstanceAdmin(server), await makeInstanceAdmin(server)]
      await update(admin, former, body)
      const actor = { kind: 'user', userId: former.id, tokenId: null, address: null } as const
      const change = { is_instance_admin: true, disabled: false }
      await expect(updateUser(server.db, actor, former.id, change)).rejects.toMatchObject({
        statusCode: 403,
        code: 'instance_admin_required',
      })
    },
  )

  it('keeps the right of a disabled instance administrator, who has it again when enabled', async () => {
    const [admin, other] = [await makeInstanceAdmin(server), await makeInstanceAdmin(server)]
    expect((await update(admin, other, { disabled: true })).body.data.is_instance_admin).toBe(true)
    expect((await update(admin, other, { disabled: false })).body.data.is_instance_admin).toBe(true)
  })
})

describe('the last active instance administrator', () => {
  it.each([[{ disabled: true }], [{ is_instance_admin: false }], [{ disabled: true, is_instance_admin: true }]])(
    'cannot be changed with %j: PATCH returns 422 last_instance_admin',
    async (body) => {
      const [admin, disabledAdmin] = [await makeInstanceAdmin(server), await makeInstanceAdmin(server)]
      await update(admin, disabledAdmin, { disabled: true })
      expect(await getOutcome(admin, admin, body)).toBe('last_instance_admin')
      expect(await getOutcome(admin, admin, {})).toBe(200)
    },
  )

  it('can be changed once there is another one', async () => {
    const [admin, user] = [await makeInstanceAdmin(server), await makeUser(server)]
    await update(admin, user, { is_instance_admin: true })
    expect(await getOutcome(admin, admin, { is_instance_admin: false })).toBe(200)
  })

  it('remains when two instance administrators disable each other at the same moment', async () => {
    for (let round = 0; round < 30; round += 1) {
      const [first, second] = [await makeInstanceAdmin(server), await makeInstanceAdmin(server)]
      const others = server.db.updateTable('users').set({ is_instance_admin: false })
      await others.where('id', 'not in', [first.id, second.id]).execute()
      const body = round % 2 === 0 ? { disabled: true } : { is_instance_admin: false }
      const outcomes = await Promise.all([getOutcome(first, second, body), getOutcome(second, first, body)])
      expect(outcomes.filter((outcome) => outcome === 200)).toHaveLength(1)
      const active = server.db.selectFrom('users').select('id').where('is_instance_admin', '=', true)
      expect(await active.where('disabled_at', 'is', null).execute()).toHaveLength(1)
    }
  })
})
