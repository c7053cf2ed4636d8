import type { Configuration } from '@caseward/contract/configurations'
import type { Problem } from '@caseward/contract/problem'
import type { Run } from '@caseward/contract/run-schemas'
import { openEventStream } from '@caseward/test-support/event-stream'
import {
  makeConfigurations,
  makeInstanceConfigurations,
  makeProject,
  makeTestCases,
} from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'

const server = useTestServer()

beforeEach(async () => {
  await sql`delete from configurations where project_id is null`.execute(server.db)
})

async function makeInstance() {
  const { token } = await makeInstanceAdmin(server)
  return {
    token,
    send: (method: string, path: string, body?: object) =>
      server.request<Problem & { data: Configuration }>(method, `/v1/admin/configurations${path}`, {
        token,
        ...(body && { body }),
      }),
  }
}

async function makeUsingProject() {
  const project = await makeProject(server)
  const { token } = project.admin
  await makeTestCases(server, project, 2)
  const root = `/v1/projects/${project.id}`
  return {
    project,
    token,
    root,
    list: async (query = '') =>
      (
        await server.request<{ data: Configuration[] }>('GET', `${root}/configurations${query}`, { token })
      ).body.data.map(({ scope, group_key: group, key }) => `${scope} ${group}: ${key}`),
    createRun: (groups: Record<string, string[]>) =>
      server.request<Problem & { data: Run }>('POST', `${root}/runs`, {
        token,
        body: { name: 'Nightly', configurations: { groups } },
      }),
  }
}

describe('configurations of the instance', () => {
  it('are used in runs of every project beside its own, and runs keep what they have', async () => {
    const { send } = await makeInstance()
    const [chrome] = await makeInstanceConfigurations(server, {
      org_browser: ['chrome', 'firefox'],
      org_system: ['mac'],
    })
    const [one, other] = [await makeUsingProject(), await makeUsingProject()]
    await makeConfigurations(server, one.project, { browser: ['chrome', 'edge'] })
    const ofInstance = ['instance org_browser: chrome', 'instance org_browser: firefox', 'instance org_system: mac']
    expect(await one.list()).toEqual(['project browser: chrome', 'project browser: edge', ...ofInstance])
    expect(await other.list()).toEqual(ofInstance)

    const groups = { browser: ['edge'], org_browser: ['chrome', 'firefox'], org_system: ['mac'] }
    const { body } = await one.createRun(groups)
    expect(body.data.configurations?.map(({ name }) => name)).toEqual(['edge, chrome, mac', 'edge, firefox, mac'])
    expect(body.data.combination_count).toBe(4)
    expect((await other.createRun(groups)).body.errors).toMatchObject([{ path: '/configurations/groups/browser/0' }])
    expect((await other.createRun({ org_browser: ['chrome'] })).status).toBe(201)

    await send('PATCH', `/${chrome?.id}`, { name: 'Chrome', retired: true })
    expect((await other.createRun({ org_browser: ['chrome'] })).status).toBe(400)
    expect(await other.list('?retired=false')).toEqual(ofInstance.slice(1))
    expect((await send('DELETE', `/${chrome?.id}`)).status).toBe(204)
    expect(await other.list()).toEqual(ofInstance.slice(1))
    const { token } = one
    const run = await server.request<{ data: Run }>('GET', `/v1/runs/${body.data.id}`, { token })
    expect(run.body.data.configurations).toEqual(body.data.configurations)
    const mine = await server.request<{ data: object[] }>('GET', '/v1/me/projects', { token: other.token })
    expect(mine.body.data[0]).toMatchObject({ has_configurations: true })
  })

  it('never meet groups of a project with the same key, and are changed only by administrators of the instance', async () => {
    const { send, token: adminToken } = await makeInstance()
    const { project, token, root, list } = await makeUsingProject()
    const body = { group_key: 'org_browser', group_name: 'Browser', key: 'chrome', name: 'Chrome' }
    const refused = await server.request<Problem>('POST', `${root}/configurations`, { token, body })
    expect(refused.body.errors).toMatchObject([{ path: '/group_key' }])
    expect((await send('POST', '', { ...body, group_key: 'browser' })).body.errors).toMatchObject([
      { path: '/group_key' },
    ])
    // A group from before there were any of the instance keeps its place, and grows.
    await sql`
      insert into configurations (id, project_id, group_key, group_name, key, name, position)
      values (gen_random_uuid(), ${project.id}, 'org_browser', 'Ours', 'opera', 'Opera', 1)`.execute(server.db)
    const { data: chrome } = (await send('POST', '', body)).body
    expect((await send('POST', '', body)).body.code).toBe('key_taken')
    expect(await list()).toEqual(['project org_browser: opera'])
    expect(await (await makeUsingProject()).list()).toEqual(['instance org_browser: chrome'])
    const grown = await server.request('POST', `${root}/configurations`, { token, body: { ...body, key: 'edge' } })
    expect(grown.status).toBe(201)

    for (const [method, change] of [
      ['PATCH', { name: 'Ours' }],
      ['DELETE', undefined],
    ] as const) {
      const path = `${root}/configurations/${chrome.id}`
      const response = await server.request<Problem>(method, path, { token, ...(change && { body: change }) })
      expect([response.status, response.body.code]).toEqual([409, 'instance_configuration'])
    }
    const audit = await server.request<{ data: object[] }>('GET', '/v1/admin/audit-log', { token: adminToken })
    const entry = { action: 'configuration.create', project: null }
    expect(audit.body.data.find((item) => 'project' in item && item.project === null)).toMatchObject(entry)
  })

  it('are announced in every project, and added once when two administrators do so at the same time', async () => {
    const { send } = await makeInstance()
    const { project, token } = await makeUsingProject()
    const stream = await openEventStream(server.url, `/v1/projects/${project.id}/events`, { token })
    await stream.next('sync')
    const body = { group_key: 'org_browser', group_name: 'Browser', key: 'chrome', name: 'Chrome' }
    const replies = await Promise.all([send('POST', '', body), send('POST', '', body)])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    await stream.next('configurations')
    stream.close()
  })
})
