import { createHash } from 'node:crypto'

import type { NewToken } from '@caseward/contract/tokens'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useTestServer()

const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'

/** Both kinds of token, by the path they are made under and somebody who may make them. */
const kinds = [
  {
    kind: 'personal',
    form: /^cwp_[0-9A-Za-z]{49}$/,
    place: async () => ({ path: '/v1/tokens', token: (await makeUser(server)).token }),
  },
  {
    kind: 'CI',
    form: /^cwc_[0-9A-Za-z]{49}$/,
    place: async () => {
      const project = await makeProject(server)
      return { path: `/v1/projects/${project.id}/tokens`, token: project.admin.token }
    },
  },
]

async function make(path: string, token: string, body: object = { name: 'New' }): Promise<NewToken> {
  const answer = await server.request<{ data: NewToken }>('POST', path, { token, body })
  expect(answer.status).toBe(201)
  return answer.body.data
}

const getStatus = async (token: string) => (await server.request('GET', '/v1/projects', { token })).status
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

describe.each(kinds)('a $kind token', ({ place, form }) => {
  it(
    'is made with write access and no end where nothing else is said, and works',
    {
      tags: [
        'spec:authentication/a-ci-token-is-made-in-the-token-settings',
        'spec:authentication/issuance-lifetime-format-and-scopes-of-tokens',
      ],
    },
    async () => {
      const { path, token } = await place()
      const made = await make(path, token, { name: ' GitHub ' })
      expect(made).toEqual({
        id: expect.any(String),
        name: 'GitHub',
        access: 'write',
        expires_at: null,
        last_used_at: null,
        created_at: expect.stringMatching(/Z$/),
        token: expect.stringMatching(form),
      })
      expect(await getStatus(made.token)).toBe(200)
    },
  )

  it('is shown once: the list has everything but the secret', async () => {
    const { path, token } = await place()
    const { token: secret, ...rest } = await make(path, token)
    const { body } = await server.request<{ data: { id: string }[] }>('GET', path, { token })
    expect(body.data[0]).toEqual(rest)
    expect(JSON.stringify(body)).not.toContain(secret)
  })

  it('lies in the database as its SHA-256 and as nothing else', async () => {
    const { path, token } = await place()
    const { id, token: secret } = await make(path, token)
    const row = await server.db.selectFrom('api_tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.secret_hash).toEqual(createHash('sha256').update(secret).digest())
    expect(JSON.stringify(Object.values(row).map(String))).not.toContain(secret.slice(5, 20))
  })

  it('is never logged', async () => {
    const { path, token } = await place()
    const { token: secret } = await make(path, token)
    await getStatus(secret)
    await server.expectProblem(404, 'GET', `/v1/projects/${unknownId}`, { token: secret })
    expect(server.logged.join('')).not.toContain(secret.slice(-40))
  })

  it('is listed with the newest first', async () => {
    const { path, token } = await place()
    const made = [await make(path, token), await make(path, token)]
    const { body } = await server.request<{ data: { id: string }[] }>('GET', path, { token })
    expect(body.data.slice(0, 2).map(({ id }) => id)).toEqual(made.map(({ id }) => id).toReversed())
  })

  it(
    'stops working the moment it is revoked',
    { tags: ['spec:authentication/issuance-lifetime-format-and-scopes-of-tokens'] },
    async () => {
      const { path, token } = await place()
      const made = await make(path, token)
      expect(await getStatus(made.token)).toBe(200)
      const answer = await server.request('DELETE', `${path}/${made.id}`, { token })
      expect(answer).toMatchObject({ status: 204, body: '' })
      expect(await getStatus(made.token)).toBe(401)
      await server.expectProblem(404, 'DELETE', `${path}/${made.id}`, { token })
    },
  )

  it('stops working within a second when another server revokes it', async () => {
    const { path, token } = await place()
    const made = await make(path, token)
    expect(await getStatus(made.token)).toBe(200)
    await server.db.deleteFrom('api_tokens').where('id', '=', made.id).execute()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(await getStatus(made.token)).toBe(401)
  })

  it(
    'stops working when it expires',
    { tags: ['spec:authentication/issuance-lifetime-format-and-scopes-of-tokens'] },
    async () => {
      const { path, token } = await place()
      const made = await make(path, token, { name: 'x', expires_at: inMs(700) })
      expect(await getStatus(made.token)).toBe(200)
      await new Promise((resolve) => setTimeout(resolve, 750))
      expect(await getStatus(made.token)).toBe(401)
    },
  )

  it('takes an end with any offset, and tells it in UTC', async () => {
    const { path, token } = await place()
    const made = await make(path, token, { name: 'x', expires_at: '2099-01-01T01:30:00+02:00' })
    expect(made.expires_at).toBe('2098-12-31T23:30:00.000Z')
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
  ])('is not made of %j', async (body, field) => {
    const { path, token } = await place()
    const problem = await server.expectProblem(400, 'POST', path, { token, body })
    expect(problem.errors?.map((error) => error.path)).toEqual([field])
  })

  it(
    'that only reads cannot change anything, whatever is sent',
    { tags: ['spec:authentication/issuance-lifetime-format-and-scopes-of-tokens'] },
    async () => {
      const { path, token } = await place()
      const { token: reader } = await make(path, token, { name: 'x', access: 'read' })
      expect(await getStatus(reader)).toBe(200)
      await server.expectProblem(403, 'POST', '/v1/projects', { token: reader, body: {} })
    },
  )

  it('is written to have been used, at most once a minute', async () => {
    const { path, token } = await place()
    const made = await make(path, token)
    const lastUsed = async () => {
      const row = await server.db.selectFrom('api_tokens').select('last_used_at').where('id', '=', made.id).execute()
      return row[0]?.last_used_at?.getTime() ?? null
    }
    const pretend = async (secondsAgo: number) => {
      const last_used_at = new Date(Date.now() - secondsAgo * 1000)
      await server.db.updateTable('api_tokens').set({ last_used_at }).where('id', '=', made.id).execute()
      await make(path, token) // changes a token, so that the server asks the database anew
      await new Promise((resolve) => setTimeout(resolve, 1000))
      await getStatus(made.token)
      return { before: last_used_at.getTime(), after: await lastUsed() }
    }
    await getStatus(made.token)
    expect(await lastUsed()).toBeGreaterThan(Date.now() - 10_000)
    const recent = await pretend(50)
    expect(recent.after).toBe(recent.before)
    const old = await pretend(70)
    expect(old.after).toBeGreaterThan(old.before)
  })

  it('is not found under an id that is not there, is malformed, or is somebody else’s', async () => {
    const [mine, theirs] = [await place(), await place()]
    const { id, token: secret } = await make(theirs.path, theirs.token)
    for (const unknown of [unknownId, 'nonsense', id]) {
      await server.expectProblem(404, 'DELETE', `${mine.path}/${unknown}`, { token: mine.token })
    }
    expect(await getStatus(secret)).toBe(200)
  })
})

describe('personal tokens', () => {
  it('are listed and revoked by their user alone', async () => {
    const [one, other] = [await makeUser(server), await makeUser(server)]
    const made = await make('/v1/tokens', one.token)
    const { body } = await server.request<{ data: { id: string }[] }>('GET', '/v1/tokens', { token: other.token })
    expect(body.data.map(({ id }) => id)).not.toContain(made.id)
    await server.expectProblem(404, 'DELETE', `/v1/tokens/${made.id}`, { token: other.token })
  })

  it('are not for CI tokens to list, make or revoke', async () => {
    const token = await makeCiToken(server, await makeProject(server))
    await server.expectProblem(403, 'GET', '/v1/tokens', { token })
    await server.expectProblem(403, 'POST', '/v1/tokens', { token, body: {} })
    await server.expectProblem(403, 'DELETE', `/v1/tokens/${unknownId}`, { token })
  })

  it(
    'act as their user in every project of that user',
    { tags: ['spec:authentication/issuance-lifetime-format-and-scopes-of-tokens'] },
    async () => {
      const { token } = await makeUser(server)
      const projects = [await makeProject(server, { token }), await makeProject(server, { token })]
      const made = await make('/v1/tokens', token)
      for (const { id } of projects) {
        const answer = await server.request('PATCH', `/v1/projects/${id}`, { token: made.token, body: { name: 'New' } })
        expect(answer.status).toBe(200)
      }
    },
  )
})

describe('CI tokens', () => {
  it(
    'are listed, made and revoked by admins of their project alone',
    {
      tags: [
        'spec:projects/further-configuration-of-a-project-decided',
        'spec:authentication/a-ci-token-is-made-in-the-token-settings',
      ],
    },
    async () => {
      const project = await makeProject(server)
      const path = `/v1/projects/${project.id}/tokens`
      const { id } = await make(path, project.admin.token)
      const others = [
        (await makeMember(server, project.id, 'member')).token,
        (await makeMember(server, project.id, 'viewer')).token,
        (await makeUser(server)).token,
        await makeCiToken(server, project),
      ]
      for (const token of others) {
        await server.expectProblem(403, 'GET', path, { token })
        await server.expectProblem(403, 'POST', path, { token, body: {} })
        await server.expectProblem(403, 'DELETE', `${path}/${id}`, { token })
      }
    },
  )

  it(
    'reach their own project alone',
    { tags: ['spec:authentication/a-ci-token-is-scoped-to-its-project'] },
    async () => {
      const project = await makeProject(server)
      const other = await makeProject(server)
      const token = await makeCiToken(server, project)
      const { body } = await server.request<{ data: { id: string }[] }>('GET', '/v1/projects', { token })
      expect(body.data.map(({ id }) => id)).toEqual([project.id])
      expect((await server.request('GET', `/v1/projects/${project.id}`, { token })).status).toBe(200)
      await server.expectProblem(403, 'GET', `/v1/projects/${other.id}`, { token })
    },
  )

  it('go with their project', async () => {
    const project = await makeProject(server)
    const token = await makeCiToken(server, project)
    expect(await getStatus(token)).toBe(200)
    await server.request('DELETE', `/v1/projects/${project.id}`, { token: project.admin.token })
    expect(await getStatus(token)).toBe(401)
  })

  it('are not made for a project that another server has just deleted', async () => {
    const project = await makeProject(server)
    const path = `/v1/projects/${project.id}/tokens`
    await make(path, project.admin.token)
    await server.db.deleteFrom('projects').where('id', '=', project.id).execute()
    await server.expectProblem(404, 'POST', path, { token: project.admin.token, body: { name: 'x' } })
  })
})
