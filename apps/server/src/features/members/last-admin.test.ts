import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { connect, type Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/http/problems.ts'
import { SYSTEM_ACTOR } from '../audit/record-audit.ts'
import { changeRole, removeMember } from './change-members.ts'

const server = useSharedServer()

describe('the last admin of a project', () => {
  it.each([['member'], ['viewer']] as const)(
    'cannot become a %s: PATCH returns 422 last_admin',
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
    'cannot be removed while there are other members: DELETE returns 422 last_admin',
    { tags: ['spec:members/the-last-admin-cannot-be-removed-422', 'spec:errors/422-members-the-last-admin'] },
    async () => {
      const { id, admin } = await makeProject(server)
      await makeMember(server, id, 'member')
      const problem = await server.expectProblem(422, 'DELETE', `/v1/projects/${id}/members/${admin.id}`, admin)
      expect(problem.code).toBe('last_admin')
    },
  )

  it('can be set to admin again', async () => {
    const { id, admin } = await makeProject(server)
    const path = `/v1/projects/${id}/members/${admin.id}`
    const response = await server.request('PATCH', path, { token: admin.token, body: { role: 'admin' } })
    expect(response).toMatchObject({ status: 200, body: { role: 'admin' } })
  })

  it('is the only one who is not disabled', async () => {
    const { id, admin } = await makeProject(server)
    const other = await makeMember(server, id, 'admin')
    await sql`update users set disabled_at = now() where id = ${other.id}`.execute(server.db)
    const problem = await server.expectProblem(422, 'DELETE', `/v1/projects/${id}/members/${admin.id}`, admin)
    expect(problem.code).toBe('last_admin')
    expect((await server.request('DELETE', `/v1/projects/${id}/members/${other.id}`, admin)).status).toBe(204)
  })

  it('is determined per project', async () => {
    const [first, second] = [await makeProject(server), await makeProject(server)]
    await server.expectProblem(422, 'DELETE', `/v1/projects/${first.id}/members/${first.admin.id}`, first.admin)
    await server.expectProblem(422, 'DELETE', `/v1/projects/${second.id}/members/${second.admin.id}`, second.admin)
  })

  it(
    'remains when two admins remove or demote each other at the same time',
    { tags: ['spec:members/the-last-admin-stays-also-when-two-turn-on-each'] },
    async () => {
      for (let round = 0; round < 10; round += 1) {
        const { id, admin } = await makeProject(server)
        const otherAdmin = await makeMember(server, id, 'admin')
        const method = round % 2 === 0 ? 'DELETE' : 'PATCH'
        const body = method === 'PATCH' ? { body: { role: 'viewer' } } : {}
        const changeAs = (user: { token: string }, target: { id: string }) =>
          server.request(method, `/v1/projects/${id}/members/${target.id}`, { token: user.token, ...body })
        const responses = await Promise.all([changeAs(admin, otherAdmin), changeAs(otherAdmin, admin)])
        const succeeded = responses.filter(({ status }) => status < 300)
        // 403 when the second request starts after the first one has removed its admin role.
        const refused = responses.filter(({ status }) => status === 422 || status === 403)
        expect([succeeded.length, refused.length]).toEqual([1, 1])
      }
    },
  )
})

describe('changeRole and removeMember on two servers', () => {
  const ROUNDS = 150
  const CONCURRENT_PAIRS = 5
  const connections: ReturnType<typeof connect>[] = []
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await cloneDatabase()
    drop = database.drop
    for (let count = 0; count < 2; count += 1) {
      connections.push(connect(database.connection, { poolSize: CONCURRENT_PAIRS, onError: () => {} }))
    }
  })
  afterAll(async () => {
    await Promise.all(connections.map(({ close }) => close()))
    await drop()
  })

  /** Creates projects with two admins each, in a few statements. */
  async function makePairs(db: Database) {
    const pairs = Array.from({ length: ROUNDS }, () => ({ id: uuidv7(), first: uuidv7(), second: uuidv7() }))
    const users = pairs.flatMap(({ first, second }) => [first, second])
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

  const getOutcome = (change: Promise<unknown>) =>
    change.then(
      () => 'done',
      (error: unknown) => (error instanceof Problem ? error.code : String(error)),
    )

  it('leave one admin and a correct member count in each of 150 projects whose two admins remove each other', async () => {
    const [firstDb, secondDb] = connections.map(({ db }) => db)
    if (firstDb === undefined || secondDb === undefined) throw new Error('no connection')
    const pairs = await makePairs(firstDb)
    const removeAdmin = (db: Database, projectId: string, userId: string, round: number) =>
      getOutcome(
        round % 2 === 0
          ? removeMember(db, SYSTEM_ACTOR, { projectId, userId })
          : changeRole(db, SYSTEM_ACTOR, { projectId, userId }, 'viewer'),
      )
    for (let start = 0; start < ROUNDS; start += CONCURRENT_PAIRS) {
      const outcomes = await Promise.all(
        pairs
          .slice(start, start + CONCURRENT_PAIRS)
          .map(({ id, first, second }, index) =>
            Promise.all([removeAdmin(firstDb, id, first, index), removeAdmin(secondDb, id, second, index)]),
          ),
      )
      for (const pair of outcomes) expect(pair.toSorted()).toEqual(['done', 'last_admin'])
    }
    const { rows } = await sql<{ admins: number; counted: number; stored: number; projects: number }>`
      select (count(*) filter (where m.role = 'admin'))::int as admins, count(distinct p.id)::int as projects,
        count(*)::int as counted, (select sum(member_count)::int from projects) as stored
      from projects p join memberships m on m.project_id = p.id`.execute(firstDb)
    expect(rows[0]).toMatchObject({ admins: ROUNDS, projects: ROUNDS })
    expect(rows[0]?.counted).toBe(rows[0]?.stored)
  })
})
