import { type EventStreamClient, openEventStream } from '@caseward/test-support/event-stream'
import { makeCiToken, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin, makeMember } from '@caseward/test-support/users'
import { waitUntil } from '@caseward/test-support/wait-until'
import { describe, expect, it, onTestFinished } from 'vitest'

import { insertSession, PASSWORD_SESSION } from '../auth/session/session.queries.ts'

const server = useTestServer()

/** A member with a stream over a session and one over a token, and another member whose stream must stay open. */
async function openStreams() {
  const project = await makeProject(server)
  const run = await makeRun(server, project)
  const member = await makeMember(server, project.id, 'member')
  const other = await makeMember(server, project.id, 'viewer')
  const open = async (headers: Record<string, string>, path = `/v1/projects/${project.id}/events`) => {
    const stream = await openEventStream(server.url, path, { headers })
    await stream.next('sync')
    return stream
  }
  const cookie = `caseward-session=${await insertSession(server.db, member.id, '')}`
  const withToken = (token: string) => ({ authorization: `Bearer ${token}` })
  return {
    project,
    member,
    cookie,
    withToken,
    open,
    ofSession: await open({ cookie }),
    ofToken: await open(withToken(member.token), `/v1/runs/${run.id}/events`),
    ofOther: await open(withToken(other.token)),
    /** The stream of the other member still receives events. */
    async expectOpen(stream: EventStreamClient) {
      await makeTestCase(server, project)
      await stream.next('test_cases')
    },
  }
}

/** Until the test is finished. */
async function requireSecondFactor(): Promise<void> {
  const { id, token } = await makeInstanceAdmin(server)
  await server.db.updateTable('users').set({ has_second_factor: true }).where('id', '=', id).execute()
  const change = async (isRequired: boolean) =>
    await server.request('PATCH', '/v1/admin/settings', { token, body: { require_second_factor: isRequired } })
  onTestFinished(async () => void (await change(false)))
  expect((await change(true)).status).toBe(200)
}

async function waitForEnd(stream: EventStreamClient): Promise<boolean> {
  await waitUntil(stream.hasEnded, 'the stream has ended')
  return true
}

describe('an event stream', () => {
  it('ends with its session, when the user signs out', async () => {
    const { ofSession, ofToken, ofOther, cookie, expectOpen } = await openStreams()
    const headers = { cookie, origin: server.url }
    expect((await server.request('DELETE', '/v1/session', { headers })).status).toBe(204)
    expect(await waitForEnd(ofSession)).toBe(true)
    await expectOpen(ofOther)
    expect(ofToken.hasEnded()).toBe(false)
  })

  it('ends with its token, when it is revoked', async () => {
    const { ofSession, ofToken, member, expectOpen } = await openStreams()
    const { token } = member
    const { body } = await server.request<{ data: { id: string }[] }>('GET', '/v1/tokens', { token })
    await server.request('DELETE', `/v1/tokens/${body.data[0]?.id}`, { token })
    expect(await waitForEnd(ofToken)).toBe(true)
    await expectOpen(ofSession)
  })

  it('ends when the member is removed, over a session and over a token', async () => {
    const { ofSession, ofToken, ofOther, project, member, expectOpen } = await openStreams()
    const { token } = project.admin
    await server.request('DELETE', `/v1/projects/${project.id}/members/${member.id}`, { token })
    expect(await waitForEnd(ofSession)).toBe(true)
    expect(await waitForEnd(ofToken)).toBe(true)
    await expectOpen(ofOther)
  })

  it('stays open when the role of the member changes', async () => {
    const { ofSession, project, member, expectOpen } = await openStreams()
    const { token } = project.admin
    const path = `/v1/projects/${project.id}/members/${member.id}`
    await server.request('PATCH', path, { token, body: { role: 'viewer' } })
    expect((await ofSession.next('members')).data).toEqual({})
    await expectOpen(ofSession)
  })

  it('ends when the user is disabled', async () => {
    const { ofSession, ofToken, ofOther, member, expectOpen } = await openStreams()
    const { token } = await makeInstanceAdmin(server)
    await server.request('PATCH', `/v1/admin/users/${member.id}`, { token, body: { disabled: true } })
    expect(await waitForEnd(ofSession)).toBe(true)
    expect(await waitForEnd(ofToken)).toBe(true)
    await expectOpen(ofOther)
  })

  it('ends with a CI token, when it is revoked', async () => {
    const { project, open, withToken, ofOther, expectOpen } = await openStreams()
    const stream = await open(withToken(await makeCiToken(server, project, 'read')))
    const path = `/v1/projects/${project.id}/tokens`
    const { token } = project.admin
    const { body } = await server.request<{ data: { id: string }[] }>('GET', path, { token })
    await server.request('DELETE', `${path}/${body.data[0]?.id}`, { token })
    expect(await waitForEnd(stream)).toBe(true)
    await expectOpen(ofOther)
  })

  it('ends when a second factor becomes required and its session has none, and stays open over a token', async () => {
    const { ofSession, ofToken, expectOpen, member, open } = await openStreams()
    const exempt = await insertSession(server.db, member.id, '', { ...PASSWORD_SESSION, method: 'single_sign_on' })
    const ofProvider = await open({ cookie: `caseward-session=${exempt}` })
    await requireSecondFactor()
    expect(await waitForEnd(ofSession)).toBe(true)
    await expectOpen(ofProvider)
    expect(ofToken.hasEnded()).toBe(false)
  })

  it('ends when the user loses the second factor that is required', async () => {
    const { member, cookie, open, ofOther, expectOpen } = await openStreams()
    await server.db.updateTable('users').set({ has_second_factor: true }).where('id', '=', member.id).execute()
    await requireSecondFactor()
    const stream = await open({ cookie })
    const { token } = await makeInstanceAdmin(server)
    await server.request('DELETE', `/v1/admin/users/${member.id}/second-factors`, { token })
    expect(await waitForEnd(stream)).toBe(true)
    await expectOpen(ofOther)
  })

  it('ends at once if the rights were lost while it was opened', async () => {
    const { project, member, cookie } = await openStreams()
    // The server still has the member in its cache, and no notification will follow.
    expect((await server.request('GET', `/v1/projects/${project.id}`, { headers: { cookie } })).status).toBe(200)
    await server.db.deleteFrom('sessions').where('user_id', '=', member.id).execute()
    const stream = await openEventStream(server.url, `/v1/projects/${project.id}/events`, { headers: { cookie } })
    expect(await waitForEnd(stream)).toBe(true)
    expect(stream.events).toEqual([])
  })
})
