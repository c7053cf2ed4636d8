import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'
import { insertToken, type TokenOwner } from './tokens.queries.ts'

const server = useSharedServer()

const LIMIT = 100

/** Both kinds of token, with who can create them. */
const kinds = [
  ['personal', async () => await getUser()],
  ['CI', async () => await getProject()],
] as const

interface Owner {
  path: string
  token: string
  /** How many tokens there are already. */
  existing: number
  stored: TokenOwner
}

async function getUser(): Promise<Owner> {
  const { id, token } = await makeUser(server)
  return { path: '/v1/tokens', token, existing: 1, stored: { kind: 'personal', userId: id } }
}

async function getProject(): Promise<Owner> {
  const { id, admin } = await makeProject(server)
  return {
    path: `/v1/projects/${id}/tokens`,
    token: admin.token,
    existing: 0,
    stored: { kind: 'ci', projectId: id },
  }
}

/** Inserts tokens without requests, up to a number of valid ones. */
async function fillUp({ stored, existing }: Owner, count: number): Promise<void> {
  const input = { name: 'Old', access: 'read', expiresAt: null, createdBy: null } as const
  for (let created = existing; created < count; created += 1) await insertToken(server.db, stored, input)
}

async function createTokens(
  { path, token }: Pick<Owner, 'path' | 'token'>,
  count: number,
  fields: object = {},
): Promise<number[]> {
  const statuses: number[] = []
  for (let created = 0; created < count; created += 40) {
    const requests = Array.from({ length: Math.min(40, count - created) }, async () => {
      return (await server.request('POST', path, { token, body: { name: 'New', ...fields } })).status
    })
    statuses.push(...(await Promise.all(requests)))
  }
  return statuses
}
const list = async ({ path, token }: Owner) =>
  (await server.request<{ data: { id: string; expires_at: string | null }[] }>('GET', path, { token })).body.data

/** Lets all tokens expire that have an expiry time. */
const expireTokens = () =>
  sql`update api_tokens set expires_at = now() - interval '1 second' where expires_at > now()`.execute(server.db)

describe.each(kinds)('the limit of 100 valid %s tokens', (_kind, getOwner) => {
  it('is not exceeded by concurrent requests: the others return 422 token_limit', async () => {
    const owner = await getOwner()
    await fillUp(owner, LIMIT - 20)
    const statuses = await createTokens(owner, 40)
    expect(statuses.filter((status) => status === 201)).toHaveLength(20)
    expect(statuses.filter((status) => status === 422)).toHaveLength(20)
    const problem = await server.expectProblem(422, 'POST', owner.path, { token: owner.token, body: { name: 'x' } })
    expect(problem.code).toBe('token_limit')
    for (let round = 0; round < 4; round += 1) {
      const [newest] = await list(owner)
      await server.request('DELETE', `${owner.path}/${newest?.id}`, { token: owner.token })
      await createTokens(owner, 8)
      expect(await list(owner)).toHaveLength(LIMIT)
    }
  })

  it('allows another token after one is revoked', async () => {
    const owner = await getOwner()
    await fillUp(owner, LIMIT)
    const [newest] = await list(owner)
    await server.request('DELETE', `${owner.path}/${newest?.id}`, { token: owner.token })
    expect(await createTokens(owner, 2)).toEqual(expect.arrayContaining([201, 422]))
  })

  it('does not count expired tokens, of which the newest 100 are kept', async () => {
    const owner = await getOwner()
    for (let round = 0; round < 2; round += 1) {
      const statuses = await createTokens(owner, 60, { expires_at: '2099-01-01' })
      expect(new Set(statuses)).toEqual(new Set([201]))
      await expireTokens()
    }
    expect(await list(owner)).toHaveLength(120 + owner.existing)
    expect(await createTokens(owner, 1)).toEqual([201])
    const tokens = await list(owner)
    expect(tokens.filter(({ expires_at }) => expires_at !== null)).toHaveLength(LIMIT)
    expect(tokens).toHaveLength(LIMIT + 1 + owner.existing)
  })
})

describe('the limit of 100 valid tokens', () => {
  it('is separate for each user and each project', async () => {
    const { id, admin } = await makeProject(server)
    const path = `/v1/projects/${id}/tokens`
    await fillUp({ path, token: admin.token, existing: 0, stored: { kind: 'ci', projectId: id } }, LIMIT)
    const colleague = await makeMember(server, id, 'admin')
    expect(await createTokens({ path, token: colleague.token }, 1)).toEqual([422])
    expect(await createTokens({ path: '/v1/tokens', token: admin.token }, 1)).toEqual([201])
    const other = await makeProject(server, { token: admin.token })
    expect(await createTokens({ path: `/v1/projects/${other.id}/tokens`, token: admin.token }, 1)).toEqual([201])
  })
})
