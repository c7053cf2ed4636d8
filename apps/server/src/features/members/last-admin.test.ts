import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { makeProject } from '@caseward/test-support/factories'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { connect, type Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/http/problems.ts'
import { changeRole, removeMember } from './change-members.ts'

describe('the last admin', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  it.each([['member'], ['viewer']] as const)(
    'cannot be made a %s',
    { tags: ['spec:members/the-last-admin-cannot-be-demoted-422', 'spec:errors/422-members-the-last-admin'] },
    async (role) => {
      const { id, admin } = await makeProject(server)
      const path = `/v1/projects/${id}/members/${admin.id}`
      const problem = await server.expectProblem(422, 'PATCH', path, { token: admin.token, body: { role } })
      expect(problem.code).toBe('last_admin')
      expect((await server.request('GET', `/v1/projects/${id}`, { token: admin.token })).status).toBe(200)
    },
  )

  it(
    'cannot be removed, however many others there are',
    { tags: ['spec:members/the-last-admin-cannot-be-removed-422', 'spec:errors/422-members-the-last-admin'] },
    async () => {
      const { id, admin } = await makeProject(server)
      await makeMember(server, id, 'member')
      const problem = await server.expectProblem(422, 'DELETE', `/v1/projects/${id}/members/${admin.id}`, admin)
      expect(problem.code).toBe('last_admin')
    },
  )

  it('may be made an admin, which they are', async () => {
    const { id, admin } = await makeProject(server)
    const path = `/v1/projects/${id}/members/${admin.id}`
    const answer = await server.request('PATCH', path, { token: admin.token, body: { role: 'admin' } })
    expect(answer).toMatchObject({ status: 200, body: { role: 'admin' } })
  })

  it('is last only in their project', async () => {
    const [one, other] = [await makeProject(server), await makeProject(server)]
    await server.expectProblem(422, 'DELETE', `/v1/projects/${one.id}/members/${one.admin.id}`, one.admin)
    await server.expectProblem(422, 'DELETE', `/v1/projects/${other.id}/members/${other.admin.id}`, other.admin)
  })

  it(
    'is always left when two admins turn on each other at the same instant',
    { tags: ['spec:members/the-last-admin-stays-also-when-two-turn-on-each'] },
    async () => {
      for (let round = 0; round < 30; round += 1) {
        const { id, admin } = await makeProject(server)
        const other = await makeMember(server, id, 'admin')
        const call = round % 2 === 0 ? 'DELETE' : 'PATCH'
        const body = call === 'PATCH' ? { body: { role: 'viewer' } } : {}
        const on = (target: { id: string }, by: { token: string }) =>
          server.request(call, `/v1/projects/${id}/members/${target.id}`, { token: by.token, ...body })
        const answers = await Promise.all([on(other, admin), on(admin, other)])
        const won = answers.filter(({ status }) => status < 300)
        // Whoever comes a moment later, when the other has already won, is an admin no more.
        const lost = answers.filter(({ status }) => status === 422 || status === 403)
        expect([won.length, lost.length]).toEqual([1, 1])
      }
    },
  )
})

describe('a thousand pairs of admins who turn on each other', () => {
  const ROUNDS = 1000
  const AT_ONCE = 5
  const connections: ReturnType<typeof connect>[] = []
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await cloneDatabase()
    drop = database.drop
    for (let count = 0; count < 2; count += 1) {
      connections.push(connect(database.connection, { poolSize: AT_ONCE, onError: () => {} }))
    }
  })
  afterAll(async () => {
    await Promise.all(connections.map(({ close }) => close()))
    await drop()
  })

  /** Projects with two admins each, in a few statements. */
  async function makePairs(db: Database) {
    const pairs = Array.from({ length: ROUNDS }, () => ({ id: uuidv7(), one: uuidv7(), other: uuidv7() }))
    const users = pairs.flatMap(({ one, other }) => [one, other])
    const projects = pairs.flatMap(({ id }) => [id, id])
    await sql`insert into users (id, email, name) select id, id || '@example.test', 'Admin' from unnest(${users}::uuid[]) id`.execute(
      db,
    )
    await sql`
      insert into projects (id, name, prefix, member_count)
      select id, 'Pair', 'PAIR', 2 from unnest(${pairs.map(({ id }) => id)}::uuid[]) id`.execute(db)
    await sql`
      insert into memberships (project_id, user_id, role)
      select project, admin, 'admin' from unnest(${projects}::uuid[], ${users}::uuid[]) pair (project, admin)`.execute(
      db,
    )
    return pairs
  }

  const outcome = (change: Promise<unknown>) =>
    change.then(
      () => 'done',
      (error: unknown) => (error instanceof Problem ? error.code : String(error)),
    )

  it('on two servers leave one admin each, a 422 each, and a true count of members', async () => {
    const [first, second] = connections.map(({ db }) => db)
    if (first === undefined || second === undefined) throw new Error('no connection')
    const pairs = await makePairs(first)
    const turnOn = (db: Database, projectId: string, userId: string, round: number) =>
      outcome(
        round % 2 === 0 ? removeMember(db, { projectId, userId }) : changeRole(db, { projectId, userId }, 'viewer'),
      )
    for (let start = 0; start < ROUNDS; start += AT_ONCE) {
      const outcomes = await Promise.all(
        pairs
          .slice(start, start + AT_ONCE)
          .map(({ id, one, other }, index) =>
            Promise.all([turnOn(first, id, one, index), turnOn(second, id, other, index)]),
          ),
      )
      for (const both of outcomes) expect(both.toSorted()).toEqual(['done', 'last_admin'])
    }
    const { rows } = await sql<{ admins: number; counted: number; kept: number; projects: number }>`
      select (count(*) filter (where m.role = 'admin'))::int as admins, count(distinct p.id)::int as projects,
        count(*)::int as counted, (select sum(member_count)::int from projects) as kept
      from projects p join memberships m on m.project_id = p.id`.execute(first)
    expect(rows[0]).toMatchObject({ admins: ROUNDS, projects: ROUNDS })
    expect(rows[0]?.counted).toBe(rows[0]?.kept)
  })
})
