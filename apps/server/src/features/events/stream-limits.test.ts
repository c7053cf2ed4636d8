import type { Problem } from '@caseward/contract/problem'
import { type EventStreamClient, openEventStream } from '@caseward/test-support/event-stream'
import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { openRawRequest } from '@caseward/test-support/raw-request'
import { startServerForTest, type TestServer, useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { waitUntil } from '@caseward/test-support/wait-until'
import { describe, expect, it } from 'vitest'

import { insertSession } from '../auth/session/session.queries.ts'
import { MAX_STREAMS_PER_OWNER } from './stream-limits.ts'

async function makeProjectOn(server: TestServer) {
  const project = await makeProject(server)
  const path = `/v1/projects/${project.id}/events`
  const open = (token: string) => openEventStream(server.url, path, { token })
  const expectRefused = async (token: string) => {
    const { status, headers, body } = await server.request<Problem>('GET', path, { token })
    expect([status, body.code]).toEqual([503, 'too_many_event_streams'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  return { project, path, open, expectRefused }
}

describe('the number of event streams', () => {
  const server = useTestServer()

  it('is limited for each user over tokens and sessions, who can open another one after one has ended', async () => {
    const { project, path, open, expectRefused } = await makeProjectOn(server)
    const { token } = project.admin
    const streams: EventStreamClient[] = []
    for (let count = 0; count < MAX_STREAMS_PER_OWNER; count += 1) streams.push(await open(token))
    await expectRefused(token)
    expect((await open((await makeMember(server, project.id, 'viewer')).token)).status).toBe(200)
    const cookie = `caseward-session=${await insertSession(server.db, project.admin.id, '')}`
    expect((await server.request('GET', path, { headers: { cookie } })).status).toBe(503)
    streams[0]?.close()
    await waitUntil(async () => (await server.request('GET', path, { token })).status === 200, 'a place is free')
  })

  it('is limited for all CI tokens of a project together, which leave places for others', async () => {
    const { project, open, expectRefused } = await makeProjectOn(server)
    const tokens = [await makeCiToken(server, project, 'read'), await makeCiToken(server, project, 'read')]
    for (let count = 0; count < MAX_STREAMS_PER_OWNER; count += 1) await open(tokens[count % 2] ?? '')
    for (const token of tokens) await expectRefused(token)
    expect((await open(project.admin.token)).status).toBe(200)
    const other = await makeProjectOn(server)
    expect((await other.open(await makeCiToken(server, other.project, 'read'))).status).toBe(200)
  })

  it('is divided among users where the server is full: one with few takes a place of the one with the most', async () => {
    const own = await startServerForTest({ maxEventStreams: 6 })
    const { project, open, expectRefused } = await makeProjectOn(own)
    const { token } = await makeMember(own, project.id, 'viewer')
    const streams: EventStreamClient[] = []
    for (let count = 0; count < 6; count += 1) streams.push(await open(project.admin.token))
    await expectRefused(project.admin.token)
    for (let count = 0; count < 3; count += 1) expect((await open(token)).hasEnded()).toBe(false)
    await waitUntil(() => streams.filter((stream) => stream.hasEnded()).length === 3, 'the oldest streams have ended')
    expect(streams.map((stream) => stream.hasEnded())).toEqual([true, true, true, false, false, false])
    await expectRefused(token)
    await expectRefused(project.admin.token)
  })

  it('is limited for the server, and requests that fail take no place', async () => {
    const own = await startServerForTest({ maxEventStreams: 2 })
    const { project, path, open, expectRefused } = await makeProjectOn(own)
    const { token } = await makeMember(own, project.id, 'viewer')
    for (let count = 0; count < 5; count += 1) await own.expectProblem(401, 'GET', path)
    await open(project.admin.token)
    await open(token)
    await expectRefused(token)
    expect((await own.request('GET', `/v1/projects/${project.id}`, { token })).status).toBe(200)
  })

  it('does not count clients that are gone before their stream is open', async () => {
    const own = await startServerForTest()
    const { project, path, open } = await makeProjectOn(own)
    const lines = [`GET ${path} HTTP/1.1`, 'Host: test', `Authorization: Bearer ${project.admin.token}`, '']
    for (let count = 0; count < 2 * MAX_STREAMS_PER_OWNER; count += 1) {
      const { socket, closed } = openRawRequest(own.url, lines)
      // Some leave at once, others while the database is asked.
      setTimeout(() => socket.destroy(), count % 10)
      await closed
    }
    let opened = 0
    const openAnother = async () => {
      if ((await open(project.admin.token)).status === 200) opened += 1
      return opened === MAX_STREAMS_PER_OWNER
    }
    await waitUntil(openAnother, 'all places are free')
    expect(own.logged.filter((line) => line.includes('/events')).length).toBeGreaterThan(0)
  })

  it('is 0 if the operator wants none', async () => {
    const own = await startServerForTest({ maxEventStreams: 0 })
    const { project, path } = await makeProjectOn(own)
    await own.expectProblem(503, 'GET', path, { token: project.admin.token })
  })
})
