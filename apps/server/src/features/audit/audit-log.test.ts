import type { AuditEntry } from '@caseward/contract/audit'
import { beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import {
  makeInstanceAdmin,
  makeMember,
  makeSignedInUser,
  makeUser,
  makeUserWithPassword,
  PASSWORD,
} from '@caseward/test-support/users'

interface AuditPage {
  data: AuditEntry[]
  meta: { next_after: string | null }
}

const server = useTestServer({ trustProxy: 1 })
let rootToken: string
beforeAll(async () => {
  rootToken = (await makeInstanceAdmin(server)).token
})

const readLog = async (path: string, token: string) => {
  const { status, body } = await server.request<AuditPage>('GET', path, { token })
  expect(status).toBe(200)
  return body
}
const readInstanceLog = (query = '') => readLog(`/v1/admin/audit-log${query}`, rootToken)
/** The newest entry by a user. */
const readLastEntry = async ({ id }: { id: string }) => (await readInstanceLog(`?actor=${id}`)).data[0]

describe('an entry of the audit log', () => {
  it('names the user, the token, the member, the project, the address, the time and the roles', async () => {
    const startMs = Date.now()
    const project = await makeProject(server)
    const { admin } = project
    const member = await makeMember(server, project.id, 'viewer')
    await server.request('PATCH', `/v1/projects/${project.id}/members/${member.id}`, {
      token: admin.token,
      body: { role: 'member' },
      headers: { 'x-forwarded-for': '203.0.113.7' },
    })
    const [entry] = (await readLog(`/v1/projects/${project.id}/audit-log`, admin.token)).data
    expect(entry).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      action: 'member.change_role',
      actor: {
        kind: 'user',
        id: admin.id,
        name: expect.stringMatching(/^Person/),
        email: expect.stringMatching(/^person/),
        token_id: expect.any(String),
        token_name: 'test',
      },
      subject: { kind: 'user', id: member.id, name: expect.stringMatching(/^Person/), email: member.email },
      project: { id: project.id, name: 'Web shop' },
      address: '203.0.113.7',
      detail: { from: 'viewer', to: 'member' },
    })
    const atMs = new Date(entry?.at ?? 0).getTime()
    expect([atMs >= startMs, atMs <= Date.now()]).toEqual([true, true])
  })

  it('names no token when the user has sent a session', async () => {
    const user = await makeSignedInUser(server)
    await user.browser.api('POST', '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
    const actor = { kind: 'user', id: user.id, email: user.email, token_id: null, token_name: null }
    expect(await readLastEntry(user)).toMatchObject({ action: 'project.create', actor, detail: { prefix: 'WEB' } })
  })

  it('names the token that has revoked itself', async () => {
    const user = await makeUser(server)
    const tokens = await server.request<{ data: { id: string }[] }>('GET', '/v1/tokens', { token: user.token })
    const id = tokens.body.data[0]?.id
    expect((await server.request('DELETE', `/v1/tokens/${id}`, { token: user.token })).status).toBe(204)
    expect(await readLastEntry(user)).toMatchObject({
      action: 'token.revoke',
      actor: { id: user.id, token_id: id, token_name: 'test' },
      subject: { kind: 'token', id, name: 'test' },
      project: null,
    })
  })

  it('keeps the names of a deleted project and of what was deleted in it', async () => {
    const project = await makeProject(server, { name: 'Short-lived' })
    const { token, id: adminId } = project.admin
    const path = `/v1/projects/${project.id}`
    const testCase = await makeTestCase(server, project, { title: 'Pays by card' })
    expect((await server.request('DELETE', `${path}/test-cases/${testCase.id}`, { token })).status).toBe(200)
    expect((await server.request('DELETE', path, { token })).status).toBe(200)
    const { data } = await readInstanceLog(`?actor=${adminId}`)
    const inProject = { id: project.id, name: 'Short-lived' }
    expect(data.slice(0, 2)).toMatchObject([
      { action: 'project.delete', subject: { kind: 'project', ...inProject }, project: inProject },
      {
        action: 'test_case.delete',
        subject: { kind: 'test_case', id: testCase.id, name: 'Pays by card' },
        project: inProject,
      },
    ])
    await server.expectProblem(404, 'GET', `${path}/audit-log`, { token })
  })

  it('contains the name before and after a change', async () => {
    const project = await makeProject(server)
    const { token, id } = project.admin
    const body = { name: 'Web shop 2', description: 'x'.repeat(5000) }
    await server.request('PATCH', `/v1/projects/${project.id}`, { token, body })
    expect(await readLastEntry({ id })).toMatchObject({
      action: 'project.update',
      detail: { name: { from: 'Web shop', to: 'Web shop 2' }, description: 'changed' },
    })
    await server.request('PATCH', '/v1/me', { token, body: { name: 'Ada Lovelace' } })
    expect(await readLastEntry({ id })).toMatchObject({
      action: 'user.update',
      detail: { name: { from: expect.stringMatching(/^Person/), to: 'Ada Lovelace' } },
    })
  })
})

describe('the audit log', () => {
  it('has no entry for a change that was refused or changed nothing', async () => {
    const project = await makeProject(server)
    const { token } = project.admin
    const path = `/v1/projects/${project.id}`
    const before = (await readLog(`${path}/audit-log`, token)).data
    await server.expectProblem(422, 'DELETE', `${path}/members/${project.admin.id}`, { token })
    await server.request('PATCH', `${path}/members/${project.admin.id}`, { token, body: { role: 'admin' } })
    await server.request('PATCH', path, { token, body: {} })
    await server.expectProblem(404, 'DELETE', `${path}/test-cases/WEB-1`, { token })
    expect((await readLog(`${path}/audit-log`, token)).data).toEqual(before)
    expect(before.map(({ action }) => action)).toEqual(['project.create'])
  })

  it('has an entry for a sign-in, a rejected one and a password change', async () => {
    const { id, email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    await browser.api('POST', '/v1/session', { email, password: 'wrong' })
    await browser.api('POST', '/v1/session', { email, password: PASSWORD })
    const change = { current_password: PASSWORD, password: 'another long password' }
    expect((await browser.api('PATCH', '/v1/me', change)).status).toBe(200)
    const { data } = await readInstanceLog(`?actor=${id}`)
    expect(data.map(({ action, subject }) => [action, subject.id])).toEqual([
      ['password.change', id],
      ['session.create', id],
      ['session.reject', id],
    ])
  })

  it('of a project has only its entries; that of the instance has all', async () => {
    const [first, second] = [await makeProject(server), await makeProject(server)]
    const path = `/v1/projects/${first.id}/audit-log`
    const { data } = await readLog(path, first.admin.token)
    expect(data.map(({ project }) => project?.id)).toEqual([first.id])
    const ids = (await readInstanceLog()).data.map(({ project }) => project?.id)
    expect(ids).toEqual(expect.arrayContaining([first.id, second.id]))
  })
})
