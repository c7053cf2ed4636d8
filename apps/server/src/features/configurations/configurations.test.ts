import type { Configuration } from '@caseward/contract/configurations'
import { makeConfigurations, makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

async function makeScenario() {
  const project = await makeProject(server)
  const url = `/v1/projects/${project.id}/configurations`
  const { token } = project.admin
  return {
    project,
    post: (body: object) =>
      server.request<{ data: Configuration; errors?: object[]; code?: string }>('POST', url, { token, body }),
    patch: (id: string, body: object) =>
      server.request<{ data: Configuration; code?: string; errors?: object[] }>('PATCH', `${url}/${id}`, {
        token,
        body,
      }),
    remove: (id: string) => server.request('DELETE', `${url}/${id}`, { token }),
    list: async (query = '') =>
      (await server.request<{ data: Configuration[] }>('GET', url + query, { token })).body.data.map(
        ({ group_name: group, name, position }) => `${group}: ${name} ${position}`,
      ),
  }
}

describe('configurations of a project', () => {
  it('are listed group by group, change their place and names, and are retired and deleted', async () => {
    const { project, patch, remove, list } = await makeScenario()
    const [chrome, firefox, windows, safari] = await makeConfigurations(server, project, {
      browser: ['chrome', 'firefox'],
      system: ['windows'],
    }).then(async (made) => [...made, ...(await makeConfigurations(server, project, { browser: ['safari'] }))])
    expect(await list()).toEqual(['browser: chrome 1', 'browser: firefox 2', 'browser: safari 3', 'system: windows 1'])
    const moved = await patch(safari?.id ?? '', { position: 1, name: 'Safari', variants: ['webkit', 'webkit'] })
    expect(moved).toMatchObject({ status: 200, body: { data: { position: 1, name: 'Safari', variants: ['webkit'] } } })
    await patch(chrome?.id ?? '', { group_name: 'Browser' })
    expect(await list()).toEqual(['Browser: Safari 1', 'Browser: chrome 2', 'Browser: firefox 3', 'system: windows 1'])
    const retired = await patch(chrome?.id ?? '', { retired: true })
    expect(retired.body.data).toMatchObject({ position: 0, retired_at: expect.any(String) })
    expect(await list('?retired=false')).toEqual(['Browser: Safari 1', 'Browser: firefox 2', 'system: windows 1'])
    expect(await list('?retired=true')).toEqual(['Browser: chrome 0'])
    await remove(firefox?.id ?? '')
    await patch(chrome?.id ?? '', { retired: false })
    expect(await list()).toEqual(['Browser: Safari 1', 'Browser: chrome 2', 'system: windows 1'])
    await remove(windows?.id ?? '')
    expect((await remove(windows?.id ?? '')).status).toBe(404)
  })

  it('refuse keys and names in use, groups without a name, and more than the limits', async () => {
    const { project, post, patch } = await makeScenario()
    const [chrome] = await makeConfigurations(server, project, { browser: ['chrome', 'firefox'], system: ['mac'] })
    const body = { group_key: 'browser', key: 'edge', name: 'Edge' }
    expect(await post({ ...body, key: 'chrome' })).toMatchObject({ status: 409, body: { code: 'key_taken' } })
    for (const [change, path] of [
      [{ ...body, name: 'Chrome' }, '/name'],
      [{ ...body, group_key: 'device' }, '/group_name'],
      [{ ...body, group_key: 'device', group_name: 'System' }, '/group_name'],
      [{ ...body, key: 'Edge' }, '/key'],
      [{ ...body, variants: [''] }, '/variants/0'],
    ] as const) {
      expect(await post(change)).toMatchObject({ status: 400, body: { errors: [{ path }] } })
    }
    expect(await patch(chrome?.id ?? '', { name: 'FIREFOX' })).toMatchObject({ status: 400 })
    for (let index = 2; index < 50; index += 1) {
      expect((await post({ ...body, key: `k${index}`, name: `k${index}` })).status).toBe(201)
    }
    expect(await post(body)).toMatchObject({ status: 422, body: { code: 'too_many_configurations' } })
    for (let index = 2; index < 20; index += 1) {
      const group = { group_key: `g${index}`, group_name: `g${index}`, key: 'one', name: 'One' }
      expect((await post(group)).status).toBe(201)
    }
    const more = { group_key: 'more', group_name: 'More', key: 'one', name: 'One' }
    expect(await post(more)).toMatchObject({ status: 422, body: { code: 'too_many_configurations' } })
  })

  it('has each key once when two admins add it at the same time', async () => {
    const { post, list } = await makeScenario()
    const body = { group_key: 'browser', group_name: 'Browser', key: 'chrome', name: 'Chrome' }
    const replies = await Promise.all([post(body), post(body), post({ ...body, key: 'edge', name: 'Edge' })])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409])
    expect(await list()).toHaveLength(2)
  })
})
