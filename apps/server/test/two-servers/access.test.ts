import type { AcceptedInvitation, SentInvitation } from '@caseward/contract/invitations'
import type { NewToken } from '@caseward/contract/tokens'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { postAsAdmin, startTwoServers, type TwoServers } from '@caseward/test-support/two-servers'

/* Access is changed on the first server while the second one has the old state in its cache. */

let servers: TwoServers
let end: () => Promise<void>
beforeAll(async () => {
  servers = await startTwoServers({ onCleanup: (endServers) => (end = endServers) })
})
afterAll(() => end())

const PASSWORD = 'correct horse'
let memberCount = 0

async function makeProject() {
  const { first } = servers
  const { data } = await postAsAdmin(first, '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
  const path = `/v1/projects/${data.id}`
  const { data: run } = await postAsAdmin(first, `${path}/runs`, { name: 'Nightly' })
  const { data: ci } = await postAsAdmin<{ data: NewToken }>(first, `${path}/tokens`, { name: 'CI', access: 'write' })
  return { path, runId: run.id, ci }
}

/** Creates a member by invitation who uses one session on both servers. */
async function makeMember(project: string, role: string) {
  const { first, second } = servers
  memberCount += 1
  const email = `person${memberCount}@example.test`
  const sent = await postAsAdmin<SentInvitation>(first, `${project}/members/invite`, { email, role })
  const accept = `/v1/invitations/${sent.join_url?.split('/').at(-1)}/accept`
  const joined = await openBrowser(first).api('POST', accept, { name: 'Mira', password: PASSWORD })
  const { member } = JSON.parse(joined.text) as AcceptedInvitation
  const onFirst = openBrowser(first)
  expect((await onFirst.api('POST', '/v1/session', { email, password: PASSWORD })).status).toBe(201)
  const onSecond = openBrowser(second)
  for (const [name, value] of onFirst.cookies) onSecond.cookies.set(name, value)
  return { path: `${project}/members/${member.id}`, onFirst, onSecond }
}

interface Change {
  /** Sends a request to the second server and returns the status. */
  requestSecond(): Promise<number>
  /** Makes the change on the first server. */
  change(): Promise<{ status: number }>
  /** The status of the second server before and after the change. */
  before: number
  after: number
}

const changes: Record<string, () => Promise<Change>> = {
  async 'rejects a revoked personal token'() {
    const { first, second } = servers
    const { data } = await postAsAdmin<{ data: NewToken }>(first, '/v1/tokens', { name: 'mine' })
    return {
      requestSecond: async () => (await second.request('GET', '/v1/me', undefined, data.token)).status,
      change: () => first.request('DELETE', `/v1/tokens/${data.id}`),
      before: 200,
      after: 401,
    }
  },
  async 'rejects a revoked CI token'() {
    const { first, second } = servers
    const { path, runId, ci } = await makeProject()
    const body = { run_id: runId, results: [] }
    return {
      requestSecond: async () => (await second.request('POST', '/v1/results', body, ci.token)).status,
      change: () => first.request('DELETE', `${path}/tokens/${ci.id}`),
      before: 200,
      after: 401,
    }
  },
  async 'rejects an ended session'() {
    const { path } = await makeProject()
    const { onFirst, onSecond } = await makeMember(path, 'member')
    return {
      requestSecond: async () => (await onSecond.api('GET', '/v1/me')).status,
      change: () => onFirst.api('DELETE', '/v1/session'),
      before: 200,
      after: 401,
    }
  },
  async 'rejects other sessions of a user whose password has changed'() {
    const { first } = servers
    const { path } = await makeProject()
    const { onSecond } = await makeMember(path, 'member')
    const otherBrowser = openBrowser(first)
    const email = `person${memberCount}@example.test`
    await otherBrowser.api('POST', '/v1/session', { email, password: PASSWORD })
    const body = { current_password: PASSWORD, password: 'another horse' }
    return {
      requestSecond: async () => (await onSecond.api('GET', '/v1/me')).status,
      change: () => otherBrowser.api('PATCH', '/v1/me', body),
      before: 200,
      after: 401,
    }
  },
  async 'rejects a removed member'() {
    const { first } = servers
    const { path } = await makeProject()
    const member = await makeMember(path, 'member')
    return {
      requestSecond: async () => (await member.onSecond.api('GET', path)).status,
      change: () => first.request('DELETE', member.path),
      before: 200,
      after: 403,
    }
  },
  async 'rejects writes of a member who has become a viewer'() {
    const { first } = servers
    const { path } = await makeProject()
    const member = await makeMember(path, 'member')
    return {
      requestSecond: async () =>
        (await member.onSecond.api('POST', `${path}/test-cases/bulk`, { test_cases: [] })).status,
      change: () => first.request('PATCH', member.path, { role: 'viewer' }),
      before: 201,
      after: 403,
    }
  },
  async 'accepts admin requests of a viewer who has become an admin'() {
    const { first } = servers
    const { path } = await makeProject()
    const viewer = await makeMember(path, 'viewer')
    return {
      requestSecond: async () => (await viewer.onSecond.api('GET', `${path}/tokens`)).status,
      change: () => first.request('PATCH', viewer.path, { role: 'admin' }),
      before: 403,
      after: 200,
    }
  },
  async 'rejects the session of a disabled user'() {
    const { first } = servers
    const { path } = await makeProject()
    const member = await makeMember(path, 'member')
    const userPath = `/v1/admin/users/${member.path.split('/').at(-1)}`
    return {
      requestSecond: async () => (await member.onSecond.api('GET', path)).status,
      change: () => first.request('PATCH', userPath, { disabled: true }),
      before: 200,
      after: 401,
    }
  },
  async 'accepts requests of a user who has become an instance administrator'() {
    const { first } = servers
    const { path } = await makeProject()
    const member = await makeMember(path, 'member')
    const userPath = `/v1/admin/users/${member.path.split('/').at(-1)}`
    return {
      requestSecond: async () => (await member.onSecond.api('GET', '/v1/admin/users')).status,
      change: () => first.request('PATCH', userPath, { is_instance_admin: true }),
      before: 403,
      after: 200,
    }
  },
  async 'refuses new projects once only instance administrators create them'() {
    const { first } = servers
    const { path } = await makeProject()
    const member = await makeMember(path, 'member')
    const body = { name: 'Web shop', prefix: 'WEB' }
    return {
      requestSecond: async () => (await member.onSecond.api('POST', '/v1/projects', body)).status,
      change: () => first.request('PATCH', '/v1/admin/settings', { project_creation: 'instance_admins' }),
      before: 201,
      after: 403,
    }
  },
  async 'returns 404 for a deleted project'() {
    const { first, second } = servers
    const { path } = await makeProject()
    return {
      requestSecond: async () => (await second.request('GET', `${path}/test-cases`)).status,
      change: () => first.request('DELETE', path),
      before: 200,
      after: 404,
    }
  },
  async 'rejects the CI token of a deleted project'() {
    const { first, second } = servers
    const { path, ci } = await makeProject()
    return {
      requestSecond: async () => (await second.request('GET', `${path}/runs`, undefined, ci.token)).status,
      change: () => first.request('DELETE', path),
      before: 200,
      after: 401,
    }
  },
}

describe('the second server, after a change on the first one', () => {
  it.each(Object.entries(changes))('within a second %s', async (_title, prepare) => {
    const { requestSecond, change, before, after } = await prepare()
    const statuses = [await requestSecond()]
    expect((await change()).status).toBeLessThan(300)
    const changedAt = performance.now()
    let lastOldResponseAt = changedAt
    for (let requestedAt = changedAt; requestedAt < changedAt + 2000 && statuses.at(-1) !== after;) {
      requestedAt = performance.now()
      statuses.push(await requestSecond())
      if (statuses.at(-1) === before) lastOldResponseAt = requestedAt
    }
    const delayMs = Math.round(lastOldResponseAt - changedAt)
    expect(delayMs, `still returned the old status ${delayMs} ms after the change`).toBeLessThan(1000)
    expect(statuses[0]).toBe(before)
    // The status never changes back, and only 404 may come between the two.
    statuses.push(await requestSecond())
    expect(statuses.filter((status) => ![before, after, 404].includes(status))).toEqual([])
    expect(statuses.slice(-2)).toEqual([after, after])
  })
})
