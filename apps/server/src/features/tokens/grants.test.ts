import type { CiToken, NewToken } from '@caseward/contract/tokens'
import { makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

async function makeTokensPath() {
  const { id, admin } = await makeProject(server)
  return { id, token: admin.token, path: `/v1/projects/${id}/tokens` }
}

describe('the grants of a CI token', () => {
  it('are returned, listed and recorded in the audit log', async () => {
    const { id, token, path } = await makeTokensPath()
    const body = { name: 'CI', grants: ['cases:create'] }
    const created = await server.request<{ data: NewToken }>('POST', path, { token, body })
    expect([created.status, created.body.data.grants]).toEqual([201, ['cases:create']])
    const { body: list } = await server.request<{ data: CiToken[] }>('GET', path, { token })
    expect(list.data.map(({ grants }) => grants)).toEqual([['cases:create']])
    const audit = await server.request<{ data: Record<string, unknown>[] }>('GET', `/v1/projects/${id}/audit-log`, {
      token,
    })
    expect(audit.body.data).toContainEqual(
      expect.objectContaining({
        action: 'token.create',
        detail: expect.objectContaining({ grants: ['cases:create'] }),
      }),
    )
  })

  it('require write access', async () => {
    const { token, path } = await makeTokensPath()
    const body = { name: 'CI', access: 'read', grants: ['cases:create'] }
    const problem = await server.expectProblem(400, 'POST', path, { token, body })
    expect(problem.errors).toEqual([{ path: '/grants', message: 'require write access: set `access` to `write`' }])
    const { body: list } = await server.request<{ data: CiToken[] }>('GET', path, { token })
    expect(list.data).toEqual([])
  })

  it.each([[['cases:delete']], [['cases:create', 'cases:create']], ['cases:create']])(
    'are refused if they are %j',
    async (grants) => {
      const { token, path } = await makeTokensPath()
      const problem = await server.expectProblem(400, 'POST', path, { token, body: { name: 'CI', grants } })
      expect(problem.errors?.[0]?.path).toMatch(/^\/grants/)
    },
  )

  it('do not belong to personal tokens', async () => {
    const { token } = await makeTokensPath()
    const body = { name: 'Mine', grants: ['cases:create'] }
    const created = await server.request<{ data: NewToken }>('POST', '/v1/tokens', { token, body })
    expect(created.body.data).not.toHaveProperty('grants')
  })
})
