import type { AcceptedInvitation, SentInvitation } from '@caseward/contract/invitations'
import type { NewToken } from '@caseward/contract/tokens'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { postAsAdmin, startTwoServers, type TwoServers } from '@caseward/test-support/two-servers'

/* What is taken away or given on one server, while the other has just been used and remembers. */

let servers: TwoServers
let end: () => Promise<void>
beforeAll(async () => {
  servers = await startTwoServers({ onCleanup: (given) => (end = given) })
}, 120_000)
afterAll(() => end())

const PASSWORD = 'correct horse'
let people = 0

async function makeProject() {
  const { first: one } = servers
  const { data } = await postAsAdmin(one, '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
  const path = `/v1/projects/${data.id}`
  const { data: run } = await postAsAdmin(one, `${path}/runs`, { name: 'Nightly' })
  const { data: ci } = await postAsAdmin<{ data: NewToken }>(one, `${path}/tokens`, { name: 'CI', access: 'write' })
  return { path, runId: run.id, ci }
}

/** Somebody who joined the project by an invitation, and is signed in at both servers by one session. */
async function makeMember(project: string, role: string) {
  const { first: one, second: other } = servers
  people += 1
  const email = `person${people}@example.test`
  const sent = await postAsAdmin<SentInvitation>(one, `${project}/members/invite`, { email, role })
  const accept = `/v1/invitations/${sent.join_url?.split('/').at(-1)}/accept`
  const joined = await openBrowser(one).api('POST', accept, { name: 'Mira', password: PASSWORD })
  const { member } = JSON.parse(joined.text) as AcceptedInvitation
  const here = openBrowser(one)
  expect((await here.api('POST', '/v1/session', { email, password: PASSWORD })).status).toBe(201)
  const there = openBrowser(other)
  for (const [name, value] of here.cookies) there.cookies.set(name, value)
  return { path: `${project}/members/${member.id}`, here, there }
}

interface Change {
  /** What the other server is asked again and again; the status of its answer. */
  ask(): Promise<number>
  /** What happens on the one. */
  change(): Promise<{ status: number }>
  /** What the other answers before, and from then on. */
  before: number
  after: number
}

const changes: Record<string, () => Promise<Change>> = {
  async 'a personal token that is revoked'() {
    const { first: one, second: other } = servers
    const { data } = await postAsAdmin<{ data: NewToken }>(one, '/v1/tokens', { name: 'mine' })
    return {
      ask: async () => (await other.request('GET', '/v1/me', undefined, data.token)).status,
      change: () => one.request('DELETE', `/v1/tokens/${data.id}`),
      before: 200,
      after: 401,
    }
  },
  async 'a CI token that is revoked'() {
    const { first: one, second: other } = servers
    const { path, runId, ci } = await makeProject()
    const body = { run_id: runId, results: [] }
    return {
      ask: async () => (await other.request('POST', '/v1/results', body, ci.token)).status,
      change: () => one.request('DELETE', `${path}/tokens/${ci.id}`),
      before: 200,
      after: 401,
    }
  },
  async 'a session that is ended'() {
    const { path } = await makeProject()
    const { here, there } = await makeMember(path, 'member')
    return {
      ask: async () => (await there.api('GET', '/v1/me')).status,
      change: () => here.api('DELETE', '/v1/session'),
      before: 200,
      after: 401,
    }
  },
  async 'the other session of somebody who changes their password'() {
    const { first: one } = servers
    const { path } = await makeProject()
    const { there } = await makeMember(path, 'member')
    const again = openBrowser(one)
    const email = `person${people}@example.test`
    await again.api('POST', '/v1/session', { email, password: PASSWORD })
    const body = { current_password: PASSWORD, password: 'another horse' }
    return {
      ask: async () => (await there.api('GET', '/v1/me')).status,
      change: () => again.api('PATCH', '/v1/me', body),
      before: 200,
      after: 401,
    }
  },
  async 'a member who is removed'() {
    const { first: one } = servers
    const { path } = await makeProject()
    const member = await makeMember(path, 'member')
    return {
      ask: async () => (await member.there.api('GET', path)).status,
      change: () => one.request('DELETE', member.path),
      before: 200,
      after: 403,
    }
  },
  async 'a member who is made a viewer'() {
    const { first: one } = servers
    const { path } = await makeProject()
    const member = await makeMember(path, 'member')
    return {
      ask: async () => (await member.there.api('POST', `${path}/test-cases/bulk`, { test_cases: [] })).status,
      change: () => one.request('PATCH', member.path, { role: 'viewer' }),
      before: 201,
      after: 403,
    }
  },
  async 'a viewer who is made an admin'() {
    const { first: one } = servers
    const { path } = await makeProject()
    const viewer = await makeMember(path, 'viewer')
    return {
      ask: async () => (await viewer.there.api('GET', `${path}/tokens`)).status,
      change: () => one.request('PATCH', viewer.path, { role: 'admin' }),
      before: 403,
      after: 200,
    }
  },
  async 'a project that is deleted, for its members'() {
    const { first: one, second: other } = servers
    const { path } = await makeProject()
    return {
      ask: async () => (await other.request('GET', `${path}/test-cases`)).status,
      change: () => one.request('DELETE', path),
      before: 200,
      after: 404,
    }
  },
  async 'a project that is deleted, for its CI'() {
    const { first: one, second: other } = servers
    const { path, ci } = await makeProject()
    return {
      ask: async () => (await other.request('GET', `${path}/runs`, undefined, ci.token)).status,
      change: () => one.request('DELETE', path),
      before: 200,
      after: 401,
    }
  },
}

describe('the other server takes note within a second of', () => {
  it.each(Object.entries(changes))('%s', async (_what, prepare) => {
    const { ask, change, before, after } = await prepare()
    const answers = [await ask()]
    expect((await change()).status).toBeLessThan(300)
    const changedAt = performance.now()
    let oldAnswerAt = changedAt
    for (let askedAt = changedAt; askedAt < changedAt + 2000 && answers.at(-1) !== after;) {
      askedAt = performance.now()
      answers.push(await ask())
      if (answers.at(-1) === before) oldAnswerAt = askedAt
    }
    const lateMs = Math.round(oldAnswerAt - changedAt)
    expect(lateMs, `still answered as before ${lateMs} ms after the change`).toBeLessThan(1000)
    expect(answers[0]).toBe(before)
    // No way back, and nothing in between but that it is gone.
    answers.push(await ask())
    expect(answers.filter((status) => ![before, after, 404].includes(status))).toEqual([])
    expect(answers.slice(-2)).toEqual([after, after])
  })
})
