import { createHash } from 'node:crypto'

import type { NewToken } from '@caseward/contract/tokens'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useTestServer()

const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'

/** Both kinds of token, with the format of their secret, their path and the token of a user who can create them. */
const kinds = [
  [
    'personal',
    {
      pattern: /^cwp_[0-9A-Za-z]{49}$/,
      getOwner: async () => ({ path: '/v1/tokens', token: (await makeUser(server)).token }),
    },
  ],
  [
    'CI',
    {
      pattern: /^cwc_[0-9A-Za-z]{49}$/,
      getOwner: async () => {
        const project = await makeProject(server)
        return { path: `/v1/projects/${project.id}/tokens`, token: project.admin.token }
      },
    },
  ],
] as const

async function createToken(path: string, token: string, body: object = { name: 'New' }): Promise<NewToken> {
  const response = await server.request<{ data: NewToken }>('POST', path, { token, body })
  expect(response.status).toBe(201)
  return response.body.data
}

const getStatus = async (token: string) => (await server.request('GET', '/v1/projects', { token })).status
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

describe.each(kinds)('a %s token', (_kind, { getOwner, pattern }) => {
  it(
    'is created with write access and without expiry by default, and is valid',
    {
      tags: [
        'spec:authentication/a-ci-token-is-made-in-the-token-settings',
        'spec:authentication/issuance-lifetime-format-and-scopes-of-tokens',
      ],
    },
    async () => {
      const { path, token } = await getOwner()
      const created = await createToken(path, token, { name: ' GitHub ' })
      expect(created).toEqual({
        id: expect.any(String),
        name: 'GitHub',
        access: 'write',
        expires_at: null,
        last_used_at: null,
        created_by: expect.any(String),
        created_with: expect.any(String),
        ...(path === '/v1/tokens' ? {} : { grants: [] }),
        created_at: expect.stringMatching(/Z$/),
        token: expect.stringMatching(pattern),
      })
      expect(await getStatus(created.token)).toBe(200)
    },
  )

  it('is shown once: the list contains everything but the secret', async () => {
    const { path, token } = await getOwner()
    const { token: secret, ...fields } = await createToken(path, token)
    const { body } = await server.request<{ data: { id: string }[] }>('GET', path, { token })
    expect(body.data[0]).toMatchObject(fields)
    expect(JSON.stringify(body)).not.toContain(secret)
  })

  it('is stored only as its SHA-256 hash', async () => {
    const { path, token } = await getOwner()
    const { id, token: secret } = await createToken(path, token)
    const row = await server.db.selectFrom('api_tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.secret_hash).toEqual(createHash('sha256').update(secret).digest())
    expect(JSON.stringify(Object.values(row).map(String))).not.toContain(secret.slice(5, 20))
  })

  it('is not logged', async () => {
    const { path, token } = await getOwner()
    const { token: secret } = await createToken(path, token)
    await getStatus(secret)
    await server.expectProblem(404, 'GET', `/v1/projects/${unknownId}`, { token: secret })
    expect(server.logged.join('')).not.toContain(secret.slice(-40))
  })

  it('is listed, the newest first', async () => {
    const { path, token } = await getOwner()
    const created = [await createToken(path, token), await createToken(path, token)]
    const { body } = await server.request<{ data: { id: string }[] }>('GET', path, { token })
    expect(body.data.slice(0, 2).map(({ id }) => id)).toEqual(created.map(({ id }) => id).toReversed())
  })

  it(
    'is invalid with the next request after it is revoked',
    { tags: ['spec:authentication/issuance-lifetime-format-and-scopes-of-tokens'] },
    async () => {
      const { path, token } = await getOwner()
      const created = await createToken(path, token)
      expect(await getStatus(created.token)).toBe(200)
      const response = await server.request('DELETE', `${path}/${created.id}`, { token })
      expect(response).toMatchObject({ status: 204, body: '' })
      expect(await getStatus(created.token)).toBe(401)
      await server.expectProblem(404, 'DELETE', `${path}/${created.id}`, { token })
    },
  )

  it('is invalid within a second after another server revokes it', async () => {
    const { path, token } = await getOwner()
    const created = await createToken(path, token)
    expect(await getStatus(created.token)).toBe(200)
    await server.db.deleteFrom('api_tokens').where('id', '=', created.id).execute()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(await getStatus(created.token)).toBe(401)
  })

  it(
    'is invalid after it expires',
    { tags: ['spec:authentication/issuance-lifetime-format-and-scopes-of-tokens'] },
    async () => {
      const { path, token } = await getOwner()
      const created = await createToken(path, token, { name: 'x', expires_at: inMs(700) })
      expect(await getStatus(created.token)).toBe(200)
      await new Promise((resolve) => setTimeout(resolve, 750))
      expect(await getStatus(created.token)).toBe(401)
    },
  )

  it('accepts an expiry time with any offset, and returns it in UTC', async () => {
    const { path, token } = await getOwner()
    const created = await createToken(path, token, { name: 'x', expires_at: '2099-01-01T01:30:00+02:00' })
    expect(created.expires_at).toBe('2098-12-31T23:30:00.000Z')
  })

  it.each([
    [{}, '/name'],
    [{ name: ' ' }, '/name'],
    [{ name: 'x', access: 'admin' }, '/access'],
    [{ name: 'x', access: null }, '/access'],
    [{ name: 'x', expires_at: 'tomorrow' }, '/expires_at'],
    [{ name: 'x', expires_at: '2020-01-01' }, '/expires_at'],
    [{ name: 'x', expires_at: '2099-02-30' }, '/expires_at'],
    [{ name: 'x', expires_at: 4_102_444_800 }, '/expires_at'],
  ])('is not created with the invalid body %j', async (body, field) => {
    const { path, token } = await getOwner()
    const problem = await server.expectProblem(400, 'POST', path, { token, body })
    expect(problem.errors?.map((error) => error.path)).toEqual([field])
  })

  it(
    'with read access gets 403 for a write request, before any error in the body',
    { tags: ['spec:authentication/issuance-lifetime-format-and-scopes-of-tokens'] },
    async () => {
      const { path, token } = await getOwner()
      const { token: reader } = await createToken(path, token, { name: 'x', access: 'read' })
      expect(await getStatus(reader)).toBe(200)
      await server.expectProblem(403, 'POST', '/v1/projects', { token: reader, body: {} })
    },
  )

  it('stores its time of last use at most once per minute', async () => {
    const { path, token } = await getOwner()
    const created = await createToken(path, token)
    const getLastUsed = async () => {
      const row = await server.db.selectFrom('api_tokens').select('last_used_at').where('id', '=', created.id).execute()
      return row[0]?.last_used_at?.getTime() ?? null
    }
    const useAfter = async (secondsAgo: number) => {
      const last_used_at = new Date(Date.now() - secondsAgo * 1000)
      await server.db.updateTable('api_tokens').set({ last_used_at }).where('id', '=', created.id).execute()
      await createToken(path, token) // clears the cache of tokens
      await new Promise((resolve) => setTimeout(resolve, 1000))
      await getStatus(created.token)
      return { before: last_used_at.getTime(), after: await getLastUsed() }
    }
    await getStatus(created.token)
    expect(await getLastUsed()).toBeGreaterThan(Date.now() - 10_000)
    const recent = await useAfter(50)
    expect(recent.after).toBe(recent.before)
    const old = await useAfter(70)
    expect(old.after).toBeGreaterThan(old.before)
  })

  it('cannot be revoked by an unknown id, by an invalid one, or by another owner: DELETE returns 404', async () => {
    const [owner, otherOwner] = [await getOwner(), await getOwner()]
    const { id, token: secret } = await createToken(otherOwner.path, otherOwner.token)
    for (const unknown of [unknownId, 'nonsense', id]) {
      await server.expectProblem(404, 'DELETE', `${owner.path}/${unknown}`, { token: owner.token })
    }
    expect(await getStatus(secret)).toBe(200)
  })
})

describe('personal tokens', () => {
  it('are listed and revoked only by their user', async () => {
    const [user, otherUser] = [await makeUser(server), await makeUser(server)]
    const created = await createToken('/v1/tokens', user.token)
    const { body } = await server.request<{ data: { id: string }[] }>('GET', '/v1/tokens', { token: otherUser.token })
    expect(body.data.map(({ id }) => id)).not.toContain(created.id)
    await server.expectProblem(404, 'DELETE', `/v1/tokens/${created.id}`, { token: otherUser.token })
  })

  it('cannot be listed, created or revoked with a CI token', async () => {
    const token = await makeCiToken(server, await makeProject(server))
    await server.expectProblem(403, 'GET', '/v1/tokens', { token })
    await server.expectProblem(403, 'POST', '/v1/tokens', { token, body: {} })
    await server.expectProblem(403, 'DELETE', `/v1/tokens/${unknownId}`, { token })
  })

  it(
    'are valid in every project of their user',
    { tags: ['spec:authentication/issuance-lifetime-format-and-scopes-of-tokens'] },
    async () => {
      const { token } = await makeUser(server)
      const projects = [await makeProject(server, { token }), await makeProject(server, { token })]
      const created = await createToken('/v1/tokens', token)
      for (const { id } of projects) {
        const response = await server.request('PATCH', `/v1/projects/${id}`, {
          token: created.token,
          body: { name: 'New' },
        })
        expect(response.status).toBe(200)
      }
    },
  )
})

describe('CI tokens', () => {
  it(
    'are listed, created and revoked only by admins of their project',
    {
      tags: [
        'spec:projects/further-configuration-of-a-project-decided',
        'spec:authentication/a-ci-token-is-made-in-the-token-settings',
      ],
    },
    async () => {
      const project = await makeProject(server)
      const path = `/v1/projects/${project.id}/tokens`
      const { id } = await createToken(path, project.admin.token)
      const otherTokens = [
        (await makeMember(server, project.id, 'member')).token,
        (await makeMember(server, project.id, 'viewer')).token,
        (await makeUser(server)).token,
        await makeCiToken(server, project),
      ]
      for (const token of otherTokens) {
        await server.expectProblem(403, 'GET', path, { token })
        await server.expectProblem(403, 'POST', path, { token, body: {} })
        await server.expectProblem(403, 'DELETE', `${path}/${id}`, { token })
      }
    },
  )

  it(
    'give access only to their own project',
    { tags: ['spec:authentication/a-ci-token-is-scoped-to-its-project'] },
    async () => {
      const project = await makeProject(server)
      const otherProject = await makeProject(server)
      const token = await makeCiToken(server, project)
      const { body } = await server.request<{ data: { id: string }[] }>('GET', '/v1/projects', { token })
      expect(body.data.map(({ id }) => id)).toEqual([project.id])
      expect((await server.request('GET', `/v1/projects/${project.id}`, { token })).status).toBe(200)
      await server.expectProblem(403, 'GET', `/v1/projects/${otherProject.id}`, { token })
    },
  )

  it('are invalid after their project is deleted', async () => {
    const project = await makeProject(server)
    const token = await makeCiToken(server, project)
    expect(await getStatus(token)).toBe(200)
    await server.request('DELETE', `/v1/projects/${project.id}`, { token: project.admin.token })
    expect(await getStatus(token)).toBe(401)
  })

  it('return 404 on creation when another server has just deleted the project', async () => {
    const project = await makeProject(server)
    const path = `/v1/projects/${project.id}/tokens`
    await createToken(path, project.admin.token)
    await server.db.deleteFrom('projects').where('id', '=', project.id).execute()
    await server.expectProblem(404, 'POST', path, { token: project.admin.token, body: { name: 'x' } })
  })
})
