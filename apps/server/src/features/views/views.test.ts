import { MAX_VIEWS, type View } from '@caseward/contract/views'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

const server = useSharedServer()

interface User {
  id: string
  token: string
}

/** A project with an admin, a member and a viewer, and what they do with views. */
async function makeViewScenario() {
  const project = await makeProject(server)
  const [member, viewer] = await Promise.all([
    makeMember(server, project.id, 'member'),
    makeMember(server, project.id, 'viewer'),
  ])
  const path = `/v1/projects/${project.id}/views`
  const create = async ({ token }: User, body: object = {}): Promise<View> => {
    const content = { page: 'cases', name: 'Smoke', query: 'tag=smoke', ...body }
    const { status, body: response } = await server.request<{ data: View }>('POST', path, { token, body: content })
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${JSON.stringify(response)}`)
    return response.data
  }
  return {
    path,
    projectId: project.id,
    admin: project.admin,
    member,
    viewer,
    create,
    list: async ({ token }: User, query = '') =>
      (
        await server.request<{ data: View[]; meta: { defaults: { page: string; view_id: string }[] } }>(
          'GET',
          path + query,
          { token },
        )
      ).body,
    change: ({ token }: User, id: string, body: object) =>
      server.request<{ data: View }>('PATCH', `${path}/${id}`, { token, body }),
    remove: ({ token }: User, id: string) => server.request('DELETE', `${path}/${id}`, { token }),
    setDefault: ({ token }: User, id: string | null, page = 'cases') =>
      server.request('PUT', `${path}/default`, { token, body: { page, view_id: id } }),
    refuse: async (
      { token }: User,
      status: number,
      method: 'POST' | 'PATCH' | 'DELETE' | 'PUT',
      to: string,
      body?: object,
    ) => await server.expectProblem(status, method, path + to, body === undefined ? { token } : { token, body }),
  }
}

describe('views', () => {
  it('are private at first: only their owner lists, changes and deletes them', async () => {
    const { create, list, admin, viewer, refuse, remove } = await makeViewScenario()
    const view = await create(viewer)
    expect(view).toMatchObject({ page: 'cases', query: 'tag=smoke', columns: null, is_shared: false })
    expect(view.owner_id).toBe(viewer.id)
    expect((await list(viewer)).data).toEqual([view])
    expect((await list(admin)).data).toEqual([])
    await refuse(admin, 404, 'PATCH', `/${view.id}`, { name: 'Mine' })
    await refuse(admin, 404, 'DELETE', `/${view.id}`)
    expect((await remove(viewer, view.id)).status).toBe(204)
    expect((await list(viewer)).data).toEqual([])
  })

  it('are shared by members: all list them by name, their owner and admins change them', async () => {
    const { create, list, change, admin, member, viewer, refuse } = await makeViewScenario()
    const shared = await create(member, { name: 'b', is_shared: true })
    const own = await create(viewer, { name: 'A', page: 'runs', query: '' })
    expect((await list(viewer)).data).toEqual([own, shared])
    expect((await list(viewer, '?page=cases')).data).toEqual([shared])
    expect((await refuse(viewer, 403, 'PATCH', `/${shared.id}`, { name: 'Mine' })).code).toBe('not_yours')
    expect((await refuse(viewer, 403, 'PATCH', `/${own.id}`, { is_shared: true })).code).toBe('role_required')
    const changed = await change(admin, shared.id, { query: '?sort=title', columns: ['title', 'tags'] })
    expect(changed.body.data).toMatchObject({
      query: 'sort=title',
      columns: ['title', 'tags'],
      owner_id: member.id,
      is_shared: true,
    })
    expect((await refuse(admin, 403, 'PATCH', `/${shared.id}`, { is_shared: false })).code).toBe('not_yours')
    expect((await change(member, shared.id, { is_shared: false, columns: null })).body.data).toMatchObject({
      query: 'sort=title',
      columns: null,
      is_shared: false,
    })
    expect((await list(admin)).data).toEqual([])
  })

  it.each([
    [
      'cases',
      '?desc=1&type=smoke&type=functional&tag=b&tag=a&tag=b&q=',
      'type=functional&type=smoke&tag=b&tag=a&desc=1',
    ],
    ['cases', 'sort=tree&q=a%20%26+b', 'q=a+%26+b'],
    ['runs', 'status=all&milestone=x', 'milestone=x'],
    ['run', 'new=1&assigned=me&status=failed', 'status=failed&assigned=me&new=1'],
    ['tests', 'match=unmatched', 'match=unmatched'],
  ])('store the query of %s in one form: %s', async (page, query, stored) => {
    const { create, member } = await makeViewScenario()
    expect((await create(member, { page, query })).query).toBe(stored)
  })

  it('refuse what their page does not have, and name it', async () => {
    const { member, refuse, create } = await makeViewScenario()
    const view = await create(member)
    const queries = ['case=WEB-1', 'page=2', 'priority=urgent', 'desc=yes', 'q=a&q=b', 'sort=colour', '__proto__=1']
    for (const query of queries) {
      const problem = await refuse(member, 400, 'POST', '', { page: 'cases', name: 'x', query })
      expect(problem.errors).toMatchObject([{ path: '/query' }])
      await refuse(member, 400, 'PATCH', `/${view.id}`, { query })
    }
    await refuse(member, 400, 'POST', '', { page: 'members', name: 'x', query: '' })
    await refuse(member, 400, 'PATCH', `/${view.id}`, {})
  })

  it('open a page for one user, until they are deleted or private again', async () => {
    const { create, list, remove, change, setDefault, member, viewer, refuse } = await makeViewScenario()
    const shared = await create(member, { is_shared: true })
    const own = await create(viewer)
    for (const { id } of [own, shared]) expect((await setDefault(viewer, id)).status).toBe(200)
    await setDefault(member, shared.id)
    const defaults = [{ page: 'cases', view_id: shared.id }]
    expect((await list(viewer)).meta).toEqual({ defaults })
    expect((await list(viewer, '?page=runs')).meta).toEqual({ defaults: [] })
    await change(member, shared.id, { is_shared: false })
    expect((await list(viewer)).meta).toEqual({ defaults: [] })
    expect((await list(member)).meta).toEqual({ defaults })
    await remove(member, shared.id)
    expect((await list(member)).meta).toEqual({ defaults: [] })

    await setDefault(viewer, own.id)
    expect((await setDefault(viewer, null)).status).toBe(200)
    expect((await list(viewer)).meta).toEqual({ defaults: [] })
    for (const body of [
      { page: 'runs', view_id: own.id },
      { page: 'cases', view_id: 'x' },
    ]) {
      expect((await refuse(viewer, 400, 'PUT', '/default', body)).errors).toMatchObject([{ path: '/view_id' }])
    }
    await refuse(member, 400, 'PUT', '/default', { page: 'cases', view_id: own.id })
  })

  it('are at most 100 of one user in a project, also of requests at the same time', async () => {
    const { path, projectId, member, viewer, create, refuse } = await makeViewScenario()
    await sql`
      insert into views (project_id, id, page, name, query, owner_id, private_to)
      select ${projectId}, gen_random_uuid(), 'cases', 'View ' || n, '', ${member.id}, ${member.id}
      from generate_series(1, ${MAX_VIEWS - 2}::integer) n`.execute(server.db)
    const body = { page: 'cases', name: 'Last', query: '' }
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => server.request('POST', path, { token: member.token, body })),
    )
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 422, 422, 422, 422])
    expect((await refuse(member, 422, 'POST', '', body)).code).toBe('too_many_views')
    await create(viewer)
  })

  it('stay when their owner leaves, if they are shared', async () => {
    const { create, list, admin, member, projectId } = await makeViewScenario()
    const shared = await create(member, { is_shared: true })
    await create(member)
    await server.request('DELETE', `/v1/projects/${projectId}/members/${member.id}`, { token: admin.token })
    expect((await list(admin)).data).toEqual([shared])
  })
})
