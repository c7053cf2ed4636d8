import { beforeAll, describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin, makeUser } from '@caseward/test-support/users'

const server = useTestServer()
let token: string
beforeAll(async () => {
  token = (await makeInstanceAdmin(server)).token
})

const setProjectCreation = (project_creation: string) =>
  server.request('PATCH', '/v1/admin/settings', { token, body: { project_creation } })
const createProject = (userToken: string) =>
  server.request('POST', '/v1/projects', { token: userToken, body: { name: 'Web shop', prefix: 'WEB' } })

describe('the setting project_creation', () => {
  it('is everyone by default, and can be changed', async () => {
    expect((await server.request('GET', '/v1/admin/settings', { token })).body).toMatchObject({
      data: { project_creation: 'everyone' },
    })
    const changed = { data: { project_creation: 'instance_admins' } }
    expect((await setProjectCreation('instance_admins')).body).toMatchObject(changed)
    expect((await server.request('PATCH', '/v1/admin/settings', { token, body: {} })).body).toMatchObject(changed)
    await server.expectProblem(400, 'PATCH', '/v1/admin/settings', { token, body: { project_creation: 'nobody' } })
  })

  it('can be changed beside fields that this version does not know', async () => {
    const body = { project_creation: 'instance_admins', toString: 'later', user_id: null }
    const changed = await server.request('PATCH', '/v1/admin/settings', { token, body })
    expect(changed).toMatchObject({ status: 200, body: { data: { project_creation: 'instance_admins' } } })
    expect(changed.body).not.toHaveProperty('data.user_id')
  })

  it('with instance_admins refuses other users, also with an invalid body, and allows instance administrators', async () => {
    const user = await makeUser(server)
    await setProjectCreation('instance_admins')
    for (const body of [{ name: 'Web shop', prefix: 'WEB' }, { name: 5 }]) {
      const problem = await server.expectProblem(403, 'POST', '/v1/projects', { token: user.token, body })
      expect(problem.code).toBe('project_creation_restricted')
    }
    expect((await createProject(token)).status).toBe(201)
  })

  it('with everyone allows every user again, at once', async () => {
    const user = await makeUser(server)
    await setProjectCreation('instance_admins')
    expect((await createProject(user.token)).status).toBe(403)
    await setProjectCreation('everyone')
    expect((await createProject(user.token)).status).toBe(201)
  })
})
